import "./cli/node-version.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "./checks/check.ts";
import type { CheckResult, Report } from "./report/report.ts";
import { runConformance } from "./run/run-conformance.ts";
import type { RunOptions } from "./run/run-options.ts";
import { selectChecks } from "./run/selection.ts";
import { checks } from "./run/suite.ts";
import type { Target } from "./target/target.ts";

/** How a target is judged inside of a vitest run. Source: ours. */
export interface DescribeConformanceOptions extends RunOptions {
  /** The target, or a function that makes it ready before the first check. */
  target: Target | (() => Target | Promise<Target>);
  /** Title of the `describe` block. Default: `conformance`. */
  title?: string;
  /** How long the whole run may take, in milliseconds. Default: 120,000. */
  timeoutMs?: number;
  /** Called with the report when all is judged, for writers of one's own. Default: nothing. */
  onReport?: (report: Report) => void | Promise<void>;
}

const defaultTimeoutMs = 120_000;

/**
 * Registers every selected check of the suite as a test of its own.
 *
 * A stated check that fails, fails its test with all findings; an assumed one, or a failure that is expected, is
 * annotated and passes; a check that the target can't show is skipped with the reason; a fault of the setup fails the test
 * and says that it is none of the target. With expected failures there is one more test: that they are in order.
 *
 * Source: ours.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { target, title, timeoutMs, onReport, ...run } = options;
  const selected = selectChecks(checks, { only: run.only ?? [], skip: run.skip ?? [] });
  describe(title ?? "conformance", () => {
    let results: ReadonlyMap<string, CheckResult> = new Map();
    let problems: readonly string[] = [];
    beforeAll(async () => {
      const report = await runConformance(typeof target === "function" ? await target() : target, run);
      results = new Map(report.checks.map((result) => [result.id, result]));
      problems = report.expectationProblems.map(({ sentence }) => sentence);
      await onReport?.(report);
    }, timeoutMs ?? defaultTimeoutMs);

    test.for(selected)("$id", async ({ id }, { annotate, skip }) => {
      const result = results.get(id);
      if (!result) throw new Error(`the run has no result for ${id}`);
      if (result.status === "skip") skip(result.reason ?? "");
      if (result.status === "error") throw new Error(`could not be judged: ${result.reason}`);
      if (result.status !== "fail") return;
      const text = result.findings.map(findingText).join("\n\n");
      const { expected, level } = result;
      if (expected) return void (await annotate(`expected until ${expected.expires}: ${expected.reason}\n\n${text}`));
      if (level === "stated") throw new Error(`${result.title}\n\n${text}`);
      await annotate(text, "warning");
    });

    test.runIf(run.expectedFailures !== undefined)("expected failures are in order", () => {
      expect(problems).toEqual([]);
    });
  });
}

function findingText({ requirement, where, expected, received, exchange }: Finding): string {
  return `${requirement}\n  where     ${where}\n  expected  ${expected}\n  received  ${received}\n  exchange  ${exchange}`;
}
