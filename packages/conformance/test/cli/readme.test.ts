import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadReadings } from "../../src/contract/readings.ts";

const page = readFileSync(new URL("../../../../docs/reference/readings.md", import.meta.url), "utf8");

test("the page of readings has every one with its values, and says which is the default", () => {
  const rows = /<!-- readings -->(.*)<!-- \/readings -->/s.exec(page)?.[1]?.split("\n") ?? [];
  const missing = loadReadings().filter(({ id, default: usual, values }) => {
    const row = rows.find((line) => line.includes(`| \`${id}\``)) ?? "";
    const isComplete = values.every(({ value, text }) => row.includes(`\`${value}\``) && row.includes(text));
    return !isComplete || !row.includes(`\`${usual}\` (default)`);
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});
