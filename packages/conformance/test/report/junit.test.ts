import { expect, test } from "vitest";
import type { Finding } from "../../src/checks/check.ts";
import { renderJunit } from "../../src/report/junit.ts";
import type { CheckResult } from "../../src/report/report.ts";
import {
  check,
  erroredCheck,
  failedCheck,
  failing,
  finding,
  knownCheck,
  makeReport,
  skippedCheck,
  staleEntry,
  warnedCheck,
} from "./reports.ts";

const hostile = `<script>alert(1)</script>" onload="x" ]]> and ]]> \u0000\u001B\uFFFE\u202E\uD800a\uDC00`;

test("makes one suite per word of the check ids, and one test case per check", () => {
  const xml = renderJunit(makeReport({ checks: [check("scrape/a"), check("stream/b"), check("scrape/c")] }));
  const suites = [...xml.matchAll(/<testsuite name="([^"]+)"[^>]* tests="(\d)"/g)];
  expect(suites.map(([, name, tests]) => `${name}: ${tests}`)).toEqual(["scrape: 2", "stream: 1"]);
  expect(xml).toContain('<testcase name="scrape/c" classname="cloud-browser.scrape"/>');
});

test("carries the verdict and the target as properties", () => {
  const xml = renderJunit(failing());
  expect(xml).toContain('<property name="verdict" value="not-conforming"/>');
  expect(xml).toContain('<property name="target" value="http://target.example"/>');
});

const none = { failures: "0", errors: "0", skipped: "0" };
const until = "expected to fail until 2026-12-31: the new renderer (team)";
const first = '<failure message="body /markdown: expected a string, received nothing" type="stated">';

/** A result, what the document says of it in its order, and what it counts as. */
const results: readonly (readonly [name: string, result: CheckResult, says: readonly string[], counts?: object])[] = [
  ["passes", check(), ["<testcase"]],
  [
    "fails with its first finding as the message, and all in the text with the command that reproduces it",
    { ...failedCheck(), findings: [finding(), makeFinding("body /images", "an integer: 7")] },
    [
      first,
      "requirement: ",
      "where: body /images",
      "received: an integer: 7",
      "reproduce: curl -i ",
      "{CLOUD_BROWSER_API_KEY:?}",
    ],
    { failures: "1" },
  ],
  [
    "passes with the warning as its output",
    warnedCheck(),
    ["<system-out>", "warning, does not", "where: body /markdown"],
  ],
  ["is in error, with the reason", erroredCheck(), ['<error message="no response within 120 s"'], { errors: "1" }],
  ["is skipped, with the reason", skippedCheck(), ['<skipped message="No session."/>'], { skipped: "1" }],
  [
    "is skipped when it is known",
    knownCheck(),
    [`<skipped message="${until}"/>`, "where: body /markdown"],
    { skipped: "1" },
  ],
];
test.for(results)("a check %s", ([, result, says, counts]) => {
  const xml = renderJunit(makeReport({ checks: [result] }));
  const places = says.map((part) => xml.indexOf(part));
  expect(places).not.toContain(-1);
  expect(findCounts(xml)).toEqual({ tests: "1", ...none, ...counts });
});

test("fails for each entry of the expected failures that needs attention", () => {
  const xml = renderJunit(makeReport({ expectationProblems: [staleEntry] }));
  expect(xml).toContain('<testcase name="stale: scrape/b" classname="cloud-browser.expected-failures">');
  expect(findCounts(xml)).toEqual({ ...none, tests: "2", failures: "1" });
});

test("replaces characters that XML does not allow, and lets no text end its section or element", () => {
  const findings = [makeFinding(hostile, hostile)];
  const checks = [
    { ...failedCheck("scrape/a"), findings },
    { ...erroredCheck("scrape/b"), reason: hostile },
    { ...skippedCheck("scrape/c"), reason: hostile },
    { ...warnedCheck("scrape/d"), findings },
  ];
  const xml = renderJunit(makeReport({ checks }));
  expect(xml).toContain("‹U+0000›‹U+001B›‹U+FFFE›‹U+202E›‹U+D800›a‹U+DC00›");
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(xml).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
  expect(() => encodeURIComponent(xml)).not.toThrow();
  const outsideSections = xml.replace(/<!\[CDATA\[[^]*?\]\]>/g, "");
  expect(outsideSections).not.toContain("]]>");
  expect(outsideSections).not.toContain("<script");
});

function findCounts(xml: string): Record<string, string | undefined> | undefined {
  return /<testsuites [^>]*tests="(?<tests>\d+)" failures="(?<failures>\d+)" errors="(?<errors>\d+)" skipped="(?<skipped>\d+)"/.exec(
    xml,
  )?.groups;
}

function makeFinding(where: string, received: string): Finding {
  return { ...finding(), where, received };
}
