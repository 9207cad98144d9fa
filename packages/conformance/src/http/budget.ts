import { streamEvents, streamLines } from "./event-stream.ts";
import { bodyText, type Exchange } from "./exchange.ts";

/** Limits on the number and the cost of billed automation runs. */
export interface RunBudget {
  /** Maximum number of runs, whatever request started them. */
  readonly maxRuns: number;
  /** Number of runs started by invalid requests after which no further invalid request is sent. */
  readonly maxUnintendedRuns: number;
  /** No further run starts once the sum of `total_cost_usd` has reached it, in US dollars; undefined for no limit. */
  readonly maxCostUsd: number | undefined;
}

/**
 * Counts the runs of one session of the suite, and what they cost.
 *
 * A request counts as a run unless the target refused it (4xx) or was not reached: it may have been billed.
 *
 * Source: interface § Limits (billing).
 */
export class RunLedger {
  readonly #budget: RunBudget;
  /** Cost of each run in US dollars; undefined where the target reported none. */
  readonly #costs: (number | undefined)[] = [];
  #unintended = 0;
  /** Runs started, or maybe started, for requests that a target should refuse, for whatever reason. */
  #runsOfRefusals = 0;
  /** True once a run was answered with 200: its stream is judged, whatever started it. */
  #hasStream = false;

  constructor(budget: RunBudget) {
    this.#budget = budget;
  }

  /** Number of runs that were started, or may have been. */
  get runs(): number {
    return this.#costs.length;
  }

  /** Sum of the reported costs, in US dollars; null when none was reported. */
  get costUsd(): number | null {
    const costs = this.#costs.filter((cost) => cost !== undefined);
    return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
  }

  /** Returns the reason why no further run may be started; undefined when one may. */
  refusal(): string | undefined {
    return this.refusalAt(this.runs) ?? this.#refusalForCost();
  }

  #refusalForCost(): string | undefined {
    const { maxCostUsd } = this.#budget;
    if (maxCostUsd === undefined) return undefined;
    const limit = `the limit of ${maxCostUsd} US dollars (--max-cost-usd)`;
    if (this.#costs.includes(undefined)) {
      return `An earlier automation run reported no valid cost, so ${limit} might be exceeded.`;
    }
    const spent = this.costUsd ?? 0;
    return spent >= maxCostUsd ? `Automation runs have cost ${spent} US dollars, and reached ${limit}.` : undefined;
  }

  /** Returns the reason why no further invalid automation request is sent; undefined when one may be. */
  refusalOfUnintended(): string | undefined {
    const { maxUnintendedRuns } = this.#budget;
    if (this.#unintended < maxUnintendedRuns) return this.#refusalForCost();
    const started = `The target started ${this.#unintended} automation ${runs(this.#unintended)} for requests that it has to refuse`;
    return `${started}; no more of them are sent (--max-unintended-runs).`;
  }

  /** Returns the reason why no run may follow the given number of runs, whatever their cost; undefined when one may. */
  refusalAt(started: number): string | undefined {
    const { maxRuns } = this.#budget;
    if (started < maxRuns) return undefined;
    const spent = `The budget of ${maxRuns} automation ${runs(maxRuns)} is used up (--max-runs)`;
    if (this.#runsOfRefusals === 0) return `${spent}.`;
    const needed = `allow ${maxRuns + this.#runsOfRefusals} to have a run judged`;
    return `${spent}; requests that should be refused account for ${this.#runsOfRefusals}, so ${needed}.`;
  }

  /** Returns whether requests that should be refused used up the budget without a stream, and displaced the run to be judged. */
  get isDisplaced(): boolean {
    return this.#runsOfRefusals > 0 && !this.#hasStream && this.refusalAt(this.runs) !== undefined;
  }

  /** Records the result of a request that could start a run. */
  record(exchange: Exchange, couldStartRun: boolean): void {
    const { response, failure, operation } = exchange;
    const status = response?.status;
    const isStarted = operation === "automation_start" && status === 200;
    const isRefused = failure?.code === "unreachable" || (status !== undefined && status >= 400 && status < 500);
    if (!isStarted && (!couldStartRun || isRefused)) return;
    this.#costs.push(findCost(exchange));
    this.#hasStream ||= status === 200;
    if (exchange.expects === "refusal") this.#runsOfRefusals += 1;
    if (hasToBeRefused(exchange)) this.#unintended += 1;
  }
}

/** Returns whether a request has the valid key and an invalid body, so that the target has to refuse it. */
export function hasToBeRefused({
  operation,
  expects,
  plan,
}: Pick<Exchange, "operation" | "expects" | "plan">): boolean {
  return operation === "automation_start" && expects === "refusal" && plan.credentials === "key";
}

function runs(count: number): string {
  return count === 1 ? "run" : "runs";
}

/** Returns the reported cost of a run; undefined when it is not a valid amount. */
function findCost({ response }: Exchange): number | undefined {
  if (!response) return undefined;
  const costs = streamEvents(streamLines(bodyText(response))).flatMap(({ object }) => {
    const cost = object?.["total_cost_usd"];
    return typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? [cost] : [];
  });
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}
