import { describe, expect, test } from "vitest";
import { applyExpectedFailures, parseExpectedFailures } from "../../src/baseline/expected-failures.ts";
import type { CheckResult, ExpectedFailure } from "../../src/report/report.ts";
import { entry, good, results, today } from "./failure-entries.ts";

describe("a file is read:", () => {
  const whole = { id: "scrape/a", reason: "r", owner: "o", expires: "2026-12-31" };
  test.for([
    { name: "YAML", text: good, want: [{ ...whole, reason: "The new renderer drops it.", owner: "team-pages" }] },
    { name: "JSON", text: JSON.stringify([whole], null, 2), want: [whole] },
    { name: "quoted days", text: '- {id: scrape/a, reason: r, owner: o, expires: "2026-12-31"}', want: [whole] },
    {
      name: "the twenty-ninth of February",
      text: "- {id: a, reason: r, owner: o, expires: 2028-02-29}",
      want: [{ ...whole, id: "a", expires: "2028-02-29" }],
    },
    { name: "an empty file", text: "", want: [] },
    { name: "comments alone", text: "# nothing yet\n", want: [] },
    { name: "an empty list", text: "[]\n", want: [] },
  ])("$name", ({ text, want }) => {
    expect(parseExpectedFailures(text)).toEqual({ entries: want, mistakes: [] });
  });
});

describe("a mistake is told in a sentence, with its line:", () => {
  const cases: readonly { name: string; text: string; says: string }[] = [
    {
      name: "no reason",
      text: `\n${good.replace(/ {2}reason.*\n/, "")}`,
      says: "Line 3: the entry scrape/a has no `reason`: say why it fails.",
    },
    {
      name: "an empty reason",
      text: good.replace(/reason.*\n/, "reason:\n"),
      says: "Line 2: the entry scrape/a has no `reason`: say why it fails.",
    },
    {
      name: "no owner",
      text: good.replace(/ {2}owner.*\n/, ""),
      says: "Line 2: the entry scrape/a has no `owner`: say who is to fix it.",
    },
    {
      name: "no day",
      text: good.replace(/ {2}expires.*\n/, ""),
      says: "Line 2: the entry scrape/a has no `expires`: give the last day on which it is valid, as YYYY-MM-DD.",
    },
    {
      name: "no id",
      text: good.replace("id: scrape/a", "id: ' '"),
      says: "Line 2: the entry has no `id`: name the check or the requirement.",
    },
    {
      name: "a day that is none",
      text: good.replace("2026-12-31", "2026-02-30"),
      says: 'Line 2: the entry scrape/a expires on "2026-02-30", which is not a valid date: give the last day on which it is valid, as YYYY-MM-DD.',
    },
    {
      name: "a day in other words",
      text: good.replace("2026-12-31", "next week"),
      says: 'Line 2: the entry scrape/a expires on "next week", which is not a valid date: give the last day on which it is valid, as YYYY-MM-DD.',
    },
    {
      name: "a day with a time",
      text: good.replace("2026-12-31", "2026-12-31T10:00:00Z"),
      says: 'Line 2: the entry scrape/a expires on "2026-12-31T10:00:00Z", which is not a valid date: give the last day on which it is valid, as YYYY-MM-DD.',
    },
    {
      name: "a number for a text",
      text: good.replace("team-pages", "7"),
      says: "Line 2: the entry scrape/a has a `owner` that is not a string: say who is to fix it.",
    },
    {
      name: "an unknown key",
      text: good.replace("owner:", "ownr: x\n  owner:"),
      says: "Line 2: the entry scrape/a has the unknown key `ownr`; use id, reason, owner, expires.",
    },
    {
      name: "a key of the prototype",
      text: good.replace("owner:", "__proto__: x\n  owner:"),
      says: "Line 2: the entry scrape/a has the unknown key `__proto__`; use id, reason, owner, expires.",
    },
    {
      name: "a second entry for the same id",
      text: good + good,
      says: "Line 7: scrape/a repeats the entry in line 2; keep one of them.",
    },
    {
      name: "an entry that is text",
      text: "- scrape/a\n",
      says: "Line 1: this is not an entry; write `id`, `reason`, `owner` and `expires`.",
    },
    {
      name: "no list",
      text: "scrape/a: known\n",
      says: "The file is not a list; write entries that begin with `- id:`.",
    },
    { name: "no YAML", text: "- id: [\n", says: "Line 2: " },
    {
      name: "the same key twice",
      text: good.replace("owner:", "owner: x\n  owner:"),
      says: "Line 5: Map keys must be unique.",
    },
  ];
  test.for(cases)("$name", ({ text, says }) => {
    const { mistakes } = parseExpectedFailures(text);
    expect(mistakes.join("\n")).toContain(says);
    expect(mistakes).toHaveLength(1);
  });
});

