import type { Profile } from "../http/profile.ts";
import type { Retry } from "../http/sender.ts";
import type { Level } from "../contract/requirements.ts";
import type { Finding } from "../checks/check.ts";
import type { OpenedSession } from "../target/opened-pages.ts";
import type { Credentials } from "../http/credentials.ts";
import type { Operation } from "../contract/contract.ts";
import type { Observable } from "../contract/requirements.ts";
import type { Capability } from "../target/target.ts";
import type { Counts, Status, Verdict } from "./verdict.ts";

/** Result of one check. */
export interface CheckResult {
  /** Id of the check; the same whatever its result. */
  readonly id: string;
  /** The behaviour that a pass proves. */
  readonly title: string;
  /** Ids of the requirements that it judges. */
  readonly requirements: readonly string[];
  /** `stated` decides the verdict, `assumed` only warns. */
  readonly level: Level;
  /** Operation that it is about. */
  readonly operation: Operation;
  /** Status. */
  readonly status: Status;
  /** Reason for `error` or `skip`; absent otherwise. */
  readonly reason?: string;
  /** All violations; empty unless the status is `fail`. */
  readonly findings: readonly Finding[];
  /** Number of findings that are not in the list, which has at most 300. Absent for none. */
  readonly findingsLeftOut?: number;
  /** Ids of the exchanges that it judged, or could have judged. */
  readonly exchanges: readonly string[];
  /** The entry of the expected failures that covers it; absent when none does. It was run all the same. */
  readonly expected?: ExpectedFailure;
}

/** A failure that is known: it does not decide, until it expires. */
export interface ExpectedFailure {
  /** Id of a check, or of a requirement. */
  readonly id: string;
  /** Reason why it fails. */
  readonly reason: string;
  /** Person or team that is to fix it. */
  readonly owner: string;
  /** Last day on which it is valid, as `YYYY-MM-DD`, in UTC. */
  readonly expires: string;
}

/** A problem of an expected failure. Each one fails the run. */
export interface ExpectationProblem {
  /** Id that the entry names. */
  readonly id: string;
  /** `stale`: it no longer fails. `expired`: its last day has passed. `unknown`: no check and no requirement has this id. */
  readonly kind: "stale" | "expired" | "unknown";
  /** The problem as a sentence for people. */
  readonly sentence: string;
}

/** One setting of a run, with its source. Secrets are left out. */
export interface Setting {
  /** Its name in the configuration file. */
  readonly name: string;
  /** Its value as text. */
  readonly value: string;
  /** Source of the value: a flag, the environment, the configuration file, an option of the calling program, or the default. */
  readonly source: "flag" | "environment" | "file" | "option" | "default";
}

/** Result of one requirement. */
export interface RequirementResult {
  /** Id of the row. */
  readonly id: string;
  /** Heading of the interface. */
  readonly section: string;
  /** The sentence, in our words. */
  readonly text: string;
  /** Operation that it is about. */
  readonly operation: Operation | "none";
  /** `stated` by the interface, or inferred by us. */
  readonly level: Level;
  /** The least that is needed to see it violated. */
  readonly observable: Observable;
  /** The worst status of its checks. */
  readonly status: Status;
  /** Reason for `error` or `skip`; absent otherwise. */
  readonly reason?: string;
  /** Ids of its checks. */
  readonly checks: readonly string[];
}

/** One way of understanding a sentence that a verdict rests on. */
export interface ReadingResult {
  /** Id of the row in `readings.yaml`. */
  readonly id: string;
  /** Ids of the requirements whose sentence it is about. */
  readonly requirements: readonly string[];
  /** The sentence of the interface, and what it leaves open. */
  readonly sentence: string;
  /** The value that the run used, and the sentence that holds with it. */
  readonly value: string;
  readonly text: string;
  /** Origin of the value: pinned, the strictest (`--strict`), or the default. */
  readonly by: "pinned" | "strict" | "default";
  /** The other values, with the verdict under each of them; null when a check of the reading was not selected. */
  readonly others: readonly { readonly value: string; readonly text: string; readonly verdict: Verdict | null }[];
}

/** Recorded behaviour that the interface leaves open. Never judged. */
export interface Observation {
  /** Id of the row in the second list of `requirements.yaml`. */
  readonly id: string;
  /** Description of what is left open. */
  readonly text: string;
  /** Operation that it is about. */
  readonly operation: Operation | "none";
  /** Recorded values, each different one once. */
  readonly values: readonly string[];
  /** Ids of the exchanges that show it. */
  readonly exchanges: readonly string[];
}

