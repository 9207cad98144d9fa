import "../cli/node-version.ts";
import { beforeAll, describe, test } from "vitest";
import {
  decideTestOutcome,
  planTests,
  testError,
  type DescribeConformanceOptions,
  type RunResults,
} from "./check-tests.ts";

export type { DescribeConformanceOptions } from "./check-tests.ts";

/**
 * Registers every selected check of the suite as a test of its own.
 *
 * A failing `stated` check fails its test with all its findings. A failing `assumed` check, or an expected failure, passes
 * with an annotation. A check that the target can't show is skipped with the reason. An error of the setup fails the test
 * with a message that says so. With expected failures, one more test checks that none is stale, expired or unknown.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 *
 * @example
 * ```ts from=examples/bindings/vitest.ts
 * import { liveTarget } from "@cloud-browser/conformance";
 * import { describeConformance } from "@cloud-browser/conformance/vitest";
 *
 * describeConformance({
 *   target: () => liveTarget({ baseUrl: "http://127.0.0.1:8080", apiKey: "test-key", sessionId: "open-session" }),
 *   skip: ["operation:automation_start"],
 *   expectedFailures: [
 *     { id: "scrape/markdown-present", reason: "Issue 12", owner: "the scrape team", expires: "2026-12-31" },
 *   ],
 * });
 * ```
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { title, timeoutMs, names, run } = planTests(options);
  describe(title, () => {
    let results: RunResults = { checks: [], problems: [] };
    beforeAll(async () => {
      results = await run();
    }, timeoutMs);

    test.for(names)("%s", async (name, { annotate, skip }) => {
      const outcome = decideTestOutcome(name, results);
      if (outcome.does === "skip") skip(outcome.reason);
      if (outcome.does === "fail") throw testError(outcome.message);
      if (outcome.does === "note") await annotate(outcome.text, outcome.kind === "warning" ? "warning" : "notice");
    });
  });
}
