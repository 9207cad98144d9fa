import "../cli/node-version.ts";
import { test, type TestInfo } from "@playwright/test";
import {
  outcomeOf,
  planTests,
  testError,
  type DescribeConformanceOptions,
  type JudgedChecks,
} from "./judged-checks.ts";
import { KeptRun } from "./kept-run.ts";

export type { DescribeConformanceOptions } from "./judged-checks.ts";

/**
 * Registers every selected check of the suite as a test of Playwright Test. It opens no browser.
 *
 * A stated check that fails, fails its test with all findings; an assumed one, or a failure that is expected, is
 * annotated and passes; a check that the target can't show is skipped with the reason; a fault of the setup fails the test
 * and says that it is none of the target. With expected failures there is one more test: that they are in order.
 *
 * Playwright starts another worker after each test that fails: the run is made once all the same, and its results are
 * kept in the output folder of the project. The tests run one after the other, and none is retried, because the suite
 * itself sends again what may be. Each project judges the target.
 *
 * @throws {SuiteError} `usage` when nothing is selected.
 */
export function describeConformance(options: DescribeConformanceOptions): void {
  const { title, timeoutMs, names, judge } = planTests(options);
  test.describe(title, () => {
    test.describe.configure({ mode: "default", retries: 0 });
    let run: KeptRun | undefined;
    let judged: JudgedChecks = { checks: [], problems: [] };
    // Playwright reads from the first parameter which fixtures are wanted: none.
    // oxlint-disable-next-line no-empty-pattern
    test.beforeAll(async ({}, info) => {
      test.setTimeout(timeoutMs);
      run = new KeptRun(info.project.outputDir, keyOf(title, info));
      judged = await run.judgedFor(info.title, judge);
    });

    for (const name of names) {
      // oxlint-disable-next-line no-empty-pattern
      test(name, ({}, info) => {
        run?.tell(name);
        const outcome = outcomeOf(name, judged);
        if (outcome.does === "skip") test.skip(true, outcome.reason);
        if (outcome.does === "fail") throw testError(outcome.message);
        if (outcome.does === "note") info.annotations.push({ type: outcome.kind, description: outcome.text });
      });
    }
  });
}

/** The same in every worker of one call of Playwright, and in no other: they have the same parent. */
function keyOf(title: string, { file, project, repeatEachIndex }: TestInfo): readonly (string | number)[] {
  return [process.ppid, file, title, project.name, repeatEachIndex];
}
