import { expect, test } from "vitest";
import { brokenLines } from "./broken-lines/all-lines.ts";
import { nameOf, occurrencesOf } from "./broken-lines/broken-line.ts";

const lines = Object.values(brokenLines).flat();

test("every broken line occurs in its file exactly once", () => {
  const stale = lines.filter((line) => occurrencesOf(line) !== 1);
  expect(stale.map(nameOf), "these lines have changed: update test/broken-lines/lines").toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(100);
  expect(new Set(lines.map(nameOf)).size).toBe(lines.length);
});
