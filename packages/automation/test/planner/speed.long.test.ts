import { describe, expect, test } from "vitest";
import { maxTaskLength, readTask } from "../../src/planner/read-task.ts";
import { readClause } from "../../src/planner/read-clause.ts";
import { toSnakeCase } from "../../src/task/names.ts";
import { splitTask } from "../../src/planner/split-task.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

/** Longest time of the processor that the reading of any task may take, in milliseconds. */
const boundMs = 100;

/** Lengths up to the longest task. What is slow is slow with the short ones already, so that a red test ends. */
const lengths = [300, 1_000, 5_000, maxTaskLength];

/** The beginnings of clauses, and the half of them that a long rest stands behind. */
const beginnings = [
  "",
  "open",
  "go to the page",
  "press",
  "scroll to",
  "wait for",
  "log in as",
  "log in as ada with",
  "log in as ada with password",
  "search for",
  "fill",
  "fill x with",
  "enter",
  "enter x into",
  "select",
  "select x from",
  "check",
  "uncheck",
  "choose",
  "click",
  "click on the",
  "extract",
  "extract the table",
  "extract the table named",
  "extract the table from",
  "get the name,",
  "please",
  "go back. Then",
  "open http://",
  'fill "x" with "',
];

const repeated: Readonly<Record<string, string>> = {
  blanks: " ",
  tabs: "\t",
  "no-break spaces": "\u00A0",
  "new lines": "\n",
  "new lines and blanks": " \n",
  "straight quotes": '"',
  "quotes with blanks": ' "',
  "quoted blanks": '" "',
  apostrophes: "'",
  "apostrophes with blanks": " 'a",
  "opening quotes": "“",
  "low quotes": "„",
  guillemets: "«",
  "closing quotes": "”",
  commas: ",",
  "commas with blanks": " , ",
  semicolons: " ;",
  dots: ".",
  "dots with blanks": " .",
  colons: ":",
  slashes: "http://",
  and: "and ",
  "joined and": "and",
  "then alone": "then ",
  "and then": "and then ",
  please: "please ",
  "please and commas": "please,",
  from: "from ",
  "from the page": "from the page ",
  "from digits": "from 1",
  with: "with ",
  "with password": "with password ",
  as: "as ",
  to: "to ",
  the: "the ",
  all: "all ",
  "all pages": "all pages ",
  button: "button ",
  underscores: "_",
  letters: "a",
  capitals: "A ",
  digits: "1",
  "words of digits": "1 ",
  brackets: "[",
  "round brackets": " (",
  braces: "{{",
  backslashes: "\\",
  "strange letters": "ﷺ",
  "marks of letters": "a\u0316\u0301",
  "marks only": "\u0301\u0316",
  emoji: "👩‍👧",
  "characters for private use": "\u{F0000}",
  "characters for private use with digits": "\u{F0000}0\u{F0000}",
  dashes: "a-",
  "names of hosts": "a.",
  "clauses of one word": "go back,",
};

function read(task: string): void {
  for (const clause of splitTask(task)) readClause(clause);
}

describe("the longest task is read within a bound, whatever it holds", () => {
  test.each(Object.entries(repeated))("%s", (_, part) => {
    for (const length of lengths) {
      for (const beginning of beginnings) {
        for (const end of ["x", ""]) {
          const filled = `${beginning} ${part.repeat(length / part.length)}`.slice(0, length - end.length) + end;
          const ms = measureProcessorTime(() => read(filled));
          expect(ms, `${length} characters behind "${beginning}"`).toBeLessThan(boundMs);
        }
      }
    }
  });
});

describe("a long quotation is read within the bound", () => {
  test.each(Object.entries(repeated))("%s", (_, part) => {
    const long = part.repeat((maxTaskLength - 100) / part.length).replaceAll(/["“”„«]/gu, "x");
    const tasks = [
      `fill "${long}" with x`,
      `fill x with "${long}"`,
      `enter "${long}x" into "${long}x" box`,
      `click "${long}" button`,
      `click on the "a ${long}`,
      `select "${long}" from y`,
      `log in as "${long}" with password "x"`,
      `extract “${long}” table`,
      `extract the table named «${long}» from all pages`,
      `get the name, "${long}" and price`,
      `open "${long}"`,
    ];
    for (const task of tasks) expect(measureProcessorTime(() => read(task))).toBeLessThan(boundMs);
  });
});

describe("a task that is too long", () => {
  const clause = "fill Note with ";

  test("is read up to the bound", () => {
    const value = "a".repeat(maxTaskLength - clause.length);
    const [planned] = readTask(clause + value);
    expect(planned?.instruction).toEqual({ verb: "fill", field: "Note", value });
  });

  test("says that it needs a model", () => {
    const task = clause + "a".repeat(1_000_000);
    const ms = measureProcessorTime(() => {
      expect(() => readTask(task)).toThrow(expect.objectContaining({ name: "AutomationError", code: "model_needed" }));
    });
    expect(ms).toBeLessThan(boundMs);
  });
});

test("a name in snake_case is made within a bound", () => {
  for (const part of Object.values(repeated)) {
    expect(measureProcessorTime(() => toSnakeCase(part.repeat(maxTaskLength / part.length)))).toBeLessThan(boundMs);
  }
});
