import { expect, test } from "vitest";
import { brokenLines } from "./broken-lines/all-lines.ts";
import { getName, countOccurrences } from "./broken-lines/broken-line.ts";

const lines = Object.values(brokenLines).flat();

test("every broken line occurs in its file exactly once", () => {
  const stale = lines.filter((line) => countOccurrences(line) !== 1);
  expect(stale.map(getName), "these lines have changed: update test/broken-lines/lines").toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(100);
  expect(new Set(lines.map(getName)).size).toBe(lines.length);
});
