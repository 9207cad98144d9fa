import { describe, expect, test } from "vitest";
import { compareReports } from "../../src/baseline/compare.ts";
import { renderComparison } from "../../src/baseline/comparison-text.ts";
import type { CheckResult, Observation, Report } from "../../src/report/report.ts";
import {
  acting,
  check,
  erroredCheck,
  failedCheck,
  finding,
  hostile,
  hostileReport,
  knownCheck,
  makeReport,
  reading,
  skippedCheck,
  warnedCheck,
} from "../report/reports.ts";

/** Results of one check, each in a word. */
const results = {
  missing: [],
  passes: [check("a")],
  fails: [failedCheck("a")],
  skipped: [skippedCheck("a")],
  errs: [erroredCheck("a")],
  expected: [knownCheck("a")],
  "fails wider": [{ ...failedCheck("a"), findings: [finding(), { ...finding(), requirement: "other.requirement" }] }],
  "assumed passes": [{ ...check("a"), level: "assumed" }],
  "assumed fails": [warnedCheck("a")],
} as const satisfies Record<string, readonly CheckResult[]>;
type Word = keyof typeof results;

/** A row of a list of a comparison. */
type Row = string | { readonly check: string };

describe("of a check", () => {
  const cases: readonly (readonly [name: string, old: Word, now: Word, lists: string, worse: boolean])[] = [
    ["that passes in both, nothing is told", "passes", "passes", "", false],
    ["that passed and fails, the failure is new", "passes", "fails", "newFailures", true],
    [
      "that only warned and decides now, the failure is new",
      "assumed fails",
      "fails",
      "newFailures stillFailing",
      true,
    ],
    ["that was skipped and fails, the failure is new", "skipped", "fails", "newFailures newlyChecked", true],
    ["that was not there and fails, the failure is new", "missing", "fails", "newFailures newlyChecked", true],
    ["that fails in both, the failure is as before", "fails", "fails", "stillFailing", false],
    ["that fails on one more requirement, it is new", "fails", "fails wider", "newFailures stillFailing", true],
    ["that failed and passes, it is fixed", "fails", "passes", "fixed", false],
    ["that failed and is skipped, it is no longer checked", "fails", "skipped", "noLongerChecked", true],
    ["that passed and can't be judged, it is no longer checked", "passes", "errs", "noLongerChecked", true],
    ["that passed and is gone, it is no longer checked", "passes", "missing", "noLongerChecked", true],
    ["that was skipped and is gone, nothing is told", "skipped", "missing", "", false],
    ["that is new and passes, it is newly checked", "missing", "passes", "newlyChecked", false],
    ["that only warns, a failure is told, not worse", "assumed passes", "assumed fails", "newFailures", false],
    ["that only warns and is gone, it is told, not worse", "assumed passes", "missing", "noLongerChecked", false],
    ["that passed and fails as expected, it is expected now", "passes", "expected", "newlyExpected", false],
    ["that failed as expected and is expected no more, it is new", "expected", "fails", "newFailures", true],
  ];
  test.for(cases)("%s", ([, old, now, lists, worse]) => {
    const comparison = compareReports(makeReport({ checks: results[old] }), makeReport({ checks: results[now] }));
    const rows = Object.entries(comparison).flatMap(([name, list]) =>
      Array.isArray(list) ? list.map((row: Row) => `${name}: ${typeof row === "string" ? row : row.check}`) : [],
    );
    expect(rows.toSorted()).toEqual((lists.match(/\w+/g) ?? []).map((name) => `${name}: a`).toSorted());
    expect(comparison.worse).toBe(worse);
  });
});

test("a verdict that is no longer conforming is worse, whatever the checks say", () => {
  const now = makeReport({ verdict: "not-conforming", exitCode: 1 });
  expect(compareReports(makeReport(), now)).toMatchObject({
    worse: true,
    sentence: "Worse: the verdict is not-conforming.",
  });
});

test("observations are told by the values that came and went, and are never worse", () => {
  const old = makeReport({
    observations: [
      makeObservation("same", "1", "2"),
      makeObservation("changed", "404", "410"),
      makeObservation("gone", "x"),
    ],
  });
  const now = makeReport({
    observations: [
      makeObservation("came", "y"),
      makeObservation("changed", "404", "422"),
      makeObservation("same", "2", "1"),
    ],
  });
  const { observations, worse } = compareReports(old, now);
  expect(observations.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: "came", text: "t", came: ["y"], went: [] },
    { id: "changed", text: "t", came: ["422"], went: ["410"] },
    { id: "gone", text: "t", came: [], went: ["x"] },
  ]);
  expect(worse).toBe(false);
});

describe("differences that make reports less comparable are named:", () => {
  const report = makeReport();
  const { run, suite, target } = report;
  const pinned = { ...reading(), by: "pinned" as const };
  const selection = { selected: 1, all: 2 };
  const cases: readonly (readonly [name: string, changes: Partial<Report>, says: string])[] = [
    ["another target", { target: { ...target, name: "b" } }, "The targets differ: http://target.example, now b."],
    ["another suite", { suite: { ...suite, version: "9" } }, "The versions of the suite differ: 0.1.0, now 9."],
    ["another contract", { suite: { ...suite, contract: "2" } }, "The versions of the contract differ: 1.4.40, now 2."],
    ["another profile", { run: { ...run, profile: "full" } }, "The profiles differ: free, now full."],
    ["another reading", { readings: [pinned] }, "differ: the defaults, now events.unknown-type=open."],
    ["an interrupted run", { run: { ...run, interrupted: true } }, "The new run was interrupted."],
    ["a selection", { run: { ...run, checks: selection } }, "The new run judged a selection of the checks."],
    ["the wrong order", { startedAt: "2020-01-01T00:00:00Z" }, "wrong order"],
  ];
  test.for(cases)("%s", ([, changes, says]) => {
    expect(compareReports(report, { ...report, ...changes }).notes.join()).toContain(says);
    expect(compareReports(report, report).notes).toEqual([]);
  });
});

test("the text begins with the sentence, and says what came, what went and what got lost", () => {
  const text = renderComparison(
    compareReports(
      makeReport({
        checks: [check("a"), check("b"), failedCheck("c")],
        observations: [{ id: "o", text: "t", operation: "none", values: ["404"], exchanges: [] }],
      }),
      makeReport({ checks: [failedCheck("a"), skippedCheck("b"), check("c")] }),
    ),
  );
  expect(text).toMatch(/^Worse: 1 new failure, 1 check that is no longer judged, 1 fixed\.\n/);
  for (const part of [
    "New failures (1)\n  a\n    requirement scrape.response.markdown.required\n    body /markdown: expected a string, received nothing",
    "No longer checked (1)\n  b\n    No session.",
    "Fixed (1)\n  c",
    "Observed otherwise (1)\n  o\n    - 404",
  ]) {
    expect(text).toContain(part);
  }
});

test("the text is safe in a terminal, whatever a target put into the reports", () => {
  const text = renderComparison(compareReports(makeReport({ checks: [check(), check(hostile)] }), hostileReport()));
  expect(text).not.toMatch(acting);
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(1500);
});

function makeObservation(id: string, ...values: string[]): Observation {
  return { id, text: "t", operation: "none", values, exchanges: ["x"] };
}
