import "../cli/node-version.ts";
import { before, describe, test } from "node:test";
import {
  decideTestOutcome,
  planTests,
  testError,
  type DescribeConformanceOptions,
  type RunResults,
} from "./check-tests.ts";

export type { DescribeConformanceOptions } from "./check-tests.ts";

/**
 * Registers every selected check of the suite as a test of `node:test`.
 *
 * A failing `stated` check fails its test with all its findings. A failing `assumed` check, or an expected failure, passes
 * with a diagnostic. A check that the target can't show is skipped with the reason. An error of the setup fails the test
 * with a message that says so. With expected failures, one more test checks that none is stale, expired or unknown.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 *
 * @example
 * ```ts from=examples/bindings/node-test.ts
 * // conformance.test.ts: node --test
 * import { liveTarget } from "@cloud-browser/conformance";
 * import { describeConformance } from "@cloud-browser/conformance/node-test";
 *
 * describeConformance({
 *   target: () => liveTarget({ baseUrl: "http://127.0.0.1:8080", apiKey: "test-key", sessionId: "open-session" }),
 * });
 * ```
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { title, timeoutMs, names, run } = planTests(options);
  void describe(title, () => {
    let results: RunResults = { checks: [], problems: [] };
    before(
      async () => {
        results = await run();
      },
      { timeout: timeoutMs },
    );

    for (const name of names) {
      void test(name, (context) => {
        const outcome = decideTestOutcome(name, results);
        if (outcome.does === "skip") context.skip(outcome.reason);
        if (outcome.does === "fail") throw testError(outcome.message);
        if (outcome.does !== "note") return;
        // Reporters show a diagnostic as one line.
        for (const line of `${outcome.kind}: ${outcome.text}`.split("\n")) if (line !== "") context.diagnostic(line);
      });
    }
  });
}
