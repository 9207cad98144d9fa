import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { renderTerminal } from "../../src/report/terminal.ts";
import {
  acting,
  check,
  failedCheck,
  failing,
  failingWith,
  finding,
  hostile,
  hostileReport,
  knownCheck,
  makeReport,
  reading,
  staleEntry,
} from "./reports.ts";
import type { Report } from "../../src/report/report.ts";

function formatText(report: Report): string {
  return stripVTControlCharacters(renderTerminal(report));
}

test("shows a failure with the requirement, what was expected and received, and the command that reproduces it", () => {
  expect(formatText(failing())).toContain(
    [
      "FAIL scrape/markdown-present  `markdown` is there.",
      "     requirement scrape.response.markdown.required  (Resources and their fields / DataSpace)",
      "     where       body /markdown",
      "     expected    a string",
      "     received    nothing",
      "     exchange    scrape/defaults",
      "     reproduce   curl -i -sS -N",
    ].join("\n"),
  );
});

test("shows a failure that only warns as a warning, with its command", () => {
  expect(formatText(failing({ level: "assumed" }))).toMatch(/WARN scrape\/markdown-present[^]*reproduce {3}curl/);
});

test("shows a failure that is expected in one line, and gives its group a tick", () => {
  const text = formatText(makeReport({ checks: [knownCheck(), check("scrape/b")] }));
  expect(text).toContain("KNOWN scrape/markdown-present  until 2026-12-31, team: the new renderer");
  expect(text).not.toContain("FAIL scrape");
  expect(text).toContain("✓ scrape");
});

test("shows entries of the expected failures that need attention", () => {
  const text = formatText(makeReport({ expectationProblems: [staleEntry] }));
  expect(text).toContain("FAIL expected failures  scrape/b holds now.");
});

test("shows a long command nowhere, and says where it is", () => {
  expect(formatText(failingWith("x".repeat(3000)))).toContain("reproduce   the command is long; it is in report.html");
});

test("keeps every value of a target on its line, where it acts neither on a terminal nor on a CI service", () => {
  const report = hostileReport();
  const commands = { ...finding(), received: "a\n::error::x\n##[error]y\n##vso[task.complete]z" };
  const text = formatText({ ...report, checks: [...report.checks, { ...failedCheck("b"), findings: [commands] }] });
  expect(text).not.toMatch(acting);
  expect(text).not.toMatch(/^\s*::/m);
  expect(text).not.toMatch(/##(vso)?\[/);
  expect(text).toContain("received    a‹U+000A›::error::x‹U+000A›##‹›[error]y‹U+000A›##‹›vso[task.complete]z");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(hostile.length * 100);
});

test("tells the readings that the verdict rests on, and those with which it would be another", () => {
  const readings = [reading(), { ...reading(), id: "b", by: "pinned" as const, others: [] }];
  expect(formatText(makeReport({ readings }))).toContain(
    [
      "The verdict rests on 2 readings of ambiguous sentences: with b=open, and each other with its default.",
      "  with events.unknown-type=closed it would be: not conforming",
    ].join("\n"),
  );
  expect(formatText(makeReport())).not.toContain("readings");
});
