import "../cli/node-version.ts";
import { test, type TestInfo } from "@playwright/test";
import {
  decideTestOutcome,
  planTests,
  testError,
  type DescribeConformanceOptions,
  type RunResults,
} from "./check-tests.ts";
import { RunCache } from "./run-cache.ts";

export type { DescribeConformanceOptions } from "./check-tests.ts";

/**
 * Registers every selected check of the suite as a test of Playwright Test. It opens no browser.
 *
 * A failing `stated` check fails its test with all its findings. A failing `assumed` check, or an expected failure, passes with an
 * annotation. A check that the target can't show is skipped with the reason. An error of the setup fails the test with a message that says
 * so. With expected failures, one more test checks that none is stale, expired or unknown.
 *
 * Playwright starts another worker after each test that fails: the run is made once all the same, and its results are kept in the output
 * folder of the project. The tests run one after the other, and none is retried, because the suite itself repeats the requests that may be
 * repeated. Each project judges the target.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 *
 * @example
 * ```ts from=examples/bindings/playwright.ts
 * // conformance.spec.ts: npx playwright test. It needs no browser.
 * import { liveTarget } from "@cloud-browser/conformance";
 * import { describeConformance } from "@cloud-browser/conformance/playwright";
 *
 * describeConformance({
 *   target: () => liveTarget({ baseUrl: "http://127.0.0.1:8080", apiKey: "test-key", sessionId: "open-session" }),
 *   skip: ["operation:automation_start"],
 * });
 * ```
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { title, timeoutMs, names, run } = planTests(options);
  test.describe(title, () => {
    test.describe.configure({ mode: "default", retries: 0 });
    let cache: RunCache | undefined;
    let results: RunResults = { checks: [], problems: [] };
    // Playwright reads from the first parameter which fixtures are wanted: none.
    // oxlint-disable-next-line no-empty-pattern
    test.beforeAll(async ({}, info) => {
      test.setTimeout(timeoutMs);
      cache = new RunCache(info.project.outputDir, makeKey(title, info));
      results = await cache.resultsFor(info.title, run);
    });

    for (const name of names) {
      // oxlint-disable-next-line no-empty-pattern
      test(name, ({}, info) => {
        cache?.markReported(name);
        const outcome = decideTestOutcome(name, results);
        if (outcome.does === "skip") test.skip(true, outcome.reason);
        if (outcome.does === "fail") throw testError(outcome.message);
        if (outcome.does === "note") info.annotations.push({ type: outcome.kind, description: outcome.text });
      });
    }
  });
}

/** Makes the key of a run, which only the workers of one call of Playwright share: they have the same parent. */
function makeKey(title: string, { file, project, repeatEachIndex }: TestInfo): readonly (string | number)[] {
  return [process.ppid, file, title, project.name, repeatEachIndex];
}
