import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { register } from "../../src/cli/gate.ts";
import { decideGate } from "../../src/baseline/gate.ts";
import type { Report } from "../../src/report/report.ts";
import { commandHere } from "./command-here.ts";
import { check, failedCheck, failing, reportOf, skippedCheck } from "../report/reports.ts";

const good = reportOf();
const bad = failing();
const mock = reportOf({ target: { ...good.target, kind: "mock", name: "prism" } });
const interrupted = reportOf({ run: { ...good.run, interrupted: true } });
const selected = reportOf({ run: { ...good.run, checks: { selected: 1, all: 2 } } });
const unfinished = reportOf({
  verdict: "unfinished",
  exitCode: 3,
  sentence: "Unfinished: 1 checks could not be judged.",
});
const nothing = reportOf({ verdict: "nothing-checked", exitCode: 2, sentence: "Nothing was checked.", checks: [] });
const stale = reportOf({
  expectationProblems: [
    { id: "a", kind: "stale", sentence: "a is expected to fail, but holds now; remove the entry." },
    { id: "b", kind: "unknown", sentence: "b" },
  ],
});

describe("without a baseline,", () => {
  const cases: readonly { name: string; report: Report; allowMock?: boolean; code: number; says: string }[] = [
    {
      name: "a conforming target goes through",
      report: good,
      code: 0,
      says: "Open: conforming: all 1 stated checks that could be judged hold.",
    },
    {
      name: "one that does not conform does not",
      report: bad,
      code: 1,
      says: "Closed: not conforming: 1 of 1 stated checks fails.",
    },
    { name: "nothing checked is nothing decided", report: nothing, code: 2, says: "Closed: nothing was checked." },
    {
      name: "a run that is unfinished closes",
      report: unfinished,
      code: 3,
      says: "Closed: unfinished: 1 checks could not be judged.",
    },
    {
      name: "a mock releases nothing",
      report: mock,
      code: 2,
      says: "Closed: the report is of a mock, which does not decide on a release (--allow-mock accepts it).",
    },
    {
      name: "a mock is accepted with allowMock",
      report: mock,
      allowMock: true,
      code: 0,
      says: "Open: conforming: all 1 stated checks that could be judged hold.",
    },
    {
      name: "an interrupted run closes, though all that it saw holds",
      report: interrupted,
      code: 3,
      says: "Closed: the run was interrupted.",
    },
    {
      name: "a selection of the checks decides nothing",
      report: selected,
      code: 2,
      says: "Closed: the run judged only a selection of the checks (--only, --skip).",
    },
    {
      name: "expected failures that need attention close",
      report: stale,
      code: 1,
      says: "Closed: a is expected to fail, but holds now; remove the entry, and 1 more of the expected failures need attention.",
    },
  ];
  test.for(cases)("$name", ({ report, allowMock, code, says }) => {
    expect(decideGate(report, allowMock === true ? { allowMock } : {})).toEqual({ exitCode: code, sentence: says });
  });
});

describe("with a baseline,", () => {
  const cases: readonly { name: string; report: Report; baseline: Report; code: number; says: string }[] = [
    { name: "the same is enough", report: good, baseline: good, code: 0, says: "Open: nothing fails." },
    {
      name: "failures that it has as well do not close",
      report: bad,
      baseline: bad,
      code: 0,
      says: "Open: 1 check fails as in the baseline, or as expected, and no other.",
    },
    {
      name: "a new failure closes",
      report: bad,
      baseline: good,
      code: 1,
      says: "Closed: new failure since the baseline: scrape/markdown-present (scrape.response.markdown.required).",
    },
    {
      name: "a new failure that only warns does not close",
      report: { ...failing({ level: "assumed" }), verdict: "conforming" },
      baseline: good,
      code: 0,
      says: "Open: nothing fails.",
    },
    {
      name: "a check that is no longer judged closes",
      report: reportOf({ checks: [check("a"), skippedCheck()] }),
      baseline: good,
      code: 1,
      says: "Closed: judged in the baseline, but not in this run: scrape/markdown-present.",
    },
    {
      name: "a failure does not go away by not being looked at",
      report: reportOf({ checks: [check("a")] }),
      baseline: bad,
      code: 1,
      says: "Closed: judged in the baseline, but not in this run: scrape/markdown-present.",
    },
    {
      name: "an unfinished run closes",
      report: unfinished,
      baseline: good,
      code: 3,
      says: "Closed: unfinished: 1 checks could not be judged.",
    },
    {
      name: "expected failures that need attention close",
      report: stale,
      baseline: stale,
      code: 1,
      says: "Closed: a is expected to fail, but holds now; remove the entry, and 1 more of the expected failures need attention.",
    },
    {
      name: "an interrupted run closes",
      report: interrupted,
      baseline: good,
      code: 3,
      says: "Closed: the run was interrupted.",
    },
    {
      name: "an interrupted baseline is none",
      report: good,
      baseline: interrupted,
      code: 2,
      says: "Closed: the run of the baseline was interrupted.",
    },
    {
      name: "a baseline of a selection is none",
      report: good,
      baseline: selected,
      code: 2,
      says: "Closed: the baseline judged only a selection of the checks.",
    },
    {
      name: "a mock is no baseline",
      report: good,
      baseline: mock,
      code: 2,
      says: "Closed: the baseline is the report of a mock (--allow-mock accepts it).",
    },
    { name: "fixed is good", report: good, baseline: bad, code: 0, says: "Open: nothing fails." },
    {
      name: "what fails as expected is open, and told",
      report: reportOf({
        checks: [{ ...failedCheck(), expected: { id: "a", reason: "r", owner: "o", expires: "2026-12-31" } }],
      }),
      baseline: good,
      code: 0,
      says: "Open: 1 check fails as in the baseline, or as expected, and no other.",
    },
  ];
  test.for(cases)("$name", ({ report, baseline, code, says }) => {
    expect(decideGate(report, { baseline })).toEqual({ exitCode: code, sentence: says });
  });
});

describe("the command", () => {
  test("prints the one sentence and ends with the one code", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gate-"));
    const files: Record<string, Report> = { good, bad, mock };
    for (const [name, report] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(report));
    const rows: readonly { args: string[]; code: number }[] = [
      { args: ["good"], code: 0 },
      { args: ["bad"], code: 1 },
      { args: ["bad", "--baseline", "bad"], code: 0 },
      { args: ["mock"], code: 2 },
      { args: ["mock", "--allow-mock"], code: 0 },
    ];
    for (const { args, code } of rows) {
      const paths = args.map((arg) => (arg in files ? join(folder, arg) : arg));
      expect(await commandHere(register, "gate", ...paths)).toEqual({ code, stdout: expect.stringMatching(/^.+\n$/) });
    }
    rmSync(folder, { recursive: true });
  });
});
