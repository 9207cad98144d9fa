/**
 * Breaks one line of the service at a time, and sees that the conformance suite names the requirement that it broke.
 * Some of them in every run; with `BROKEN_LINES=all` all of them, which writes `BROKEN-LINES.md`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { brokenLines } from "./broken-lines/all-lines.ts";
import { getName, type BrokenLine } from "./broken-lines/broken-line.ts";
import type { Order, Verdict } from "./broken-lines/judge-broken.ts";
import { writeTable } from "./broken-lines/table.ts";

const lines = Object.values(brokenLines).flat();
const isWhole = process.env["BROKEN_LINES"] === "all";
const chosen = lines.filter(({ sample }) => isWhole || sample);
/** As many as a small machine has processors: each is a service with its browser. */
const judges = 2;
/** One line, on a busy machine. */
const patienceMs = 120_000;

/** Each line for its own requirement, and the whole service for all of these. */
const orders: readonly Order[] = [
  { only: [...new Set(chosen.map(({ requirement }) => requirement))] },
  ...chosen.map((line) => ({ line, only: [line.requirement] })),
];
/** By their lines. */
const verdicts = new Map<BrokenLine | undefined, Verdict>();

/** Follows some orders in a process of their own, as far as that gets. */
async function judge(some: readonly Order[]): Promise<void> {
  const script = fileURLToPath(new URL("broken-lines/judge-broken.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  child.stdin.end(JSON.stringify(some));
  let count = 0;
  for await (const verdict of createInterface(child.stdout)) {
    const order = some[count];
    const judged: Verdict = JSON.parse(verdict);
    if (order) verdicts.set(order.line, judged);
    count += 1;
  }
  await closed;
}

/** In the order of the list, so that each process has some of each kind; those left by a process that has died are judged anew. */
async function judgeAll(): Promise<void> {
  const share = (of: number): Order[] => orders.filter((_, index) => index % judges === of);
  const judgeShare = async (some: readonly Order[]): Promise<void> => {
    await judge(some);
    const [died, ...left] = some.filter(({ line }) => !verdicts.has(line));
    if (died && left.length > 0) await judgeShare(left);
  };
  await Promise.all(Array.from({ length: judges }, (_, of) => judgeShare(share(of))));
}

describe("the suite notices", () => {
  beforeAll(judgeAll, chosen.length * patienceMs);

  test("nothing in a service without a broken line", () => {
    expect(verdicts.get(undefined)).toMatchObject({ exitCode: 0, findings: [] });
  });

  test.each(chosen.map((line) => [getName(line), line] as const))("%s", (_, line) => {
    const verdict = verdicts.get(line);
    expect(verdict, "the service or the suite died of it").toBeDefined();
    expect(verdict?.wasLoaded, "its file was not loaded").toBe(true);
    expect(verdict?.findings.map(({ requirement }) => requirement)).toContain(line.requirement);
    expect(verdict?.exitCode).toBe(1);
  });

  test.runIf(isWhole)("all of them, which is written down", () => {
    expect(lines.filter((line) => !isFound(line))).toEqual([]);
    writeFileSync(new URL("../BROKEN-LINES.md", import.meta.url), writeTable(verdicts));
  });
});

function isFound(line: BrokenLine): boolean {
  const { exitCode, findings = [] } = verdicts.get(line) ?? {};
  return exitCode === 1 && findings.some(({ requirement }) => requirement === line.requirement);
}
