import "../cli/node-version.ts";
import { beforeAll, describe, test } from "vitest";
import {
  outcomeOf,
  planTests,
  testError,
  type DescribeConformanceOptions,
  type JudgedChecks,
} from "./judged-checks.ts";

export type { DescribeConformanceOptions } from "./judged-checks.ts";

/**
 * Registers every selected check of the suite as a test of its own.
 *
 * A stated check that fails, fails its test with all findings; an assumed one, or a failure that is expected, is
 * annotated and passes; a check that the target can't show is skipped with the reason; a fault of the setup fails the test
 * and says that it is none of the target. With expected failures there is one more test: that they are in order.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { title, timeoutMs, names, judge } = planTests(options);
  describe(title, () => {
    let judged: JudgedChecks = { checks: [], problems: [] };
    beforeAll(async () => {
      judged = await judge();
    }, timeoutMs);

    test.for(names)("%s", async (name, { annotate, skip }) => {
      const outcome = outcomeOf(name, judged);
      if (outcome.does === "skip") skip(outcome.reason);
      if (outcome.does === "fail") throw testError(outcome.message);
      if (outcome.does === "note") await annotate(outcome.text, outcome.kind === "warning" ? "warning" : "notice");
    });
  });
}
