import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JudgedChecks } from "../../src/bindings/judged-checks.ts";
import { KeptRun } from "../../src/bindings/kept-run.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kept-run-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const key = [7, "a.spec.ts"];

/** A run whose result is its number. */
function runs(): () => Promise<JudgedChecks> {
  let made = 0;
  return async () => ({ checks: [], problems: [String((made += 1))] });
}

test("a run is made once for the tests of several processes", async () => {
  const judge = runs();
  const kept = join(folder, "once");
  for (const name of ["a", "b", "c"]) {
    const run = new KeptRun(kept, key);
    expect((await run.judgedFor(name, judge)).problems).toEqual(["1"]);
    run.tell(name);
  }
});

test("another one is made when a test is told again, and for another key", async () => {
  const judge = runs();
  const kept = join(folder, "again");
  const first = new KeptRun(kept, key);
  await first.judgedFor("a", judge);
  first.tell("a");
  const second = new KeptRun(kept, key);
  expect((await second.judgedFor("a", judge)).problems).toEqual(["2"]);
  expect((await new KeptRun(kept, key).judgedFor("b", judge)).problems).toEqual(["2"]);
  expect((await new KeptRun(kept, [8, "a.spec.ts"]).judgedFor("b", judge)).problems).toEqual(["3"]);
});

function fails(): Promise<JudgedChecks> {
  return Promise.reject(new Error("no connection"));
}

test("a run that can't be made leaves nothing behind", async () => {
  const kept = join(folder, "failed");
  await expect(new KeptRun(kept, key).judgedFor("a", fails)).rejects.toThrow("no connection");
  expect((await new KeptRun(kept, key).judgedFor("b", runs())).problems).toEqual(["1"]);
});
