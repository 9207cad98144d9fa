import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadReadings } from "../../src/contract/readings.ts";
import { writtenTable } from "../targets/kill-table.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");
const written = writtenTable();

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]?.replace(",", ""));

// That the table itself is current is proved by kill-table.long.test.ts.
test.for([
  ["servers that break a sentence", /More than ([\d,]+) servers/, /(\d+) servers break a sentence/],
  ["correct servers", /more than ([\d,]+) others are correct/, /On (\d+) servers that are all correct/],
] as const)("the README tells the number of %s of the kill table, rounded down", ([, told, counted]) => {
  const [rounded, exact] = [numberIn(readme, told), numberIn(written, counted)];
  expect(rounded).toBeLessThanOrEqual(exact);
  expect(rounded).toBeGreaterThan(exact * 0.85);
});

/** A table without what makes its columns wide. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ");

test("the README tells every reading with its values, the default first", () => {
  const rows = loadReadings().map(({ id, sentence, default: usual, values }) => {
    const texts = values.map(({ value, text }) => `\`${value}\`${value === usual ? " (default)" : ""}: ${text}`);
    return `| \`${id}\` | ${sentence} | ${texts.join("<br>")} |`;
  });
  const table = ["| reading | what is open | values |", "| --- | --- | --- |", ...rows].join(" ");
  const [, told = ""] = /<!-- readings -->(.*)<!-- \/readings -->/.exec(readme) ?? [];
  expect(plain(told).trim()).toBe(plain(table));
});
