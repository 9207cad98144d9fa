import { expect, test } from "vitest";
import type { Finding } from "../../src/checks/check.ts";
import { renderJunit } from "../../src/report/junit.ts";
import type { CheckResult, Report } from "../../src/report/report.ts";
import { acting, check, exchange, finding, hostileReport, makeReport } from "./reports.ts";

const hostile = `<script>alert(1)</script>" onload="x" ]]> and ]]> \u0000\u001B\uFFFE\u202E\uD800a\uDC00`;

test("makes one suite per word of the check ids, and one test case per check", () => {
  const xml = renderJunit(reportWith([check("scrape/a"), check("stream/b"), check("scrape/c")]));
  expect(
    [...xml.matchAll(/<testsuite name="([^"]+)"[^>]* tests="(\d)"/g)].map(([, name, tests]) => [name, tests]),
  ).toEqual([
    ["scrape", "2"],
    ["stream", "1"],
  ]);
  expect(xml).toContain('<testcase name="scrape/c" classname="cloud-browser.scrape"/>');
});

test("carries the verdict and the target as properties", () => {
  const xml = renderJunit(reportWith([check("scrape/a")]));
  expect(xml).toContain('<property name="verdict" value="not-conforming"/>');
  expect(xml).toContain('<property name="target" value="http://target.example"/>');
});

test("reports a failed check with its first finding as the message and all of them in the text", () => {
  const findings = [makeFinding("body /markdown", "nothing"), makeFinding("body /images", "an integer: 7")];
  const xml = renderJunit(reportWith([{ ...check("scrape/a"), status: "fail", findings }]));
  expect(xml).toContain('<failure message="body /markdown: expected a string, received nothing" type="stated">');
  for (const part of [
    "requirement: scrape.response.markdown.required",
    "where: body /images",
    "received: an integer: 7",
    "exchange: scrape/defaults",
  ]) {
    expect(xml).toContain(part);
  }
  expect(findCounts(xml)).toEqual({ tests: "1", failures: "1", errors: "0", skipped: "0" });
});

test("lets a failed check of the level assumed pass, with the warning as its output", () => {
  const findings = [makeFinding("body /markdown", "nothing")];
  const xml = renderJunit(reportWith([{ ...check("scrape/a"), level: "assumed", status: "fail", findings }]));
  expect(xml).not.toContain("<failure");
  expect(xml).toMatch(/<system-out>\s*<!\[CDATA\[warning, does not affect the verdict[^]*where: body \/markdown/);
  expect(findCounts(xml)).toEqual({ tests: "1", failures: "0", errors: "0", skipped: "0" });
});

test("reports what could not be judged as error or skipped, each with its reason", () => {
  const xml = renderJunit(
    reportWith([
      { ...check("scrape/a"), status: "error", reason: "no response within 120 s" },
      { ...check("scrape/b"), status: "skip", reason: "The mock accepts any key." },
    ]),
  );
  expect(xml).toContain('<error message="no response within 120 s"');
  expect(xml).toContain('<skipped message="The mock accepts any key."/>');
  expect(findCounts(xml)).toEqual({ tests: "2", failures: "0", errors: "1", skipped: "1" });
});

test("gives the command that reproduces a failure", () => {
  const findings = [makeFinding("body /markdown", "nothing")];
  const record = exchange("scrape/defaults", "{}", "application/json");
  const xml = renderJunit(reportWith([{ ...check("scrape/a"), status: "fail", findings }], [record]));
  expect(xml).toMatch(/<failure [^]*reproduce: curl -i .*\$\{CLOUD_BROWSER_API_KEY:\?\}/);
});

test("skips a failure that is expected, with its reason and owner, and keeps what was found", () => {
  const expected = { id: "scrape/a", reason: "the new renderer", owner: "team", expires: "2026-12-31" };
  const findings = [makeFinding("body /markdown", "nothing")];
  const xml = renderJunit(reportWith([{ ...check("scrape/a"), status: "fail", findings, expected }]));
  expect(xml).toContain('<skipped message="expected to fail until 2026-12-31: the new renderer (team)"/>');
  expect(xml).toContain("where: body /markdown");
  expect(findCounts(xml)).toEqual({ tests: "1", failures: "0", errors: "0", skipped: "1" });
});

test("fails for each entry of the expected failures that needs attention", () => {
  const problem = { id: "scrape/b", kind: "stale" as const, sentence: "scrape/b holds now." };
  const xml = renderJunit({ ...reportWith([check("scrape/a")]), expectationProblems: [problem] });
  expect(xml).toContain('<testcase name="stale: scrape/b" classname="cloud-browser.expected-failures">');
  expect(findCounts(xml)).toEqual({ tests: "2", failures: "1", errors: "0", skipped: "0" });
});

test("is safe when every string of the report is hostile", () => {
  expect(renderJunit(hostileReport())).not.toMatch(acting);
});

test("replaces characters that XML does not allow, and lets no text end its section or element", () => {
  const xml = renderJunit(
    reportWith([
      { ...check("scrape/a"), status: "fail", findings: [makeFinding(hostile, hostile)] },
      { ...check("scrape/b"), status: "error", reason: hostile },
      { ...check("scrape/c"), status: "skip", reason: hostile },
      { ...check("scrape/d"), level: "assumed", status: "fail", findings: [makeFinding(hostile, hostile)] },
    ]),
  );
  expect(xml).toContain("‹U+0000›‹U+001B›‹U+FFFE›‹U+202E›‹U+D800›a‹U+DC00›");
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(xml).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
  expect(() => encodeURIComponent(xml)).not.toThrow();
  const outsideSections = xml.replace(/<!\[CDATA\[[^]*?\]\]>/g, "");
  expect(outsideSections).not.toContain("]]>");
  expect(outsideSections).not.toContain("<script");
});

test("is the same for the same report", () => {
  const report = reportWith([check("scrape/a"), { ...check("scrape/b"), status: "skip", reason: "x" }]);
  expect(renderJunit(report)).toBe(renderJunit(report));
});

function findCounts(xml: string): Record<string, string | undefined> | undefined {
  return /<testsuites [^>]*tests="(?<tests>\d+)" failures="(?<failures>\d+)" errors="(?<errors>\d+)" skipped="(?<skipped>\d+)"/.exec(
    xml,
  )?.groups;
}

function makeFinding(where: string, received: string): Finding {
  return { ...finding(), where, received };
}

function reportWith(checks: readonly CheckResult[], exchanges: Report["exchanges"] = []): Report {
  return makeReport({ verdict: "not-conforming", exitCode: 1, checks, requirements: [], exchanges });
}
