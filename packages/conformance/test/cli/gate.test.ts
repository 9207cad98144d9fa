import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { register } from "../../src/cli/gate.ts";
import { decideGate } from "../../src/baseline/gate.ts";
import type { Report } from "../../src/report/report.ts";
import { commandHere } from "./command-here.ts";
import { check, failedCheck, failing, makeReport, skippedCheck } from "../report/reports.ts";

const good = makeReport();
const bad = failing();
const mock = makeReport({ target: { ...good.target, kind: "mock", name: "prism" } });
const interrupted = makeReport({ run: { ...good.run, interrupted: true } });
const selected = makeReport({ run: { ...good.run, checks: { selected: 1, all: 2 } } });
const unfinished = makeReport({
  verdict: "unfinished",
  exitCode: 3,
  sentence: "Unfinished: 1 checks could not be judged.",
});
const nothing = makeReport({ verdict: "nothing-checked", exitCode: 2, sentence: "Nothing was checked.", checks: [] });
const stale = makeReport({
  expectationProblems: [
    { id: "a", kind: "stale", sentence: "a is expected to fail, but holds now; remove the entry." },
    { id: "b", kind: "unknown", sentence: "b" },
  ],
});

describe("without a baseline,", () => {
  const cases: readonly (readonly [name: string, report: Report, code: number, says: string, allowMock?: boolean])[] = [
    ["a conforming target goes through", good, 0, "Open: conforming: all 1 stated checks that could be judged hold."],
    ["one that does not conform does not", bad, 1, "Closed: not conforming: 1 of 1 stated checks fails."],
    ["nothing checked is nothing decided", nothing, 2, "Closed: nothing was checked."],
    ["a run that is unfinished closes", unfinished, 3, "Closed: unfinished: 1 checks could not be judged."],
    [
      "a mock releases nothing",
      mock,
      2,
      "Closed: the report is of a mock, which does not decide on a release (--allow-mock accepts it).",
    ],
    [
      "a mock is accepted with allowMock",
      mock,
      0,
      "Open: conforming: all 1 stated checks that could be judged hold.",
      true,
    ],
    ["an interrupted run closes, though all that it saw holds", interrupted, 3, "Closed: the run was interrupted."],
    [
      "a selection of the checks decides nothing",
      selected,
      2,
      "Closed: the run judged only a selection of the checks (--only, --skip).",
    ],
    [
      "expected failures that need attention close",
      stale,
      1,
      "Closed: a is expected to fail, but holds now; remove the entry, and 1 more of the expected failures need attention.",
    ],
  ];
  test.for(cases)("%s", ([, report, code, says, allowMock]) => {
    expect(decideGate(report, allowMock === true ? { allowMock } : {})).toEqual({ exitCode: code, sentence: says });
  });
});

describe("with a baseline,", () => {
  const cases: readonly (readonly [name: string, report: Report, baseline: Report, code: number, says: string])[] = [
    ["the same is enough", good, good, 0, "Open: nothing fails."],
    [
      "failures that it has as well do not close",
      bad,
      bad,
      0,
      "Open: 1 check fails as in the baseline, or as expected, and no other.",
    ],
    [
      "a new failure closes",
      bad,
      good,
      1,
      "Closed: new failure since the baseline: scrape/markdown-present (scrape.response.markdown.required).",
    ],
    [
      "a new failure that only warns does not close",
      { ...failing({ level: "assumed" }), verdict: "conforming" },
      good,
      0,
      "Open: nothing fails.",
    ],
    [
      "a check that is no longer judged closes",
      makeReport({ checks: [check("a"), skippedCheck()] }),
      good,
      1,
      "Closed: judged in the baseline, but not in this run: scrape/markdown-present.",
    ],
    [
      "a failure does not go away by not being looked at",
      makeReport({ checks: [check("a")] }),
      bad,
      1,
      "Closed: judged in the baseline, but not in this run: scrape/markdown-present.",
    ],
    ["an unfinished run closes", unfinished, good, 3, "Closed: unfinished: 1 checks could not be judged."],
    [
      "expected failures that need attention close",
      stale,
      stale,
      1,
      "Closed: a is expected to fail, but holds now; remove the entry, and 1 more of the expected failures need attention.",
    ],
    ["an interrupted run closes", interrupted, good, 3, "Closed: the run was interrupted."],
    ["an interrupted baseline is none", good, interrupted, 2, "Closed: the run of the baseline was interrupted."],
    [
      "a baseline of a selection is none",
      good,
      selected,
      2,
      "Closed: the baseline judged only a selection of the checks.",
    ],
    ["a mock is no baseline", good, mock, 2, "Closed: the baseline is the report of a mock (--allow-mock accepts it)."],
    ["fixed is good", good, bad, 0, "Open: nothing fails."],
    [
      "what fails as expected is open, and told",
      makeReport({
        checks: [{ ...failedCheck(), expected: { id: "a", reason: "r", owner: "o", expires: "2026-12-31" } }],
      }),
      good,
      0,
      "Open: 1 check fails as in the baseline, or as expected, and no other.",
    ],
  ];
  test.for(cases)("%s", ([, report, baseline, code, says]) => {
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
