import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hostileTargets, startHostile } from "./hostile-targets.ts";

const script = fileURLToPath(new URL("hostile-run.ts", import.meta.url));

/** Times are short, since all of it is near; sizes are those of every run. */
const limits = { timeoutMs: 400, streamTimeoutMs: 600, idleTimeoutMs: 400, closeGraceMs: 100 };

interface Told {
  readonly verdict: string;
  readonly sentence: string;
  readonly exchanges: number;
  readonly grownMb: number;
  readonly sizes: Readonly<Record<string, number>>;
  readonly acting: readonly string[];
  readonly scripts: number;
}

/** Judges a target in a process of its own, whose heap is held to 512 MB. */
function judgeApart(url: string): Promise<Told> {
  const args = ["--max-old-space-size=512", "--conditions=@cloud-browser/source", script, url, JSON.stringify(limits)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 1e7, timeout: 55_000 }, (error, stdout, stderr) => {
      if (error) return reject(new Error(`${error.message}\n${stderr.slice(-2000)}`));
      if (process.env["HOSTILE_LOG"] !== undefined) console.log(stdout);
      const told: Told = JSON.parse(stdout);
      return resolve(told);
    });
  });
}

describe.concurrent("a target is judged in bounded time and memory, and its report is safe and small, although it answers with", () => {
  test.for(hostileTargets)("$name", async ({ serve, verdicts = ["not-conforming"] }, { expect: expects }) => {
    await using hostile = await startHostile(serve);
    const told = await judgeApart(hostile.url);
    expects(verdicts).toContain(told.verdict);
    expects(told.sentence).not.toBe("");
    expects(told.acting).toEqual([]);
    expects(told.scripts).toBe(1);
    expects(told.grownMb).toBeLessThan(300);
    expects(told.sizes["json"]).toBeLessThan(20e6);
    expects(told.sizes["html"]).toBeLessThan(5e6);
  });
});

test("of hostile targets there are many", () => {
  expect(new Set(hostileTargets.map(({ name }) => name)).size).toBe(hostileTargets.length);
});
