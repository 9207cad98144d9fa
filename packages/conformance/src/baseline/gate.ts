import { compareReports, isPartial } from "./compare.ts";
import type { Report } from "../report/report.ts";
import { exitCodes } from "../report/verdict.ts";

/** Inputs of a gate besides the report. */
export interface GateOptions {
  /** Report of an earlier run that this one may not be worse than; without it the verdict decides. */
  readonly baseline?: Report;
  /** True to accept the report of a mock. Default: false, because a mock proves nothing about a release. */
  readonly allowMock?: boolean;
}

/** Decision whether a release may go through. */
export interface GateDecision {
  /** Exit code. 0: the release may go through. 1: the target is at fault. 2: the report decides nothing. 3: the run was not finished. */
  readonly exitCode: 0 | 1 | 2 | 3;
  /** The decision with its reason. */
  readonly sentence: string;
}

/**
 * Decides on a report: one exit code, one sentence.
 *
 * In this order, and the first that holds decides:
 * 1. The report of a mock decides nothing, unless `allowMock`. A baseline of a mock, too.
 * 2. A run that judged a selection of the checks decides nothing. A baseline that did so, or was interrupted, neither.
 * 3. A run that was interrupted is not finished.
 * 4. Expected failures that are stale, expired or unknown close the gate.
 * 5. Without a baseline the verdict decides.
 * 6. With one, new failures close the gate, then stated checks that are no longer judged, then a run that is unfinished or
 *    judged nothing. Failures that the baseline has as well do not.
 */
export function decideGate(report: Report, { baseline, allowMock = false }: GateOptions = {}): GateDecision {
  return unfit(report, baseline, allowMock) ?? expectationsFail(report) ?? decideOn(report, baseline);
}

function close(exitCode: 1 | 2 | 3, reason: string): GateDecision {
  return { exitCode, sentence: `Closed: ${reason}.` };
}

function unfit(report: Report, baseline: Report | undefined, allowMock: boolean): GateDecision | undefined {
  if (!allowMock && report.target.kind === "mock") {
    return close(2, "the report is of a mock, which does not decide on a release (--allow-mock accepts it)");
  }
  if (!allowMock && baseline?.target.kind === "mock") {
    return close(2, "the baseline is the report of a mock (--allow-mock accepts it)");
  }
  if (isPartial(report)) return close(2, "the run judged only a selection of the checks (--only, --skip)");
  if (baseline && isPartial(baseline)) return close(2, "the baseline judged only a selection of the checks");
  if (baseline?.run.interrupted === true) return close(2, "the run of the baseline was interrupted");
  if (report.run.interrupted) return close(3, "the run was interrupted");
  return undefined;
}

function expectationsFail({ expectationProblems: problems }: Report): GateDecision | undefined {
  const [first, ...more] = problems;
  if (!first) return undefined;
  const rest = more.length > 0 ? `, and ${more.length} more of the expected failures need attention` : "";
  return close(1, `${first.sentence.replace(/\.$/, "")}${rest}`);
}

function decideOn(report: Report, baseline: Report | undefined): GateDecision {
  const verdict = report.sentence.replace(/\.$/, "");
  if (!baseline) {
    const exitCode = exitCodes[report.verdict];
    return exitCode === 0 ? { exitCode, sentence: `Open: ${lowered(verdict)}.` } : close(exitCode, lowered(verdict));
  }
  const { newFailures, noLongerChecked } = compareReports(baseline, report);
  const [failure, ...failures] = newFailures.filter((row) => row.level === "stated");
  if (failure) {
    const rest = failures.length > 0 ? `, and ${failures.length} more` : "";
    return close(1, `new failure since the baseline: ${failure.check} (${failure.requirement})${rest}`);
  }
  const [first, ...others] = noLongerChecked.filter((row) => row.level === "stated");
  if (first) {
    const rest = others.length > 0 ? `, and ${others.length} more` : "";
    return close(1, `judged in the baseline, but not in this run: ${first.check}${rest}`);
  }
  if (report.verdict === "unfinished" || report.verdict === "nothing-checked") {
    return close(exitCodes[report.verdict] === 2 ? 2 : 3, lowered(verdict));
  }
  const failureCount = report.checks.filter((check) => check.status === "fail" && check.level === "stated").length;
  const failing =
    failureCount === 0
      ? "nothing fails"
      : `${failureCount} ${failureCount === 1 ? "check fails" : "checks fail"} as in the baseline, or as expected, and no other`;
  return { exitCode: 0, sentence: `Open: ${failing}.` };
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