/** One request and its response, without secrets, and shortened. */
export interface RecordedExchange {
  /** Id of the probe. */
  readonly id: string;
  /** Operation that was called. */
  readonly operation: Operation;
  /** Start: ISO 8601, UTC. */
  readonly startedAt: string;
  /** Time from sending to the end of the body, in whole milliseconds. */
  readonly durationMs: number;
  /** The request as it was sent. */
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string | null;
    /** The kind of its credentials, since they are not shown. Absent from reports of earlier versions. */
    readonly credentials?: Credentials;
    /** `kept`: sent over the connection that other requests share, in the order of sending. Absent from reports of earlier versions. */
    readonly connection?: "own" | "kept";
  };
  /** The response; null when none came. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    /** Number of headers that are not in the list, which has at most 100. Absent for none. */
    readonly headersLeftOut?: number;
    /** Text of the body, at most 16,384 characters of it. */
    readonly body: string;
    /** Length of the whole body in bytes, before anything was left out. */
    readonly bodyBytes: number;
    readonly truncated: boolean;
    /** Number of chunks of the body, and the times of the first and the last one. */
    readonly chunks: {
      readonly count: number;
      readonly firstMs: number | null;
      readonly lastMs: number | null;
      /** Arrival of each piece, in milliseconds after sending, with its length in bytes: the first 1,000. Absent for one piece or none. */
      readonly arrivals?: readonly (readonly [atMs: number, bytes: number])[];
    };
    readonly end: string;
  } | null;
  /** Reason why there is no response. */
  readonly failure: string | null;
}

/** Result of a run. Its JSON form is described by `report.schema.json`. */
export interface Report {
  /** Version of this form. */
  readonly version: 1;
  /** Name and version of the suite, and version of its contract. */
  readonly suite: { readonly name: string; readonly version: string; readonly contract: string };
  /** Start of the run: ISO 8601, UTC. */
  readonly startedAt: string;
  /** Duration of the whole run, in milliseconds. */
  readonly durationMs: number;
  /** The verdict on the target. */
  readonly verdict: Verdict;
  /** The verdict as one sentence. */
  readonly sentence: string;
  /** Exit code of the CLI. */
  readonly exitCode: 0 | 1 | 2 | 3;
  /** The judged target, without its key. */
  readonly target: {
    readonly name: string;
    readonly kind: "mock" | "live";
    readonly baseUrl: string;
    readonly automationUrl: string;
    /** The word in the path of the automation; absent in reports of earlier versions. */
    readonly automationWord?: string;
    /** The word in the names of two request headers; absent in reports of earlier versions. */
    readonly serviceWord?: string;
    readonly sessionId: string;
    readonly endedSessionId: string;
    readonly lacks: readonly { readonly capability: Capability; readonly reason: string }[];
    /** Sessions that the suite has opened on pages of its own, and whether it ended them; absent when it opened none. */
    readonly openedSessions?: readonly OpenedSession[];
  };
  /** Options and statistics of the run. */
  readonly run: {
    readonly profile: Profile;
    /** Seed of generated requests: the same seed generates the same ones. */
    readonly seed: number;
    /** The settings that were used, without secrets. */
    readonly settings: readonly Setting[];
    /** Address of the documentation site, which has a page for each check; absent when none was given. */
    readonly docsUrl?: string;
    /** True when the run was interrupted; requests that were not sent are skipped with that reason. */
    readonly interrupted: boolean;
    /** Maximum number of billed runs, and their maximum cost in US dollars; null for no limit. */
    readonly budget: { readonly maxRuns: number; readonly maxCostUsd: number | null };
    /** Number of planned requests, counted before the first one. */
    readonly requests: number;
    /** Number of requests that the limit of requests left out of the plan; absent for none. */
    readonly requestsLeftOut?: number;
    /** Checks that were selected, and checks of the suite; the ones left out are not in the list. */
    readonly checks: { readonly selected: number; readonly all: number };
    /** Requests that were sent again. */
    readonly retries: readonly Retry[];
  };
  /** Problems of the expected failures. */
  readonly expectationProblems: readonly ExpectationProblem[];
  /** Counts and sums of the run. */
  readonly summary: {
    readonly checks: Counts;
    /** Failed checks of the level `assumed`: they are counted as `fail` too, and decide nothing. */
    readonly warnings: number;
    readonly requirements: Counts;
    readonly exchanges: number;
    /** Billed runs that were started, or may have been: a request that broke off without an answer counts. */
    readonly automationRuns: number;
    /** Sum of the reported `total_cost_usd`, in US dollars; null when no run reported it. */
    readonly costUsd: number | null;
  };
  /** Every check that was selected, in the order of the suite. */
  readonly checks: readonly CheckResult[];
  /** Values of the readings that the run used. Absent from reports of earlier versions. */
  readonly readings?: readonly ReadingResult[];
  /** Recorded behaviour that the interface leaves open. */
  readonly observations: readonly Observation[];
  /** Every requirement, in the order of the interface. */
  readonly requirements: readonly RequirementResult[];
  /** Every request, in the order of sending. */
  readonly exchanges: readonly RecordedExchange[];
}

/** Groups checks by the reason why they were not judged; the most frequent reason first. */
export function groupByReason(checks: readonly CheckResult[]): [reason: string, checks: CheckResult[]][] {
  const groups = [...Map.groupBy(checks, ({ reason = "The reason is not known." }) => reason)];
  return groups.toSorted(([, some], [, others]) => others.length - some.length);
}

/** Returns the first part of a check's id, by which reports group checks. */
export function findWord({ id }: Pick<CheckResult, "id">): string {
  return id.split("/", 1)[0] ?? "";
}
