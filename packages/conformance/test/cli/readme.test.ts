import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadReadings } from "../../src/contract/readings.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");

/** Returns a table without the padding of its columns. */
const plain = (text: string): string => text.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ");

test("the README lists every reading with its values, the default first", () => {
  const rows = loadReadings().map(({ id, sentence, default: usual, values }) => {
    const texts = values.map(({ value, text }) => `\`${value}\`${value === usual ? " (default)" : ""}: ${text}`);
    return `| \`${id}\` | ${sentence} | ${texts.join("<br>")} |`;
  });
  const table = ["| reading | what is open | values |", "| --- | --- | --- |", ...rows].join(" ");
  const [, listed = ""] = /<!-- readings -->(.*)<!-- \/readings -->/.exec(readme) ?? [];
  expect(plain(listed).trim()).toBe(plain(table));
});
