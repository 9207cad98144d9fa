import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder for the test that is about to run, or runs. It is gone when the test is over. */
export async function makeOwnFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "replay-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
