import type { History, Mishap } from "./history.ts";
import { LeaseTable } from "./lease-table.ts";
import { Node, type Weakness, type World } from "./node.ts";
import { Schedule } from "./schedule.ts";

/** What was seen in a history. */
export interface Seen extends Pick<World, "revoked" | "lost"> {
  readonly violations: readonly string[];
  /** Nodes that hold a lease in the end. */
  readonly holders: number;
}

/** How long the world lasts: mishaps end well before. */
const horizon = 70;

/** Lets real keepers and watches live through a history, in a world of its own. */
export async function live(history: History, weakness: Weakness = {}): Promise<Seen> {
  const schedule = new Schedule(history.delays);
  let storeOffset = 0;
  const leases = new LeaseTable(
    () => schedule.now + storeOffset,
    (row) => {
      for (const node of nodes) node.noteRevoked(row);
    },
  );
  const world: World = { schedule, leases, weakness, violations: [], revoked: 0, lost: 0 };
  const nodes = history.rates.map((rate, index) => new Node(world, index, rate));
  const cause = (mishap: Mishap): void => {
    if (mishap.kind === "clock") storeOffset += mishap.by;
    else harm(nodes[mishap.node % nodes.length], mishap);
  };
  for (const node of nodes) schedule.at(schedule.takeDelay(), () => node.boot());
  for (const mishap of history.mishaps) schedule.at(mishap.at, () => cause(mishap));
  while (await schedule.runNext(horizon)) for (const node of nodes) node.check();
  const { violations, revoked, lost } = world;
  return { violations, revoked, lost, holders: nodes.filter(({ holds }) => holds).length };
}

function harm(node: Node | undefined, mishap: Exclude<Mishap, { kind: "clock" }>): void {
  if (mishap.kind === "cut") node?.cut(mishap.what, mishap.for);
  else if (mishap.kind === "pause") node?.pause(mishap.for);
  else node?.crash(mishap.for);
}
