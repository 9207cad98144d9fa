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
  /** Id of the check; the same whatever it came to. */
  readonly id: string;
  /** What holds when it passes. */
  readonly title: string;
  /** Ids of the requirements that it judges. */
  readonly requirements: readonly string[];
  /** Whether it decides the verdict, or only warns. */
  readonly level: Level;
  /** Operation that it is about. */
  readonly operation: Operation;
  /** What it came to. */
  readonly status: Status;
  /** Why it is `error` or `skip`; absent otherwise. */
  readonly reason?: string;
  /** All that is wrong; empty unless the status is `fail`. */
  readonly findings: readonly Finding[];
  /** Ids of the exchanges that it looked at. */
  readonly exchanges: readonly string[];
}

/** What became of one requirement. Source: ours. */
export interface RequirementResult {
  /** Id of the row. */
  readonly id: string;
  /** Heading of the interface. */
  readonly section: string;
  /** The sentence, in our words. */
  readonly text: string;
  /** Operation that it is about. */
  readonly operation: Operation | "none";
  /** Whether the interface states it. */
  readonly level: Level;
  /** The least that is needed to see it violated. */
  readonly observable: Observable;
  /** The worst of what its checks came to. */
  readonly status: Status;
  /** Why it is `error` or `skip`; absent otherwise. */
  readonly reason?: string;
  /** Ids of its checks. */
  readonly checks: readonly string[];
}

/** What a run saw of something that the interface leaves open. Never judged. Source: ours. */
export interface Observation {
  /** Id of the row in the second list of `requirements.yaml`. */
  readonly id: string;
  /** What is left open. */
  readonly text: string;
  /** Operation that it is about. */
  readonly operation: Operation | "none";
  /** What was seen, each different thing once. */
  readonly values: readonly string[];
  /** Ids of the exchanges that show it. */
  readonly exchanges: readonly string[];
}

/** One request and its response, without secrets, and shortened. Source: ours. */
export interface RecordedExchange {
  /** Id of the probe. */
  readonly id: string;
  /** Operation that was called. */
  readonly operation: Operation;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** From sending to the end of the body, in whole milliseconds. */
  readonly durationMs: number;
  /** What was sent. */
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string | null;
  };
  /** What came back; null when nothing did. */
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
  /** What judged, and the version of the contract that it knows. */
  readonly suite: { readonly name: string; readonly version: string; readonly contract: string };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Of the whole run, in milliseconds. */
  readonly durationMs: number;
  /** The verdict on the target. */
  readonly verdict: Verdict;
  /** The verdict as one sentence. */
  readonly sentence: string;
  /** What the CLI ends with. */
  readonly exitCode: 0 | 1 | 2 | 3;
  /** What was judged. No key. */
  readonly target: {
    readonly name: string;
    readonly kind: "mock" | "live";
    readonly baseUrl: string;
    readonly automationUrl: string;
    readonly sessionId: string;
    readonly endedSessionId: string;
    readonly lacks: readonly { readonly capability: Capability; readonly reason: string }[];
  };
  /** The figures. */
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
  /** Every check, in the order of the suite. */
  readonly checks: readonly CheckResult[];
  /** What the run saw of things left open. */
  readonly observations: readonly Observation[];
  /** Every requirement, in the order of the interface. */
  readonly requirements: readonly RequirementResult[];
  /** Every request, in the order of sending. */
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

/** The first part of a check's id: what reports group checks by. Source: ours. */
export function wordOf({ id }: Pick<CheckResult, "id">): string {
  return id.split("/", 1)[0] ?? "";
}
