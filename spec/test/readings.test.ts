import { describe, expect, test } from "vitest";
import { readings, requirements } from "./contract.ts";

/** The levels of the requirements that each check judges; the first one is that of its sentence. */
const findLevels = (check: string): (string | undefined)[] =>
  requirements.filter(({ checks = [] }) => checks.includes(check)).map(({ level }) => level);

const listTwice = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);

test("ids, sentences and texts occur once", () => {
  expect(listTwice(readings.map(({ id }) => id))).toEqual([]);
  expect(listTwice(readings.map(({ sentence }) => sentence))).toEqual([]);
  expect(listTwice(readings.flatMap(({ values }) => values.map(({ text }) => text)))).toEqual([]);
});

test("a check is decided by one reading, and by one value of it", () => {
  expect(listTwice(readings.flatMap(({ values }) => values.flatMap(({ checks }) => checks)))).toEqual([]);
});

describe.for(readings)("$id", ({ id, requirements: about, default: usual, values }) => {
  test("has a name that configurations can hold, and two values at least", () => {
    for (const name of [id, ...values.map(({ value }) => value)]) expect(name).toMatch(/^[a-z][\w.-]*$/);
    expect(values.length).toBeGreaterThanOrEqual(2);
    expect(listTwice(values.map(({ value }) => value))).toEqual([]);
    expect(values.map(({ value }) => value)).toContain(usual);
  });

  test("is about sentences that are stated", () => {
    const stated = new Set(requirements.filter(({ level }) => level === "stated").map((row) => row.id));
    expect(about.length).toBeGreaterThan(0);
    expect(about.filter((requirement) => !stated.has(requirement))).toEqual([]);
  });

  test("has checks for each value that is stricter than the first", () => {
    expect(values.slice(1).filter(({ checks }) => checks.length === 0)).toEqual([]);
  });

  test("decides by checks of requirements: stated ones up to the default, assumed ones beyond it", () => {
    const at = values.findIndex(({ value }) => value === usual);
    for (const [place, { checks }] of values.entries()) {
      for (const check of checks)
        expect(new Set(findLevels(check))).toEqual(new Set([place > at ? "assumed" : "stated"]));
    }
  });
});
