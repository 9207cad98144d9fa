import { describe, expect, test } from "vitest";
import { compareReports } from "../../src/baseline/compare.ts";
import { renderComparison } from "../../src/baseline/comparison-text.ts";
import type { CheckResult, Observation, Report } from "../../src/report/report.ts";
import {
  acting,
  check,
  failedCheck,
  finding,
  hostile,
  hostileReport,
  reading,
  reportOf,
  skippedCheck,
} from "../report/reports.ts";

const expected = { id: "a", reason: "known", owner: "team", expires: "2026-12-31" };

function assumed(result: CheckResult): CheckResult {
  return { ...result, level: "assumed" };
}

function errored(id: string): CheckResult {
  return { ...check(id), status: "error", reason: "reset" };
}

function onAnother(id: string): CheckResult {
  return { ...failedCheck(id), findings: [finding(), { ...finding(), requirement: "other.requirement" }] };
}

describe("of a check", () => {
  const cases: readonly {
    name: string;
    old: CheckResult[];
    now: CheckResult[];
    want: Record<string, unknown>;
    worse: boolean;
  }[] = [
    { name: "that passes in both, nothing is told", old: [check("a")], now: [check("a")], want: {}, worse: false },
    {
      name: "that passed and fails, the failure is new",
      old: [check("a")],
      now: [failedCheck("a")],
      want: { newFailures: ["a"] },
      worse: true,
    },
    {
      name: "that only warned and decides now, the failure is new",
      old: [assumed(failedCheck("a"))],
      now: [failedCheck("a")],
      want: { newFailures: ["a"], stillFailing: ["a"] },
      worse: true,
    },
    {
      name: "that was skipped and fails, the failure is new",
      old: [skippedCheck("a")],
      now: [failedCheck("a")],
      want: { newFailures: ["a"], newlyChecked: ["a"] },
      worse: true,
    },
    {
      name: "that was not there and fails, the failure is new",
      old: [],
      now: [failedCheck("a")],
      want: { newFailures: ["a"], newlyChecked: ["a"] },
      worse: true,
    },
    {
      name: "that fails in both, the failure is as before",
      old: [failedCheck("a")],
      now: [failedCheck("a")],
      want: { stillFailing: ["a"] },
      worse: false,
    },
    {
      name: "that fails on one more requirement, the failure is new",
      old: [failedCheck("a")],
      now: [onAnother("a")],
      want: { newFailures: ["a"], stillFailing: ["a"] },
      worse: true,
    },
    {
      name: "that failed and passes, it is fixed",
      old: [failedCheck("a")],
      now: [check("a")],
      want: { fixed: ["a"] },
      worse: false,
    },
    {
      name: "that failed and is skipped, it is not fixed but no longer checked",
      old: [failedCheck("a")],
      now: [skippedCheck("a")],
      want: { noLongerChecked: ["a"] },
      worse: true,
    },
    {
      name: "that passed and can't be judged, it is no longer checked",
      old: [check("a")],
      now: [errored("a")],
      want: { noLongerChecked: ["a"] },
      worse: true,
    },
    {
      name: "that passed and is gone, it is no longer checked",
      old: [check("a")],
      now: [],
      want: { noLongerChecked: ["a"] },
      worse: true,
    },
    {
      name: "that was skipped and is gone, nothing is told",
      old: [skippedCheck("a")],
      now: [],
      want: {},
      worse: false,
    },
    {
      name: "that is new and passes, it is newly checked",
      old: [],
      now: [check("a")],
      want: { newlyChecked: ["a"] },
      worse: false,
    },
    {
      name: "that only warns, a new failure is told and is not worse",
      old: [assumed(check("a"))],
      now: [assumed(failedCheck("a"))],
      want: { newFailures: ["a"] },
      worse: false,
    },
    {
      name: "that only warns and is gone, it is told and not worse",
      old: [assumed(check("a"))],
      now: [],
      want: { noLongerChecked: ["a"] },
      worse: false,
    },
    {
      name: "that passed and fails as expected, it is expected now",
      old: [check("a")],
      now: [{ ...failedCheck("a"), expected }],
      want: { newlyExpected: ["a"] },
      worse: false,
    },
    {
      name: "that failed as expected and is expected no more, the failure is new",
      old: [{ ...failedCheck("a"), expected }],
      now: [failedCheck("a")],
      want: { newFailures: ["a"] },
      worse: true,
    },
  ];
  test.for(cases)("$name", ({ old, now, want, worse }) => {
    const comparison = compareReports(reportOf({ checks: old }), reportOf({ checks: now }));
    const { newFailures, noLongerChecked, fixed, stillFailing, newlyExpected, newlyChecked } = comparison;
    const told = {
      newFailures: ids(newFailures),
      noLongerChecked: ids(noLongerChecked),
      fixed,
      stillFailing,
      newlyExpected,
      newlyChecked,
    };
    expect(Object.fromEntries(Object.entries(told).filter(([, rows]) => rows.length > 0))).toEqual(want);
    expect(comparison.worse).toBe(worse);
  });
});

