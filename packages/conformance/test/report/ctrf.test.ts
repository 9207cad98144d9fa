import { validate } from "ctrf";
import { expect, test } from "vitest";
import { renderCtrf } from "../../src/report/ctrf.ts";
import type { CheckResult, Report } from "../../src/report/report.ts";
import {
  acting,
  check,
  erroredCheck,
  failedCheck,
  failing,
  hostileReport,
  knownCheck,
  listTexts,
  makeReport,
  skippedCheck,
  staleEntry,
  warnedCheck,
} from "./reports.ts";

/** The document, once the schema of the format has accepted it. */
function renderDocument(report: Report): ReturnType<typeof JSON.parse> {
  const document: unknown = JSON.parse(renderCtrf(report));
  expect(validate(document)).toEqual({ valid: true, errors: [] });
  return document;
}

function makeTest(result: CheckResult): unknown {
  return renderDocument(makeReport({ checks: [result] })).results.tests[0];
}

const message = "body /markdown: expected a string, received nothing";
const trace = expect.stringMatching(/requirement: scrape\.response\.markdown\.required\n[^]*reproduce: curl -i /);
const until = "expected to fail until 2026-12-31: the new renderer (team)";

test.for<[name: string, result: CheckResult, rawStatus: string, fields: object]>([
  ["passes what passed", check(), "pass", { status: "passed" }],
  [
    "fails a stated check, with its first finding and all of them",
    failedCheck(),
    "fail",
    { status: "failed", message, trace },
  ],
  [
    "gives a failed assumed check as other",
    warnedCheck(),
    "fail",
    { status: "other", message: expect.stringMatching(/^warning.*: body/) },
  ],
  ["skips an expected failure, with its entry", knownCheck(), "fail", { status: "skipped", message: until }],
  [
    "fails what could not be judged",
    erroredCheck(),
    "error",
    { status: "failed", message: expect.stringMatching(/no response/) },
  ],
  ["skips what was not judged, with the reason", skippedCheck(), "skip", { status: "skipped", message: "No session." }],
])("%s", ([, result, rawStatus, fields]) => {
  expect(makeTest(result)).toMatchObject({
    testId: result.id,
    name: result.id,
    suite: ["scrape"],
    rawStatus,
    ...fields,
  });
});

test("counts the tests, those of expected failures that need attention among them", () => {
  const checks = [check("a/1"), failedCheck("a/2"), warnedCheck("b/1")];
  const report = makeReport({ checks, expectationProblems: [staleEntry], verdict: "not-conforming" });
  const { summary, tests, environment } = renderDocument(report).results;
  expect(summary).toMatchObject({ tests: 4, passed: 1, failed: 2, skipped: 0, pending: 0, other: 1, suites: 3 });
  expect(summary.stop - summary.start).toBe(summary.duration);
  expect(tests.at(-1)).toMatchObject({ name: "stale: scrape/b", status: "failed", message: staleEntry.sentence });
  expect(environment).toMatchObject({ appName: "http://target.example", healthy: false });
});

test("names level, operation and requirements of each check", () => {
  expect(makeTest(check())).toMatchObject({
    tags: ["stated", "page_scrape"],
    labels: { level: "stated", operation: "page_scrape", requirements: ["scrape.response.markdown.required"] },
  });
});

test("is what the schema wants, and safe, when every string of the report is hostile", () => {
  expect(listTexts(renderDocument(hostileReport())).filter((text) => acting.test(text))).toEqual([]);
  expect(renderCtrf(hostileReport())).not.toMatch(acting);
});

test("finds the exchange of a failure for the command that shows it", () => {
  expect(renderDocument(failing()).results.tests[0].trace).toContain("/sessions/s1/page/scrape");
});
