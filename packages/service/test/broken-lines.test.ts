/**
 * Breaks one line of the service at a time, and sees that the conformance suite names the requirement that it broke.
 * Some of them in every run; with `BROKEN_LINES=all` all of them, each under the whole suite, which writes `BROKEN-LINES.md`.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test, vi } from "vitest";
import { brokenLines } from "./broken-lines/all-lines.ts";
import { occurrencesOf, type BrokenLine } from "./broken-lines/broken-line.ts";
import type { Order, Verdict } from "./broken-lines/judge-broken.ts";
import { tableOf, type Found } from "./broken-lines/table.ts";

// As many as a small machine has processors: each is a service with its browser.
vi.setConfig({ maxConcurrency: 2 });

const isWhole = process.env["BROKEN_LINES"] === "all";
const lines = Object.entries(brokenLines).flatMap(([area, some]) => some.map((line) => ({ area, line })));
const chosen = lines.filter(({ line }) => isWhole || line.sample);
const found: Found[] = [];

const judge = fileURLToPath(new URL("broken-lines/judge-broken.ts", import.meta.url));

/** Judges a service in a process of its own: what is loaded once stays as it is. */
async function judged(order: Order): Promise<Verdict> {
  const args = ["--conditions=@cloud-browser/source", judge, JSON.stringify(order)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 240_000, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Verdict;
}

const nameOf = ({ file, text, becomes }: BrokenLine): string => `${file}: ${text} → ${becomes || "nothing"}`;

test("the lines to be broken stand in their files, once each, and are many", () => {
  const gone = lines.map(({ line }) => line).filter((line) => occurrencesOf(line) !== 1);
  expect(gone.map(nameOf), "these lines have changed: change the list in test/broken-lines/lines").toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(100);
  expect(new Set(lines.map(({ line }) => nameOf(line))).size).toBe(lines.length);
});

test.runIf(isWhole)("a service without a broken line has nothing wrong", { timeout: 300_000 }, async () => {
  expect(await judged({})).toMatchObject({ exitCode: 0, findings: [], troubles: [] });
});

describe.concurrent("the suite notices", { timeout: 300_000 }, () => {
  test.each(chosen.map(({ area, line }) => [nameOf(line), area, line] as const))("%s", async (_, area, line) => {
    const { requirement } = line;
    const verdict = await judged(isWhole ? { line } : { line, only: [requirement] });
    expect(verdict.wasLoaded).toBe(true);
    expect([...new Set(verdict.findings.map((finding) => finding.requirement))]).toContain(requirement);
    expect(verdict.exitCode).toBe(1);
    found.push({ area, line, findings: verdict.findings });
  });
});

afterAll(() => {
  if (isWhole && found.length === lines.length) {
    writeFileSync(new URL("../BROKEN-LINES.md", import.meta.url), tableOf(found));
  }
});
