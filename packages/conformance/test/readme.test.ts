import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { writtenTable } from "./targets/kill-table.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The rows of a Markdown table of servers: a group, and three numbers. */
function figuresOf(text: string): string[] {
  const rows = [...text.matchAll(/^\| (\S[^|]*?) +\| (\d+) +\| (\d+) +\| (\d+) +\|$/gm)];
  return rows.map(([, group = "", ...figures]) => [group.replace(", without those beyond", ""), ...figures].join(", "));
}

// That the table itself is current is proved by kill-table.long.test.ts.
test("the README has the figures of the kill table", () => {
  const written = writtenTable();
  const figures = figuresOf(written).filter((row) => !row.startsWith("Beyond the requests of one run,"));
  expect(figures.length).toBeGreaterThan(10);
  expect(figuresOf(readme)).toEqual(figures);
  const numberOf = (row: string): string | undefined => figures.find((one) => one.startsWith(row))?.split(", ")[1];
  const [, most = "", correct = ""] = /at most (\d+) requests\. On (\d+) servers/.exec(written) ?? [];
  expect(readme).toContain(`at most ${most} requests here`);
  const [all, sometimes] = [numberOf("**Together**"), numberOf("Shows only sometimes")];
  expect(readme.replaceAll(/\s+/g, " ")).toContain(
    `each of ${all} breaks one sentence of the interface, ${sometimes} of them only sometimes, and ${correct} are correct`,
  );
});