test("a verdict that is no longer conforming is worse, whatever the checks say", () => {
  const now = reportOf({ verdict: "not-conforming", exitCode: 1 });
  expect(compareReports(reportOf(), now)).toMatchObject({
    worse: true,
    sentence: "Worse: the verdict is not-conforming.",
  });
});

test("observations are told by the values that came and went, and are never worse", () => {
  const old = reportOf({ observations: [row("same", "1", "2"), row("changed", "404", "410"), row("gone", "x")] });
  const now = reportOf({ observations: [row("came", "y"), row("changed", "404", "422"), row("same", "2", "1")] });
  const { observations, worse } = compareReports(old, now);
  expect(observations.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: "came", text: "t", came: ["y"], went: [] },
    { id: "changed", text: "t", came: ["422"], went: ["410"] },
    { id: "gone", text: "t", came: [], went: ["x"] },
  ]);
  expect(worse).toBe(false);
});

describe("differences that make reports less comparable are named:", () => {
  const given = reportOf();
  const cases: readonly { name: string; now: Report; says: string }[] = [
    {
      name: "another target",
      now: { ...given, target: { ...given.target, name: "b" } },
      says: "The targets differ: http://target.example, now b.",
    },
    {
      name: "another suite",
      now: { ...given, suite: { ...given.suite, version: "9" } },
      says: "The versions of the suite differ: 0.1.0, now 9.",
    },
    {
      name: "another contract",
      now: { ...given, suite: { ...given.suite, contract: "2" } },
      says: "The versions of the contract differ: 1.4.40, now 2.",
    },
    {
      name: "another profile",
      now: { ...given, run: { ...given.run, profile: "full" } },
      says: "The profiles differ: free, now full.",
    },
    {
      name: "another reading",
      now: { ...given, readings: [{ ...reading(), by: "pinned" }] },
      says: "The readings differ: the defaults, now events.unknown-type=open.",
    },
    {
      name: "an interrupted run",
      now: { ...given, run: { ...given.run, interrupted: true } },
      says: "The new run was interrupted.",
    },
    {
      name: "a selection",
      now: { ...given, run: { ...given.run, checks: { selected: 1, all: 2 } } },
      says: "The new run judged a selection of the checks.",
    },
    { name: "the wrong order", now: { ...given, startedAt: "2020-01-01T00:00:00Z" }, says: "wrong order" },
  ];
  test.for(cases)("$name", ({ now, says }) => {
    expect(compareReports(given, now).notes.join()).toContain(says);
    expect(compareReports(given, given).notes).toEqual([]);
  });
});

test("the text begins with the sentence, and says what came, what went and what got lost", () => {
  const text = renderComparison(
    compareReports(
      reportOf({
        checks: [check("a"), check("b"), failedCheck("c")],
        observations: [{ id: "o", text: "t", operation: "none", values: ["404"], exchanges: [] }],
      }),
      reportOf({ checks: [failedCheck("a"), skippedCheck("b"), check("c")] }),
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
  const text = renderComparison(compareReports(reportOf({ checks: [check(), check(hostile)] }), hostileReport()));
  expect(text).not.toMatch(acting);
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(1500);
});

function ids(rows: readonly { check: string }[]): string[] {
  return rows.map((one) => one.check);
}

function row(id: string, ...values: string[]): Observation {
  return { id, text: "t", operation: "none", values, exchanges: ["x"] };
}
