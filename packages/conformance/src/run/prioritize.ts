import type { SuiteCheck } from "../checks/check.ts";
import type { Probe } from "../http/probe.ts";
import type { Operation } from "../contract/contract.ts";
import type { ProbePlan } from "./plan.ts";

/** Number of requests that are reserved for what a run asks in addition: which of setup and target caused a refusal. */
const reserve = 4;

/** Smallest limit that leaves room for {@link reserve}. */
const leavesRoom = 25;

/** Requests of each operation that its other answers are compared with: plain ones, with the key and without a valid one. */
const plainIds: Readonly<Record<Operation, readonly string[]>> = {
  page_scrape: ["scrape/defaults"],
  session_cookies: ["cookies/read"],
  session_replay: ["replay/read"],
  automation_start: ["automation/without-query", "automation/with-wrong-key"],
};

/** Returns the reason for a request that a limit left out. */
export function leftOutReason(limit: number): string {
  return `At most ${limit} ${limit === 1 ? "request is" : "requests are"} allowed (--max-requests), and others show more.`;
}

/**
 * Reduces a plan to the requests that show most, within a limit. A plan within the limit stays as it is.
 *
 * Chooses in rounds: every stated requirement is shown once, then every assumed one, then every check gets a request, a second one, and so
 * on. In each round that request comes next which shows most of what is still to be shown for each request that has to be sent with it; of
 * equals, the first one in the order of the suite. What is judged against another request comes with that one. The order of sending stays.
 * The same plan gives the same choice.
 *
 * @param checks - The selected checks.
 * @param limit - Number of requests, including those that a run may add to its plan.
 */
export function prioritizeProbes(plan: ProbePlan, checks: readonly SuiteCheck[], limit: number): ProbePlan {
  if (plan.send.length <= limit) return plan;
  const room = limit < leavesRoom ? limit : limit - reserve;
  const choice = new Choice(plan.send, room);
  for (const goals of listRounds(checks, plan.send)) choice.reach(goals);
  const reason = leftOutReason(limit);
  const unsent = plan.send.flatMap(({ id }): [string, string][] => (choice.has(id) ? [] : [[id, reason]]));
  return { send: plan.send.filter(({ id }) => choice.has(id)), unsent: new Map([...plan.unsent, ...unsent]) };
}

/** Ids of requests of which one more has to be sent, so that they show something. */
type Goal = readonly string[];

/** Returns the rounds, each with its goals, until every request of every check is in one. */
function* listRounds(checks: readonly SuiteCheck[], probes: readonly Probe[]): Generator<readonly Goal[]> {
  const plannedIds = new Set(probes.map(({ id }) => id));
  const refusals = new Set(probes.flatMap(({ id, expects }) => (expects === "refusal" ? [id] : [])));
  const sendable = checks
    .map((check) => ({ ...check, probes: check.probes.filter((id) => plannedIds.has(id)) }))
    .filter((check) => check.probes.length > 0);
  const byLevel = [
    sendable.filter(({ level }) => level === "stated"),
    sendable.filter(({ level }) => level !== "stated"),
  ];
  for (const some of byLevel) yield requirementGoals(some, (id) => refusals.has(id));
  const most = Math.max(0, ...sendable.map((check) => check.probes.length));
  for (let time = 1; time <= most; time += 1) {
    for (const some of byLevel) {
      // A goal that comes again is reached by another request: see `Choice.reach`.
      yield some.flatMap((check) => (check.probes.length < time ? [] : [check.probes]));
    }
  }
  yield probes.map(({ id }) => [id]); // what is only observed
}

/** Maximum number of requirements of a check that counts as being about each of them: the request of one with more may show another one. */
const fewRequirements = 2;

/**
 * Returns a goal for each requirement: the requests of the checks that are most about it. Where some of these must be refused, only they
 * count: many servers take too much, and few too little, which the valid requests for other requirements show as well.
 */
function requirementGoals(checks: readonly SuiteCheck[], isRefused: (id: string) => boolean): Goal[] {
  const pairs = checks.flatMap((check) => check.requirements.map((requirement) => ({ requirement, check })));
  const about = Map.groupBy(pairs, ({ requirement }) => requirement);
  return [...about.values()].map((group) =>
    makeGoal(
      group.map(({ check }) => check),
      isRefused,
    ),
  );
}

