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
  const cases: readonly (readonly [name: string, text: string, says: string])[] = [
    [
      "no reason",
      `\n${good.replace(/ {2}reason.*\n/, "")}`,
      "Line 3: the entry scrape/a has no `reason`: say why it fails.",
    ],
    [
      "an empty reason",
      good.replace(/reason.*\n/, "reason:\n"),
      "Line 2: the entry scrape/a has no `reason`: say why it fails.",
    ],
    ["no owner", good.replace(/ {2}owner.*\n/, ""), "Line 2: the entry scrape/a has no `owner`: say who is to fix it."],
    [
      "no day",
      good.replace(/ {2}expires.*\n/, ""),
      "Line 2: the entry scrape/a has no `expires`: give the last day on which it is valid, as YYYY-MM-DD.",
    ],
    [
      "no id",
      good.replace("id: scrape/a", "id: ' '"),
      "Line 2: the entry has no `id`: name the check or the requirement.",
    ],
    [
      "a day that is none",
      good.replace("2026-12-31", "2026-02-30"),
      'Line 2: the entry scrape/a expires on "2026-02-30", which is not a valid date: give the last day on which it is valid, as YYYY-MM-DD.',
    ],
    [
      "a day in other words",
      good.replace("2026-12-31", "next week"),
      'Line 2: the entry scrape/a expires on "next week", which is not a valid date: give the last day on which it is valid, as YYYY-MM-DD.',
    ],
    [
      "a day with a time",
      good.replace("2026-12-31", "2026-12-31T10:00:00Z"),
      'Line 2: the entry scrape/a expires on "2026-12-31T10:00:00Z", which is not a valid date: give the last day on which it is valid, as YYYY-MM-DD.',
    ],
    [
      "a number for a text",
      good.replace("team-pages", "7"),
      "Line 2: the entry scrape/a has a `owner` that is not a string: say who is to fix it.",
    ],
    [
      "an unknown key",
      good.replace("owner:", "ownr: x\n  owner:"),
      "Line 2: the entry scrape/a has the unknown key `ownr`; use id, reason, owner, expires.",
    ],
    [
      "a key of the prototype",
      good.replace("owner:", "__proto__: x\n  owner:"),
      "Line 2: the entry scrape/a has the unknown key `__proto__`; use id, reason, owner, expires.",
    ],
    ["a second entry for the same id", good + good, "Line 7: scrape/a repeats the entry in line 2; keep one of them."],
    [
      "an entry that is text",
      "- scrape/a\n",
      "Line 1: this is not an entry; write `id`, `reason`, `owner` and `expires`.",
    ],
    ["no list", "scrape/a: known\n", "The file is not a list; write entries that begin with `- id:`."],
    ["no YAML", "- id: [\n", "Line 2: "],
    ["the same key twice", good.replace("owner:", "owner: x\n  owner:"), "Line 5: Map keys must be unique."],
  ];
  test.for(cases)("%s", ([, text, says]) => {
    const { mistakes } = parseExpectedFailures(text);
    expect(mistakes.join("\n")).toContain(says);
    expect(mistakes).toHaveLength(1);
  });
});

describe("applied to a run,", () => {
  const cases: readonly (readonly [
    name: string,
    given: CheckResult[],
    entries: ExpectedFailure[],
    expected: string[],
    problems: string[],
  ])[] = [
    ["an entry covers the check that it names", results("a fail r1"), [entry("a")], ["a by a"], []],
    ["an entry covers all findings of its check", results("wide fail r1 r2"), [entry("wide")], ["wide by wide"], []],
    [
      "an entry covers the findings of the requirement that it names, in every check",
      results("a fail r1", "b fail r1"),
      [entry("r1")],
      ["a by r1", "b by r1"],
      [],
    ],
    ["an entry with a requirement covers no finding of another one", results("wide fail r1 r2"), [entry("r1")], [], []],
    [
      "entries cover a check together, and the one that expires first is told",
      results("wide fail r1 r2"),
      [entry("r1"), entry("r2", "2026-12-01")],
      ["wide by r2"],
      [],
    ],
    ["what could not be judged is not expected, and makes no entry stale", results("a error"), [entry("a")], [], []],
    ["a skipped check makes no entry stale", results("a skip"), [entry("a")], [], []],
    ["an entry is stale when its check passes", results("a pass"), [entry("a")], [], ["stale"]],
    [
      "an entry is stale when all checks of its requirement pass",
      results("a pass", "b pass"),
      [entry("r1")],
      [],
      ["stale"],
    ],
    [
      "an entry is not stale while one check of its requirement was left out",
      results("a pass", "b skip"),
      [entry("r1")],
      [],
      [],
    ],
    [
      "an entry is not stale while a check of its requirement fails on another one",
      results("a pass", "wide fail r2"),
      [entry("r1"), entry("r2")],
      ["wide by r2"],
      [],
    ],
    ["an entry counts on its last day", results("a fail r1"), [entry("a", today)], ["a by a"], []],
    [
      "an entry covers nothing from the day after its last one",
      results("a fail r1"),
      [entry("a", "2026-11-20")],
      [],
      ["expired"],
    ],
    [
      "an expired entry is told though its check was skipped",
      results("a skip"),
      [entry("a", "2026-11-20")],
      [],
      ["expired"],
    ],
    ["an expired entry whose check passes is stale", results("a pass"), [entry("a", "2026-11-20")], [], ["stale"]],
    ["an entry that names nothing is unknown", results("a fail r1"), [entry("b")], [], ["unknown"]],
    [
      "an expired entry that names nothing is unknown",
      results("a fail r1"),
      [entry("b", "2020-01-01")],
      [],
      ["unknown"],
    ],
    [
      "a check that only warns can be expected, too",
      results("assumed fail r1"),
      [entry("assumed")],
      ["assumed by assumed"],
      [],
    ],
  ];
  test.for(cases)("%s", ([, text, entries, expected, problems]) => {
    const applied = applyExpectedFailures(text, entries, today);
    expect(applied.checks.flatMap(({ id, expected: by }) => (by ? `${id} by ${by.id}` : []))).toEqual(expected);
    expect(applied.problems.map(({ kind }) => kind)).toEqual(problems);
    expect(applied.checks.map(({ status }) => status)).toEqual(text.map(({ status }) => status));
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
