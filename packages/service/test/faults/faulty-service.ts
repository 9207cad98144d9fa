import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { Place, type Served } from "../command-line.ts";
import type { Fault } from "./fault.ts";

const injection = pathToFileURL(join(import.meta.dirname, "injection.ts")).href;

const planForm = z.object({ hits: z.number(), places: z.array(z.string()) });

/** A service in a process of its own, whose calls to the system fail by a plan. */
export interface FaultyService extends AsyncDisposable {
  readonly place: Place;
  readonly served: Served;
  /** From now on this call fails; none does without one. Resolves with how often the one before has failed, and the places that have called until now. */
  readonly plan: (fault?: Fault) => Promise<{ readonly hits: number; readonly places: readonly string[] }>;
}

/** Environment of a process whose calls fail from its start on. */
export function faultyFromStart(fault: Fault | undefined): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import ${injection}`, ...(fault && { FAULT: JSON.stringify(fault) }) };
}

/** Returns how a process whose calls fail is told so, by the path in its FAULT_SOCKET. */
export function planFault(path: string): FaultyService["plan"] {
  return async (fault) => {
    const socket = connect(path);
    await once(socket, "connect");
    socket.setEncoding("utf8").write(JSON.stringify(fault ?? null));
    let text = "";
    for await (const piece of socket) text += String(piece);
    return planForm.parse(JSON.parse(text));
  };
}

/** Starts one. */
export async function startFaultyService(args: readonly string[] = [], place = new Place()): Promise<FaultyService> {
  const path = join(place.root, `faults-${Math.random().toString(36).slice(2)}`);
  const served = await place.serving(args, { ...faultyFromStart(undefined), FAULT_SOCKET: path });
  const plan = planFault(path);
  return { place, served, plan, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}
