import type { Level } from "../contract/requirements.ts";
import { formatCount } from "./visible-text.ts";

/**
 * Status of a check or a requirement.
 *
 * `pass`: judged, and it holds. `fail`: the target's fault. `error`: the suite's, the network's or the setup's fault.
 * `skip`: not judged, always with a reason; never counted as passed.
 */
export type Status = "pass" | "fail" | "error" | "skip";

/**
 * The verdict on the target.
 *
 * `conforming`: every stated check that could be judged passed. `not-conforming`: a stated check failed.
 * `unfinished`: none failed, but some could not be judged for a fault that is not the target's.
 * `nothing-checked`: no check was judged.
 */
export type Verdict = "conforming" | "not-conforming" | "unfinished" | "nothing-checked";

/** Exit code of the CLI for each verdict. */
export const exitCodes: Readonly<Record<Verdict, 0 | 1 | 2 | 3>> = {
  conforming: 0,
  "not-conforming": 1,
  "nothing-checked": 2,
  unfinished: 3,
};

/** Number of results of each status. */
export type Counts = Readonly<Record<Status, number>>;

/** The part of a check's result that the verdict needs. */
export interface JudgedCheck {
  /** Only `stated` checks decide the verdict. */
  readonly level: Level;
  /** Status. */
  readonly status: Status;
  /** The expected failure that covers it: then its failure does not count. Absent when none does. */
  readonly expected?: unknown;
}

/** State of the run that bears on the verdict beside the results of the checks. */
export interface RunState {
  /** True when the run was interrupted. */
  readonly interrupted: boolean;
  /** Problems of the expected failures. */
  readonly problems: readonly unknown[];
  /** Number of requests that the limit of requests left out. Default: 0. */
  readonly leftOut?: number;
}

/** Status of a result for people: `warning` for a failure that is only assumed, `expected` for one that is known. */
export type StatusMark = Status | "warning" | "expected";

/** Returns the mark of a check or a requirement. */
export function chooseMark({ status, level, expected }: JudgedCheck): StatusMark {
  if (status !== "fail") return status;
  if (expected !== undefined) return "expected";
  return level === "assumed" ? "warning" : "fail";
}

/** Groups checks by their marks. */
export function groupByMark<Check extends JudgedCheck>(
  checks: readonly Check[],
): Readonly<Record<StatusMark, Check[]>> {
  const groups = Map.groupBy(checks, chooseMark);
  const list = (mark: StatusMark): Check[] => groups.get(mark) ?? [];
  return {
    fail: list("fail"),
    error: list("error"),
    warning: list("warning"),
    expected: list("expected"),
    pass: list("pass"),
    skip: list("skip"),
  };
}

/** Returns the verdict that follows from the results of the checks. An interrupted run is always `unfinished`. */
export function decideVerdict(checks: readonly JudgedCheck[], { interrupted, problems }: RunState): Verdict {
  if (interrupted) return "unfinished";
  const stated = checks.filter((check) => check.level === "stated");
  if (stated.some(failsUnexpectedly) || problems.length > 0) return "not-conforming";
  if (checks.some((check) => check.status === "error")) return "unfinished";
  return stated.some((check) => check.status === "pass") ? "conforming" : "nothing-checked";
}

/** Returns whether a check failed, and no expected failure covers it. */
export function failsUnexpectedly(check: Pick<JudgedCheck, "status" | "expected">): boolean {
  return check.status === "fail" && check.expected === undefined;
}

/** Returns the verdict as a sentence for people, and a second one on the requests that were left out. */
export function writeSentence(verdict: Verdict, checks: readonly JudgedCheck[], state: RunState): string {
  const { leftOut = 0 } = state;
  const subject = leftOut === 1 ? "1 request was" : `${leftOut} requests were`;
  return `${sentenceOfVerdict(verdict, checks, state)}${leftOut === 0 ? "" : ` ${subject} left out (--max-requests).`}`;
}

function sentenceOfVerdict(
  verdict: Verdict,
  checks: readonly JudgedCheck[],
  { interrupted, problems }: RunState,
): string {
  const stated = checks.filter((check) => check.level === "stated");
  const { pass, fail } = countStatuses(stated);
  const judgedCount = pass + fail;
  const unexpected = stated.filter(failsUnexpectedly).length;
  const expectedFailures = fail - unexpected;
  const knownNote = expectedFailures === 0 ? "" : ` ${formatCount(expectedFailures, "known failure")} did not count.`;
  switch (verdict) {
    case "conforming":
      return expectedFailures === 0
        ? `Conforming: all ${pass} stated checks that could be judged hold.`
        : `Conforming but for ${formatCount(expectedFailures, "known failure")}: the other ${pass} stated checks that could be judged hold.`;
    case "not-conforming": {
      const failures = `${unexpected} of ${judgedCount} stated checks ${unexpected === 1 ? "fails" : "fail"}`;
      const faults = `${formatCount(problems.length, "expected failure")} ${problems.length === 1 ? "needs" : "need"} attention`;
      const parts = [...(unexpected > 0 ? [failures] : []), ...(problems.length > 0 ? [faults] : [])];
      return `Not conforming: ${parts.join(", and ")}.${knownNote}`;
    }
    case "unfinished":
      return interrupted
        ? `Interrupted: ${judgedCount} stated checks were judged until then, ${fail} of them ${fail === 1 ? "fails" : "fail"}.`
        : `Unfinished: ${countStatuses(checks).error} checks could not be judged, and no stated check failed.${knownNote}`;
    case "nothing-checked":
      return "Nothing was checked.";
  }
}

/** Returns a sentence on the checks that a mock of the contract can't show; undefined for a live target, or when there are none. */
export function realTargetNote(kind: "mock" | "live", checks: readonly JudgedCheck[]): string | undefined {
  const { skip } = countStatuses(checks);
  if (kind === "live" || skip === 0) return undefined;
  return `This target is a mock of the contract: ${formatCount(skip, "skipped check")} can be judged on a real target only.`;
}

/** Counts results by status. */
export function countStatuses(results: readonly { readonly status: Status }[]): Counts {
  const count = (status: Status): number => results.filter((result) => result.status === status).length;
  return { pass: count("pass"), fail: count("fail"), error: count("error"), skip: count("skip") };
}
