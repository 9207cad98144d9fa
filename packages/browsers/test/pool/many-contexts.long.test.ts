import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { BrowserPool } from "../../src/pool/browser-pool.ts";
import { listProcessesNaming, readWrittenMemory } from "@cloud-browser/testing/browser-processes.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

let scratch = "";
let pool: BrowserPool;

/** Everything temporary of this file is in a folder of its own, so that what is left over can be seen. */
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "browsers-test-"));
  vi.stubEnv("TMPDIR", scratch);
  pool = await BrowserPool.start({ maxBrowsers: 1 });
});

afterAll(async () => {
  await pool.close();
  const remains = [...listProcessesNaming(scratch), ...(await readdir(scratch))];
  if (remains.length > 0) throw new Error(`left over after the pool was closed: ${remains.join(", ")}`);
  await rm(scratch, { recursive: true, force: true });
});

async function measureUse(): Promise<{ processes: number; handles: number; memory: number }> {
  const pids = listProcessesNaming(scratch);
  const handles = await readdir("/proc/self/fd");
  return { processes: pids.length, handles: handles.length, memory: readWrittenMemory(pids) };
}

test("50 contexts opened and closed leave no process, no file handle and no growing memory", async () => {
  const objects: WeakRef<object>[] = [];
  const cycle = async (): Promise<void> => {
    const pooled = await pool.open();
    const page = await pooled.context.newPage();
    objects.push(new WeakRef(pooled), new WeakRef(pooled.context), new WeakRef(page));
    await pooled.close();
  };
  for (let count = 0; count < 10; count += 1) await cycle();
  const early = await measureUse();
  for (let count = 0; count < 40; count += 1) await cycle();
  await vi.waitFor(
    async () => {
      const late = await measureUse();
      expect(late.processes).toBeLessThanOrEqual(early.processes);
      expect(late.handles).toBeLessThanOrEqual(early.handles + 2);
      expect(late.memory).toBeLessThan(early.memory + 40_000_000);
      collectGarbage();
      expect(objects.filter((object) => object.deref()).length).toBeLessThanOrEqual(6);
    },
    { timeout: 60_000 },
  );
});
