import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunResults } from "../../src/bindings/check-tests.ts";
import { RunCache } from "../../src/bindings/run-cache.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "run-cache-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const key = [7, "a.spec.ts"];

/** A run whose result is its number. */
function runs(): () => Promise<RunResults> {
  let made = 0;
  return async () => ({ checks: [], problems: [String((made += 1))] });
}

test("a run is made once for the tests of several processes", async () => {
  const judge = runs();
  const kept = join(folder, "once");
  for (const name of ["a", "b", "c"]) {
    const run = new RunCache(kept, key);
    expect((await run.resultsFor(name, judge)).problems).toEqual(["1"]);
    run.markReported(name);
  }
});

test("another one is made when a test is told again, and for another key", async () => {
  const judge = runs();
  const kept = join(folder, "again");
  const first = new RunCache(kept, key);
  await first.resultsFor("a", judge);
  first.markReported("a");
  const second = new RunCache(kept, key);
  expect((await second.resultsFor("a", judge)).problems).toEqual(["2"]);
  expect((await new RunCache(kept, key).resultsFor("b", judge)).problems).toEqual(["2"]);
  expect((await new RunCache(kept, [8, "a.spec.ts"]).resultsFor("b", judge)).problems).toEqual(["3"]);
});

function fails(): Promise<RunResults> {
  return Promise.reject(new Error("no connection"));
}

test("a run that can't be made leaves nothing behind", async () => {
  const kept = join(folder, "failed");
  await expect(new RunCache(kept, key).resultsFor("a", fails)).rejects.toThrow("no connection");
  expect((await new RunCache(kept, key).resultsFor("b", runs())).problems).toEqual(["1"]);
});
