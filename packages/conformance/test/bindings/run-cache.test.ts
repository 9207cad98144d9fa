import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunResults } from "../../src/bindings/check-tests.ts";
import { RunCache } from "../../src/bindings/run-cache.ts";
import { ownFolder } from "../cli/own-folder.ts";

const folder = ownFolder();

const key = [7, "a.spec.ts"];

/** A run whose result is its number. */
function runs(): () => Promise<RunResults> {
  let count = 0;
  return async () => ({ checks: [], problems: [String((count += 1))] });
}

test("a run is made once for the tests of several processes", async () => {
  const judge = runs();
  const place = join(folder.path, "once");
  for (const name of ["a", "b", "c"]) {
    const run = new RunCache(place, key);
    expect((await run.resultsFor(name, judge)).problems).toEqual(["1"]);
    run.markReported(name);
  }
});

test("another one is made when a test is told again, and for another key", async () => {
  const judge = runs();
  const place = join(folder.path, "again");
  const first = new RunCache(place, key);
  await first.resultsFor("a", judge);
  first.markReported("a");
  const second = new RunCache(place, key);
  expect((await second.resultsFor("a", judge)).problems).toEqual(["2"]);
  expect((await new RunCache(place, key).resultsFor("b", judge)).problems).toEqual(["2"]);
  expect((await new RunCache(place, [8, "a.spec.ts"]).resultsFor("b", judge)).problems).toEqual(["3"]);
});

function fails(): Promise<RunResults> {
  return Promise.reject(new Error("no connection"));
}

test("a run that can't be made leaves nothing behind", async () => {
  const place = join(folder.path, "failed");
  await expect(new RunCache(place, key).resultsFor("a", fails)).rejects.toThrow("no connection");
  expect((await new RunCache(place, key).resultsFor("b", runs())).problems).toEqual(["1"]);
});
