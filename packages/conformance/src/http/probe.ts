import type { Operation } from "../contract/contract.ts";
import type { Capability, Target } from "../target/target.ts";
import type { Exchange, Expectation } from "./exchange.ts";
import type { RequestPlan } from "./request-plan.ts";

/** One request of the suite. Several checks judge the same exchange. */
export interface Probe {
  /** `<operation word>/<what it tries>`, kebab-case. */
  readonly id: string;
  /** Operation that it calls. */
  readonly operation: Operation;
  /** Capabilities that the target needs for this probe to be sent. Default: none. */
  readonly needs?: readonly Capability[];
  /** Expected result. */
  readonly expects: Expectation;
  /** True when a target that conforms starts a billed automation run for it. Default: false. */
  readonly startsRun?: boolean;
  /** `kept`: it goes over the connection that the `kept` probe before it left open. Default: `own`, a connection of its own. */
  readonly connection?: "own" | "kept";
  /** True when it is sent concurrently with the adjacent burst probes of its operation. Default: false. */
  readonly burst?: boolean;
  /** True when it is sent after all others. Default: false. */
  readonly last?: boolean;
  /** Ids of the probes that its response is judged against: without theirs it shows nothing. Default: none. */
  readonly judgedAgainst?: readonly string[];
  /** Makes the request for one target. */
  readonly request: (target: Target) => RequestPlan;
}

/** Sends a request that was not planned; undefined when it may not be sent, or was interrupted. */
export type SendMore = (probe: Probe) => Promise<Exchange | undefined>;
