import { validate } from "ctrf";
import { expect, test } from "vitest";
import { renderCtrf } from "../../src/report/ctrf.ts";
import type { CheckResult, Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { apiKey, startServer } from "../server.ts";
import { acting, check, exchange, failedCheck, hostileReport, makeReport, skippedCheck, listTexts } from "./reports.ts";

const expected = { id: "scrape/a", reason: "the new renderer", owner: "team", expires: "2026-12-31" };
const problem = { id: "scrape/b", kind: "stale" as const, sentence: "scrape/b holds now." };

/** The document, once the schema of the format has accepted it. */
function renderDocument(report: Report): ReturnType<typeof JSON.parse> {
  const document: unknown = JSON.parse(renderCtrf(report));
  expect(validate(document)).toEqual({ valid: true, errors: [] });
  return document;
}

function makeTest(result: CheckResult): unknown {
  return renderDocument(makeReport({ checks: [result] })).results.tests[0];
}

test.for<[string, CheckResult, object]>([
  ["passes what passed", check(), { status: "passed", rawStatus: "pass" }],
  [
    "fails a stated check, with its first finding as the message and all of them as the trace",
    failedCheck(),
    {
      status: "failed",
      rawStatus: "fail",
      message: "body /markdown: expected a string, received nothing",
      trace: expect.stringMatching(/requirement: scrape\.response\.markdown\.required\n[^]*reproduce: curl -i /),
    },
  ],
  [
    "gives an assumed check that fails as other: it decides nothing",
    { ...failedCheck(), level: "assumed" },
    {
      status: "other",
      rawStatus: "fail",
      message: expect.stringMatching(/^warning, does not affect the verdict: body \/markdown/),
    },
  ],
  [
    "skips an expected failure, with its reason, owner and last day",
    { ...failedCheck(), expected },
    { status: "skipped", rawStatus: "fail", message: "expected to fail until 2026-12-31: the new renderer (team)" },
  ],
  [
    "fails what could not be judged, and says why",
    { ...check(), status: "error", reason: "no response within 120 s" },
    { status: "failed", rawStatus: "error", message: "could not be judged: no response within 120 s" },
  ],
  ["skips what was not judged, with the reason", skippedCheck(), { status: "skipped", message: "No session." }],
])("%s", ([, result, fields]) => {
  expect(makeTest(result)).toMatchObject({ testId: result.id, name: result.id, suite: ["scrape"], ...fields });
});

test("counts the tests, those of expected failures that need attention among them", () => {
  const checks = [check("a/1"), failedCheck("a/2"), { ...failedCheck("b/1"), level: "assumed" as const }];
  const { results } = renderDocument(makeReport({ checks, expectationProblems: [problem], verdict: "not-conforming" }));
  expect(results.summary).toMatchObject({
    tests: 4,
    passed: 1,
    failed: 2,
    skipped: 0,
    pending: 0,
    other: 1,
    suites: 3,
  });
  expect(results.summary.stop - results.summary.start).toBe(results.summary.duration);
  expect(results.tests.at(-1)).toMatchObject({ name: "stale: scrape/b", status: "failed", message: problem.sentence });
  expect(results.environment).toMatchObject({ appName: "http://target.example", healthy: false });
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

test("is what the schema wants for a run, and holds no key", async () => {
  await using server = await startServer((answer) => ({
    ...answer,
    body: answer.body.replace(/^\{/, `{"k":"${apiKey}",`),
  }));
  const report = await runConformance(server.target, { only: ["cookies/*", "scrape/markdown-*"] });
  const { results } = renderDocument(report);
  expect(results.tests).toHaveLength(report.checks.length);
  expect(JSON.stringify(results)).not.toContain(apiKey);
});

test("finds the exchange of a failure for the command that shows it", () => {
  const report = makeReport({
    checks: [failedCheck()],
    exchanges: [exchange("scrape/defaults", "{}", "application/json")],
  });
  expect(renderDocument(report).results.tests[0].trace).toContain("/sessions/s1/page/scrape");
});
