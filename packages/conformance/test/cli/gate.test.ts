import { join } from "node:path";
import { expect, test } from "vitest";
import { register } from "../../src/cli/gate.ts";
import { decideGate } from "../../src/baseline/gate.ts";
import type { Report } from "../../src/report/report.ts";
import { commandHere } from "./command-here.ts";
import { ownFolder } from "./own-folder.ts";
import { check, failing, knownCheck, makeReport, skippedCheck } from "../report/reports.ts";

const good = makeReport();
const bad = failing();
const mock = makeReport({ target: { ...good.target, kind: "mock", name: "prism" } });
const interrupted = makeReport({ run: { ...good.run, interrupted: true } });
const selected = makeReport({ run: { ...good.run, checks: { selected: 1, all: 2 } } });
const unfinished = makeReport({ verdict: "unfinished", exitCode: 3, sentence: "Unfinished: 1 could not be judged." });
const nothing = makeReport({ verdict: "nothing-checked", exitCode: 2, sentence: "Nothing was checked.", checks: [] });
const known = makeReport({ checks: [knownCheck()] });
const assumed: Report = { ...failing({ level: "assumed" }), verdict: "conforming" };
const stale = makeReport({
  expectationProblems: [
    { id: "a", kind: "stale", sentence: "a holds now; remove the entry." },
    { id: "b", kind: "unknown", sentence: "b" },
  ],
});

/** Reports, each with its baseline, the exit code, and a part of the sentence that tells the reason. */
const cases: readonly (readonly [name: string, report: Report, baseline: Report | null, code: number, says: string])[] =
  [
    ["a conforming target goes through", good, null, 0, "conforming: all 1 stated"],
    ["one that does not conform does not", bad, null, 1, "not conforming: 1 of 1"],
    ["nothing checked is nothing decided", nothing, null, 2, "nothing was checked"],
    ["a run that is unfinished closes", unfinished, null, 3, "unfinished: 1 could not"],
    ["a mock releases nothing", mock, null, 2, "--allow-mock"],
    ["an interrupted run closes, though all that it saw holds", interrupted, null, 3, "the run was interrupted"],
    ["a selection of the checks decides nothing", selected, null, 2, "the run judged only a selection"],
    ["expected failures that need attention close", stale, null, 1, "a holds now; remove the entry, and 1 more"],
    ["the same as the baseline is enough", good, good, 0, "nothing fails"],
    ["failures that the baseline has as well do not close", bad, bad, 0, "1 check fails as in the baseline"],
    ["a new failure closes", bad, good, 1, "scrape/markdown-present (scrape.response.markdown.required)"],
    ["a new failure that only warns does not close", assumed, good, 0, "nothing fails"],
    ["a check that is no longer judged closes", makeReport({ checks: [skippedCheck()] }), good, 1, "not in this run"],
    ["a failure stays though nobody looks", makeReport({ checks: [check("a")] }), bad, 1, "scrape/markdown-present"],
    ["an unfinished run closes, whatever the baseline", unfinished, good, 3, "unfinished: 1 could not"],
    ["expected failures close, whatever the baseline", stale, stale, 1, "a holds now; remove the entry, and 1 more"],
    ["an interrupted run closes, whatever the baseline", interrupted, good, 3, "the run was interrupted"],
    ["an interrupted baseline is none", good, interrupted, 2, "the baseline was interrupted"],
    ["a baseline of a selection is none", good, selected, 2, "the baseline judged only a selection"],
    ["a mock is no baseline", good, mock, 2, "the baseline is the report of a mock"],
    ["fixed is good", good, bad, 0, "nothing fails"],
    ["what fails as expected is open, and told", known, good, 0, "1 check fails as in the baseline, or as expected"],
  ];
test.for(cases)("%s", ([, report, baseline, code, says]) => {
  const { exitCode, sentence } = decideGate(report, baseline ? { baseline } : {});
  expect(exitCode).toBe(code);
  expect(sentence).toMatch(code === 0 ? /^Open: .*\.$/ : /^Closed: .*\.$/);
  expect(sentence).toContain(says);
});

const folder = ownFolder();

test.for<[number, ...string[]]>([
  [0, "good"],
  [1, "bad"],
  [0, "bad", "--baseline", "bad"],
  [2, "mock"],
  [0, "mock", "--allow-mock"],
])("the command prints one sentence and ends with %i: %s %s %s", async ([code, ...args]) => {
  for (const [name, report] of Object.entries({ good, bad, mock })) folder.write(name, report);
  const paths = args.map((arg) => (arg.startsWith("-") ? arg : join(folder.path, arg)));
  expect(await commandHere(register, "gate", ...paths)).toEqual({ code, stdout: expect.stringMatching(/^.+\n$/) });
});
