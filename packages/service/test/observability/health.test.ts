import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { Health, type Checks } from "../../src/health/health.ts";
import { findStorageFault } from "../../src/health/storage.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "cb-health-"))));
afterEach(() => rm(folder, { recursive: true }));

const fine: Checks = {
  storage: () => Promise.resolve(undefined),
  records: () => Promise.resolve(undefined),
  bucket: () => Promise.resolve(undefined),
  encoder: () => Promise.resolve(undefined),
  browsers: () => Promise.resolve(undefined),
  load: () => Promise.resolve(undefined),
  profiles: () => Promise.resolve(undefined),
};
const none = { storage: null, records: null, bucket: null, encoder: null, browsers: null, load: null, profiles: null };

it("is fine when nothing is wrong, and leaves nothing in the data folder", async () => {
  const health = new Health({ ...fine, storage: () => findStorageFault(folder) });
  expect(await health.report()).toEqual({ status: "ok", checks: none });
  expect(await readdir(folder)).toEqual([]);
});

it.each<[string, Partial<Checks>, Record<string, unknown>]>([
  [
    "a data folder that is gone",
    { storage: () => findStorageFault("/nowhere/at/all") },
    { storage: expect.stringContaining("(ENOENT)") },
  ],
  [
    "a disk with too little room",
    { storage: () => findStorageFault(folder, 2 ** 80) },
    { storage: expect.stringMatching(/^the data folder has \d+ MB left; recordings need at least \d+ MB/u) },
  ],
  ["a check that says why", { encoder: () => Promise.resolve("no ffmpeg") }, { encoder: "no ffmpeg" }],
  ["a check that throws", { records: () => Promise.reject(new Error("locked")) }, { records: "locked" }],
  ["a check that never answers", { browsers: () => new Promise(() => {}) }, { browsers: "timed out after 3 seconds" }],
])("is degraded by %s", async (_, checks, expected) => {
  expect(await new Health({ ...fine, ...checks }).report()).toEqual({
    status: "degraded",
    checks: { ...none, ...expected },
  });
});

it("does not begin a check again while it hangs", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const hang = Promise.withResolvers<undefined>();
  const storage: Checks["storage"] = () => {
    looks += 1;
    return hang.promise;
  };
  const health = new Health({ ...fine, storage });
  const report = async (): Promise<string | null> => {
    const reported = health.report();
    await vi.advanceTimersByTimeAsync(10_000);
    return (await reported).checks.storage;
  };
  expect([await report(), await report(), looks]).toEqual([
    "timed out after 3 seconds",
    "timed out after 3 seconds",
    1,
  ]);
  hang.resolve(undefined);
  expect([await report(), await report(), looks]).toEqual([null, null, 2]);
});

it("checks once for concurrent requests", async () => {
  let looks = 0;
  const records: Checks["records"] = () => Promise.resolve(void (looks += 1));
  const health = new Health({ ...fine, records });
  await Promise.all(Array.from({ length: 50 }, () => health.report()));
  expect(looks).toBe(1);
});
