import "../cli/node-version.ts";
import { before, describe, test } from "node:test";
import {
  outcomeOf,
  planTests,
  testError,
  type DescribeConformanceOptions,
  type JudgedChecks,
} from "./judged-checks.ts";

export type { DescribeConformanceOptions } from "./judged-checks.ts";

/**
 * Registers every selected check of the suite as a test of `node:test`.
 *
 * A stated check that fails, fails its test with all findings; an assumed one, or a failure that is expected, is
 * told in a diagnostic and passes; a check that the target can't show is skipped with the reason; a fault of the setup fails
 * the test and says that it is none of the target. With expected failures there is one more test: that they are in order.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { title, timeoutMs, names, judge } = planTests(options);
  void describe(title, () => {
    let judged: JudgedChecks = { checks: [], problems: [] };
    before(
      async () => {
        judged = await judge();
      },
      { timeout: timeoutMs },
    );

    for (const name of names) {
      void test(name, (context) => {
        const outcome = outcomeOf(name, judged);
        if (outcome.does === "skip") context.skip(outcome.reason);
        if (outcome.does === "fail") throw testError(outcome.message);
        if (outcome.does !== "note") return;
        // Reporters show a diagnostic as one line.
        for (const line of `${outcome.kind}: ${outcome.text}`.split("\n")) if (line !== "") context.diagnostic(line);
      });
    }
  });
}
