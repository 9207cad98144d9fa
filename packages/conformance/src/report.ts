import type { Finding, Level } from "./check.ts";
import type { Operation } from "./request-plan.ts";
import type { Observable } from "./requirements.ts";
import type { Capability } from "./target.ts";

/**
 * What a check, or a requirement, came to.
 *
 * `pass`: judged, and it holds. `fail`: the target's fault. `error`: the suite's, the network's or the setup's fault.
 * `skip`: not judged, always with a reason; never counted as passed.
 *
 * Source: ours.
 */
export type Status = "pass" | "fail" | "error" | "skip";

/**
 * The verdict on the target.
 *
 * `conforming`: every stated check that could be judged passed. `not-conforming`: a stated check failed.
 * `unfinished`: none failed, but some could not be judged for a fault that is not the target's.
 * `nothing-checked`: no check was judged.
 *
 * Source: ours.
 */
export type Verdict = "conforming" | "not-conforming" | "unfinished" | "nothing-checked";

/** Exit code of the CLI for each verdict. Source: ours. */
export const exitCodes: Readonly<Record<Verdict, 0 | 1 | 2 | 3>> = {
  conforming: 0,
  "not-conforming": 1,
  "nothing-checked": 2,
  unfinished: 3,
};

/** How many of each status. Source: ours. */
export type Counts = Readonly<Record<Status, number>>;

/** What became of one check. Source: ours. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly level: Level;
  readonly operation: Operation;
  readonly status: Status;
  /** Why it is `error` or `skip`; absent otherwise. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
  /** Ids of the exchanges that it looked at. */
  readonly exchanges: readonly string[];
}

/** What became of one requirement. Source: ours. */
export interface RequirementResult {
  readonly id: string;
  readonly section: string;
  readonly text: string;
  readonly operation: Operation | "none";
  readonly level: Level;
  readonly observable: Observable;
  readonly status: Status;
  /** Why it is `error` or `skip`; absent otherwise. */
  readonly reason?: string;
  readonly checks: readonly string[];
}

/** What a run saw of something that the interface leaves open. Never judged. Source: ours. */
export interface Observation {
  /** Id of the row in the second list of `requirements.yaml`. */
  readonly id: string;
  readonly text: string;
  readonly operation: Operation | "none";
  /** What was seen, each different thing once. */
  readonly values: readonly string[];
  readonly exchanges: readonly string[];
}

/** One request and its response, without secrets, and shortened. Source: ours. */
export interface RecordedExchange {
  readonly id: string;
  readonly operation: Operation;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    /** Text of the body, at most 16,384 characters of it. */
    readonly body: string;
    /** Length of the whole body in bytes, before anything was left out. */
    readonly bodyBytes: number;
    readonly truncated: boolean;
    /** Number of pieces in which the body arrived, and when the first and the last one did. */
    readonly chunks: { readonly count: number; readonly firstMs: number | null; readonly lastMs: number | null };
    readonly end: string;
  } | null;
  /** Why there is no response. */
  readonly failure: string | null;
}

/** Everything that a run found out. Its JSON form is described by `report.schema.json`. Source: ours. */
export interface Report {
  /** Version of this form. */
  readonly version: 1;
  readonly suite: { readonly name: string; readonly version: string; readonly contract: string };
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: Verdict;
  /** The verdict as one sentence. */
  readonly sentence: string;
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly target: {
    readonly name: string;
    readonly kind: "mock" | "live";
    readonly baseUrl: string;
    readonly automationUrl: string;
    readonly sessionId: string;
    readonly endedSessionId: string;
    readonly lacks: readonly { readonly capability: Capability; readonly reason: string }[];
  };
  readonly summary: {
    readonly checks: Counts;
    /** Failed checks of the level `assumed`: they are counted as `fail` too, and decide nothing. */
    readonly warnings: number;
    readonly requirements: Counts;
    readonly exchanges: number;
    readonly automationRuns: number;
    /** Sum of `total_cost_usd` of the runs that told it, in US dollars; null when none did. */
    readonly costUsd: number | null;
  };
  readonly checks: readonly CheckResult[];
  readonly observations: readonly Observation[];
  readonly requirements: readonly RequirementResult[];
  readonly exchanges: readonly RecordedExchange[];
}

/** The verdict that follows from the results of the checks. Source: ours. */
export function verdictOf(checks: readonly CheckResult[]): Verdict {
  const stated = checks.filter((check) => check.level === "stated");
  if (stated.some((check) => check.status === "fail")) return "not-conforming";
  if (checks.some((check) => check.status === "error")) return "unfinished";
  return stated.some((check) => check.status === "pass") ? "conforming" : "nothing-checked";
}

/** The verdict as a sentence for people. Source: ours. */
export function sentenceOf(verdict: Verdict, checks: readonly CheckResult[]): string {
  const stated = checks.filter((check) => check.level === "stated");
  const { pass, fail } = countsOf(stated);
  const judged = pass + fail;
  switch (verdict) {
    case "conforming":
      return `Conforming: all ${pass} stated checks that could be judged hold.`;
    case "not-conforming":
      return `Not conforming: ${fail} of ${judged} stated checks ${fail === 1 ? "fails" : "fail"}.`;
    case "unfinished":
      return `Unfinished: ${countsOf(checks).error} checks could not be judged, and no stated check failed.`;
    case "nothing-checked":
      return "Nothing was checked.";
  }
}

/** Counts results by status. Source: ours. */
export function countsOf(results: readonly { readonly status: Status }[]): Counts {
  const count = (status: Status): number => results.filter((result) => result.status === status).length;
  return { pass: count("pass"), fail: count("fail"), error: count("error"), skip: count("skip") };
}
