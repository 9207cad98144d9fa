import { isAmbiguous } from "../checks/setup-statuses.ts";
import type { Probe, SendMore } from "../http/probe.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Operation } from "../contract/contract.ts";
import type { RequestPlan } from "../http/request-plan.ts";

/** The plain valid request of each session-scoped operation. */
const plainProbes: ReadonlyMap<Operation, string> = new Map([
  ["page_scrape", "scrape/defaults"],
  ["session_cookies", "cookies/read"],
  ["session_replay", "replay/read"],
]);

/** Requests that start no run and carry the key: their answers tell whether the key was accepted. */
const refusedAutomationProbes: ReadonlySet<string> = new Set([
  "automation/without-query",
  "automation/with-broken-json",
]);

/** Exchanges and probes of a run before its exchanges are judged. */
export interface Confirmable {
  /** The exchanges, by the ids of their probes. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Every probe of the suite. */
  readonly probes: readonly Probe[];
  /** Ids of the probes whose exchanges are judged; the others are only observed. */
  readonly selected: ReadonlySet<string>;
  /** Requests under way at the same time: with more than one, an answer may be caused by another request. */
  readonly concurrency: number;
}

/**
 * Finds out whether answers such as 401 or 404 to invalid requests are caused by the setup or by the target, and marks those that are
 * caused by the target. Sends nothing when there is no such answer.
 *
 * A session-scoped operation is proven when its plain valid request was answered with 200 before, and is again now: key and session were
 * valid in between. The automation operation is proven when a run was answered with 200; or when one request that starts no run is answered
 * with 400 with the key, and with 401 or 403 with a wrong key: the key made the difference.
 */
export async function confirmSetup(state: Confirmable, sendMore: SendMore): Promise<ReadonlyMap<string, Exchange>> {
  const doubtful = [...state.exchanges.values()].filter((exchange) => isDoubtful(exchange, state));
  const provenOperations = new Set<Operation>();
  for (const operation of new Set(doubtful.map((exchange) => exchange.operation))) {
    const prove = operation === "automation_start" ? proveAutomation : proveSession;
    if (await prove(state, sendMore, operation)) provenOperations.add(operation);
  }
  const marks = doubtful
    .filter(({ operation }) => provenOperations.has(operation))
    .map((exchange): [string, Exchange] => [exchange.id, { ...exchange, setupProven: true }]);
  return new Map([...state.exchanges, ...marks]);
}

/**
 * Returns whether a status may be caused by the setup, and the verdict depends on it: no status is wrong where the interface leaves the
 * answer open. A conflict, or a session that is not ready, may be caused by concurrent requests of the suite.
 */
function isDoubtful({ id, operation, response, plan, expects }: Exchange, state: Confirmable): boolean {
  if (
    !response ||
    expects === "open" ||
    plan.credentials !== "key" ||
    !state.selected.has(id) ||
    !isAmbiguous(response.status)
  )
    return false;
  const plain = state.exchanges.get(plainProbes.get(operation) ?? "");
  if (plain && findPath(plain.plan) !== findPath(plan)) return false; // another session
  return state.concurrency === 1 || (response.status !== 409 && response.status !== 425);
}

function findPath({ path }: RequestPlan): string | undefined {
  return path.split("?", 1)[0];
}

type Prove = (state: Confirmable, sendMore: SendMore, operation: Operation) => Promise<boolean>;

const proveSession: Prove = async ({ exchanges, probes }, sendMore, operation) => {
  const id = plainProbes.get(operation);
  const plain = probes.find((probe) => probe.id === id);
  if (!plain || exchanges.get(plain.id)?.response?.status !== 200) return false;
  const again = await sendMore({ ...plain, id: `${plain.id}-again` });
  return again?.response?.status === 200;
};

const proveAutomation: Prove = async ({ exchanges, probes }, sendMore) => {
  const all = [...exchanges.values()];
  const ran = all.some(
    ({ operation, plan, response }) =>
      operation === "automation_start" && plan.credentials === "key" && response?.status === 200,
  );
  if (ran) return true;
  for (const probe of probes) {
    if (!refusedAutomationProbes.has(probe.id) || exchanges.get(probe.id)?.response?.status !== 400) continue;
    const withWrongKey = await sendMore({
      ...probe,
      id: `${probe.id}-and-wrong-key`,
      request: (target) => ({ ...probe.request(target), credentials: "wrong" }),
    });
    if (withWrongKey?.response?.status === 401 || withWrongKey?.response?.status === 403) return true;
  }
  return false;
};
