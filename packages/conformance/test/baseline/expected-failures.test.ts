import { describe, expect, test } from "vitest";
import { applyExpectedFailures, parseExpectedFailures } from "../../src/baseline/expected-failures.ts";
import type { ExpectedFailure } from "../../src/report/report.ts";
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

const replaced = (part: string | RegExp, other: string): string => good.replace(part, other);

describe("a mistake is told in a sentence, with its line:", () => {
  const cases: readonly (readonly [name: string, text: string, says: string])[] = [
    ["no reason", `\n${replaced(/ {2}reason.*\n/, "")}`, "Line 3: the entry scrape/a has no `reason`: say why"],
    ["an empty reason", replaced(/reason.*\n/, "reason:\n"), "Line 2: the entry scrape/a has no `reason`: say why"],
    ["no owner", replaced(/ {2}owner.*\n/, ""), "Line 2: the entry scrape/a has no `owner`: say who"],
    ["no day", replaced(/ {2}expires.*\n/, ""), "Line 2: the entry scrape/a has no `expires`: give the last day"],
    ["no id", replaced("id: scrape/a", "id: ' '"), "Line 2: the entry has no `id`: name the check"],
    ["a day that is none", replaced("2026-12-31", "2026-02-30"), 'Line 2: the entry scrape/a expires on "2026-02-30"'],
    ["a day in other words", replaced("2026-12-31", "next week"), 'Line 2: the entry scrape/a expires on "next week"'],
    [
      "a day with a time",
      replaced("-31", "-31T10:00:00Z"),
      'expires on "2026-12-31T10:00:00Z", which is not a valid date',
    ],
    [
      "a number for a text",
      replaced("team-pages", "7"),
      "Line 2: the entry scrape/a has a `owner` that is not a string",
    ],
    [
      "an unknown key",
      replaced("owner:", "ownr: x\n  owner:"),
      "Line 2: the entry scrape/a has the unknown key `ownr`",
    ],
    ["a key of the prototype", replaced("owner:", "__proto__: x\n  owner:"), "has the unknown key `__proto__`"],
    ["a second entry for the same id", good + good, "Line 7: scrape/a repeats the entry in line 2"],
    ["an entry that is text", "- scrape/a\n", "Line 1: this is not an entry"],
    ["no list", "scrape/a: known\n", "The file is not a list"],
    ["no YAML", "- id: [\n", "Line 2: "],
    ["the same key twice", replaced("owner:", "owner: x\n  owner:"), "Line 5: Map keys must be unique."],
  ];
  test.for(cases)("%s", ([, text, says]) => {
    const { mistakes } = parseExpectedFailures(text);
    expect(mistakes.join("\n")).toContain(says);
    expect(mistakes).toHaveLength(1);
  });
});

describe("applied to a run,", () => {
  /** Results and entries in short words, the checks that are expected by some entry, and the kinds of problems. */
  const cases: readonly (readonly [name: string, checks: string, entries: string, expected: string, kinds?: string])[] =
    [
      ["an entry covers the check that it names", "a fail r1", "a", "a by a"],
      ["an entry covers all findings of its check", "wide fail r1 r2", "wide", "wide by wide"],
      [
        "an entry covers the findings of its requirement, in every check",
        "a fail r1, b fail r1",
        "r1",
        "a by r1, b by r1",
      ],
      ["an entry with a requirement covers no finding of another one", "wide fail r1 r2", "r1", ""],
      ["of entries together, the one that expires first is told", "wide fail r1 r2", "r1, r2 2026-12-01", "wide by r2"],
      ["what could not be judged is not expected, and makes no entry stale", "a error", "a", ""],
      ["a skipped check makes no entry stale", "a skip", "a", ""],
      ["an entry is stale when its check passes", "a pass", "a", "", "stale"],
      ["an entry is stale when all checks of its requirement pass", "a pass, b pass", "r1", "", "stale"],
      ["an entry is not stale while one check of its requirement was left out", "a pass, b skip", "r1", ""],
      ["an entry is not stale while a check fails on another one", "a pass, wide fail r2", "r1, r2", "wide by r2"],
      ["an entry counts on its last day", "a fail r1", `a ${today}`, "a by a"],
      ["an entry covers nothing from the day after its last one", "a fail r1", "a 2026-11-20", "", "expired"],
      ["an expired entry is told though its check was skipped", "a skip", "a 2026-11-20", "", "expired"],
      ["an expired entry whose check passes is stale", "a pass", "a 2026-11-20", "", "stale"],
      ["an entry that names nothing is unknown", "a fail r1", "b", "", "unknown"],
      ["an expired entry that names nothing is unknown", "a fail r1", "b 2020-01-01", "", "unknown"],
      ["a check that only warns can be expected, too", "assumed fail r1", "assumed", "assumed by assumed"],
    ];
  test.for(cases)("%s", ([, checks, entries, expected, kinds = ""]) => {
    const before = results(...checks.split(", "));
    const applied = applyExpectedFailures(before, entries.split(", ").map(readEntry), today);
    const covered = applied.checks.flatMap(({ id, expected: by }) => (by ? `${id} by ${by.id}` : []));
    expect(covered.join(", ")).toBe(expected);
    expect(applied.problems.map(({ kind }) => kind).join(", ")).toBe(kinds);
    expect(applied.checks.map(({ status }) => status)).toEqual(before.map(({ status }) => status));
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

/** Reads an entry from its id, and its last day where that matters. */
function readEntry(words: string): ExpectedFailure {
  const [id = "", day] = words.split(" ");
  return entry(id, day);
}