describe("applied to a run,", () => {
  const cases: readonly {
    name: string;
    given: CheckResult[];
    entries: ExpectedFailure[];
    expected: string[];
    problems: string[];
  }[] = [
    {
      name: "an entry covers the check that it names",
      given: results("a fail r1"),
      entries: [entry("a")],
      expected: ["a by a"],
      problems: [],
    },
    {
      name: "an entry covers all findings of its check",
      given: results("wide fail r1 r2"),
      entries: [entry("wide")],
      expected: ["wide by wide"],
      problems: [],
    },
    {
      name: "an entry covers the findings of the requirement that it names, in every check",
      given: results("a fail r1", "b fail r1"),
      entries: [entry("r1")],
      expected: ["a by r1", "b by r1"],
      problems: [],
    },
    {
      name: "an entry with a requirement covers no finding of another one",
      given: results("wide fail r1 r2"),
      entries: [entry("r1")],
      expected: [],
      problems: [],
    },
    {
      name: "entries cover a check together, and the one that expires first is told",
      given: results("wide fail r1 r2"),
      entries: [entry("r1"), entry("r2", "2026-12-01")],
      expected: ["wide by r2"],
      problems: [],
    },
    {
      name: "what could not be judged is not expected, and makes no entry stale",
      given: results("a error"),
      entries: [entry("a")],
      expected: [],
      problems: [],
    },
    {
      name: "a skipped check makes no entry stale",
      given: results("a skip"),
      entries: [entry("a")],
      expected: [],
      problems: [],
    },
    {
      name: "an entry is stale when its check passes",
      given: results("a pass"),
      entries: [entry("a")],
      expected: [],
      problems: ["stale"],
    },
    {
      name: "an entry is stale when all checks of its requirement pass",
      given: results("a pass", "b pass"),
      entries: [entry("r1")],
      expected: [],
      problems: ["stale"],
    },
    {
      name: "an entry is not stale while one check of its requirement was left out",
      given: results("a pass", "b skip"),
      entries: [entry("r1")],
      expected: [],
      problems: [],
    },
    {
      name: "an entry is not stale while a check of its requirement fails on another one",
      given: results("a pass", "wide fail r2"),
      entries: [entry("r1"), entry("r2")],
      expected: ["wide by r2"],
      problems: [],
    },
    {
      name: "an entry counts on its last day",
      given: results("a fail r1"),
      entries: [entry("a", today)],
      expected: ["a by a"],
      problems: [],
    },
    {
      name: "an entry covers nothing from the day after its last one",
      given: results("a fail r1"),
      entries: [entry("a", "2026-11-20")],
      expected: [],
      problems: ["expired"],
    },
    {
      name: "an expired entry is told though its check was skipped",
      given: results("a skip"),
      entries: [entry("a", "2026-11-20")],
      expected: [],
      problems: ["expired"],
    },
    {
      name: "an expired entry whose check passes is stale",
      given: results("a pass"),
      entries: [entry("a", "2026-11-20")],
      expected: [],
      problems: ["stale"],
    },
    {
      name: "an entry that names nothing is unknown",
      given: results("a fail r1"),
      entries: [entry("b")],
      expected: [],
      problems: ["unknown"],
    },
    {
      name: "an expired entry that names nothing is unknown",
      given: results("a fail r1"),
      entries: [entry("b", "2020-01-01")],
      expected: [],
      problems: ["unknown"],
    },
    {
      name: "a check that only warns can be expected, too",
      given: results("assumed fail r1"),
      entries: [entry("assumed")],
      expected: ["assumed by assumed"],
      problems: [],
    },
  ];
  test.for(cases)("$name", ({ given, entries, expected, problems }) => {
    const applied = applyExpectedFailures(given, entries, today);
    expect(applied.checks.flatMap(({ id, expected: by }) => (by ? `${id} by ${by.id}` : []))).toEqual(expected);
    expect(applied.problems.map(({ kind }) => kind)).toEqual(problems);
    expect(applied.checks.map(({ status }) => status)).toEqual(given.map(({ status }) => status));
  });

  test("each kind of problem has a sentence of its own", () => {
    const entries = [entry("a"), entry("b", "2026-11-20"), entry("c")];
    const { problems } = applyExpectedFailures(results("a pass", "b fail r1"), entries, today);
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      "a is expected to fail, but holds now; remove the entry.",
      "b was expected to fail until 2026-11-20 (known); team is to fix it, or to set a later date.",
      "c is expected to fail, but no check has this id or judges it; correct it, or remove the entry.",
    ]);
  });
});