function makeGoal(checks: readonly SuiteCheck[], isRefused: (id: string) => boolean): Goal {
  const few = Math.max(fewRequirements, Math.min(...checks.map(({ requirements }) => requirements.length)));
  const narrow = checks.filter(({ requirements }) => requirements.length <= few);
  const ids = [...new Set(narrow.flatMap(({ probes }) => probes))];
  const refusals = ids.filter(isRefused);
  return refusals.length > 0 ? refusals : ids;
}

/** Chooses requests, within their number. */
class Choice {
  readonly #probes: readonly Probe[];
  readonly #byId: ReadonlyMap<string, Probe>;
  readonly #chosen = new Set<string>();
  readonly #room: number;
  /** Number of requests that each goal needs so far. */
  readonly #needed = new Map<Goal, number>();

  constructor(probes: readonly Probe[], room: number) {
    this.#probes = probes;
    this.#byId = new Map(probes.map((probe) => [probe.id, probe]));
    this.#room = room;
  }

  has(id: string): boolean {
    return this.#chosen.has(id);
  }

  /** Chooses requests until each goal is reached, or nothing more fits. A goal counts as often as it was given. */
  reach(goals: readonly Goal[]): void {
    const open = new Set(goals.filter((goal) => !this.#isReached(goal)));
    const showing = new Map<string, Goal[]>();
    for (const goal of open) for (const id of goal) showing.set(id, [...(showing.get(id) ?? []), goal]);
    while (open.size > 0 && this.#chosen.size < this.#room) {
      const next = this.#mostTelling(open, showing);
      if (next === undefined) return;
      for (const id of next) {
        this.#chosen.add(id);
        for (const goal of showing.get(id) ?? []) open.delete(goal);
      }
    }
  }

  #isReached(goal: Goal): boolean {
    const needed = (this.#needed.get(goal) ?? 0) + 1;
    this.#needed.set(goal, needed);
    return goal.filter((id) => this.#chosen.has(id)).length >= needed;
  }

  /** Returns the request that shows most for its price, with those that have to be sent with it; undefined when none fits. */
  #mostTelling(open: ReadonlySet<Goal>, showing: ReadonlyMap<string, readonly Goal[]>): readonly string[] | undefined {
    const room = this.#room - this.#chosen.size;
    let best: { readonly ids: readonly string[]; readonly worth: number } | undefined;
    for (const { id } of this.#probes) {
      const goals = (showing.get(id) ?? []).filter((goal) => open.has(goal));
      if (goals.length === 0 || this.#chosen.has(id)) continue;
      const ids = this.#withCompanions(id);
      const worth = goals.length / ids.length;
      if (ids.length <= room && worth > (best?.worth ?? 0)) best = { ids, worth };
    }
    return best?.ids;
  }

  #withCompanions(id: string): string[] {
    const ids = [...listCompanions(id, this.#byId, this.#probes), id];
    return ids.filter((one, at) => this.#byId.has(one) && !this.#chosen.has(one) && ids.indexOf(one) === at);
  }
}

/** Returns the ids of the requests without which the answer to one shows nothing, or not whose fault it is. */
function listCompanions(id: string, byId: ReadonlyMap<string, Probe>, probes: readonly Probe[]): string[] {
  const probe = byId.get(id);
  if (!probe) return [];
  const plain = plainIds[probe.operation];
  const first = id.replace(/-(?:again(?:-\d+)?|written-out)$/, "");
  return [...plain, ...(first === id ? [] : [first]), ...(probe.judgedAgainst ?? []), ...listNeighbours(probe, probes)];
}

/**
 * Returns the first request on the kept connection for each other one, and another one of the burst for one of a burst: without it, it
 * would be neither on a connection that was used before nor among others.
 */
function listNeighbours(probe: Probe, probes: readonly Probe[]): string[] {
  const isKept = probe.connection === "kept";
  if (!isKept && probe.burst !== true) return [];
  const [first, second] = probes.filter((one) =>
    isKept ? one.connection === "kept" : one.burst === true && one.operation === probe.operation,
  );
  const neighbour = first === probe ? second : first;
  return neighbour ? [neighbour.id] : [];
}
