import type { SuiteCheck, Finding } from "../checks/check.ts";
import type { CheckResult, Report } from "../report/report.ts";
import { describeExpected, groupFindings } from "../report/findings-text.ts";
import { chooseMark } from "../report/verdict.ts";
import { visibleText } from "../report/visible-text.ts";
import { runConformance } from "../run/run-conformance.ts";
import { completeOptions, type RunOptions } from "../run/run-options.ts";
import { collectLevels } from "../run/reading-results.ts";
import { chooseReadings, withLevels } from "../contract/readings.ts";
import { selectChecks } from "../run/selection.ts";
import { checks } from "../run/suite.ts";
import type { Target } from "../target/target.ts";

/** Options of a conformance run inside a test runner. */
export interface DescribeConformanceOptions extends RunOptions {
  /** The target, or a function that makes it ready before the first check. */
  target: Target | (() => Target | Promise<Target>);
  /** Title of the `describe` block. Default: `conformance`. */
  title?: string;
  /** Time limit of the whole run, in milliseconds. Default: 120,000. */
  timeoutMs?: number;
  /** Called with the finished report, such as to write it in a format of your own. Default: none. */
  onReport?: (report: Report) => void | Promise<void>;
}

/** Result of the test of one check: it passes, is skipped, fails, or passes with a note. */
export type TestOutcome =
  | { readonly does: "pass" }
  | { readonly does: "skip"; readonly reason: string }
  | { readonly does: "fail"; readonly message: string }
  | { readonly does: "note"; readonly kind: "expected failure" | "warning"; readonly text: string };

/** Name of the test that fails when an expected failure is stale, expired or unknown. */
const expectationsTest = "expected failures are in order";

/** The part of a report that tests need. */
export interface RunResults {
  /** Results of the checks. */
  readonly checks: readonly CheckResult[];
  /** Problems of the expected failures, as sentences. */
  readonly problems: readonly string[];
}

/** The tests of a run, before anything is sent. */
export interface PlannedTests {
  /** Title of the block. */
  readonly title: string;
  /** Time limit of the run, in milliseconds. */
  readonly timeoutMs: number;
  /** Names of the tests: one for each check, and one for the expected failures when there are any. */
  readonly names: readonly string[];
  /** Runs the suite on the target. */
  readonly run: () => Promise<RunResults>;
}

/**
 * Reads the options of a binding.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 */
export function planTests(options: DescribeConformanceOptions): PlannedTests {
  const { target, title = "conformance", timeoutMs = 120_000, onReport, ...runOptions } = options;
  const { only, skip, readings, strict } = completeOptions(runOptions);
  const levels = collectLevels(checks, chooseReadings(readings, strict), strict);
  const selection: readonly SuiteCheck[] = selectChecks(withLevels(checks, levels), { only, skip });
  return {
    title,
    timeoutMs,
    names: [...selection.map(({ id }) => id), ...(runOptions.expectedFailures === undefined ? [] : [expectationsTest])],
    run: async () => {
      const report = await runConformance(typeof target === "function" ? await target() : target, runOptions);
      await onReport?.(report);
      return { checks: report.checks, problems: report.expectationProblems.map(({ sentence }) => sentence) };
    },
  };
}

/**
 * Decides the outcome of the test of a check.
 *
 * - A failing `stated` check fails its test with all its findings.
 * - A failing `assumed` check, or an expected failure, passes with a note.
 * - A check that the target can't show is skipped with the reason.
 * - An error of the setup fails the test; the message says that the target is not at fault.
 */
export function decideTestOutcome(name: string, results: RunResults): TestOutcome {
  if (name === expectationsTest)
    return results.problems.length === 0 ? { does: "pass" } : fails(results.problems.join("\n"));
  const result = results.checks.find(({ id }) => id === name);
  if (!result) return fails(`the run has no result for ${name}`);
  switch (chooseMark(result)) {
    case "pass":
      return { does: "pass" };
    case "skip":
      return { does: "skip", reason: visibleText(result.reason ?? "") };
    case "error":
      return fails(`could not be judged: ${result.reason}`);
    case "expected":
      return notes("expected failure", `expected ${describeExpected(result)}\n\n${listFindings(result)}`);
    case "warning":
      return notes("warning", listFindings(result));
    case "fail":
      return fails(`${result.title}\n\n${listFindings(result)}`);
  }
}

/** Maximum number of different findings in the message of a test; the reports have all of them. */
const findingLimit = 10;

function listFindings({ findings }: CheckResult): string {
  const alike = groupFindings(findings);
  const more = alike.length - findingLimit;
  return [...alike.slice(0, findingLimit).map(findingText), ...(more > 0 ? [`and ${more} more`] : [])].join("\n\n");
}

function fails(message: string): TestOutcome {
  return { does: "fail", message: visibleText(message) };
}

function notes(kind: "expected failure" | "warning", text: string): TestOutcome {
  return { does: "note", kind, text: visibleText(text) };
}

/** Renders one finding, with the exchanges that show it. */
function findingText([first, ...others]: readonly Finding[]): string {
  if (!first) return "";
  const { requirement, where, expected, received, exchange } = first;
  const source = others.length > 0 ? `${exchange} and ${others.length} more` : exchange;
  return `${requirement}\n  where     ${where}\n  expected  ${expected}\n  received  ${received}\n  exchange  ${source}`;
}

/** The error of a failed test. It has no stack, which would lead into this package. */
export function testError(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}
