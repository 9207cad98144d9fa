import { chmod, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeStorageError } from "../src/describe-storage-error.ts";

test("a failed write is reported with the reason of the system, and without a path", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trouble-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o700);
  const missing = await open(join(folder, "none", "file"), "wx").catch((error: unknown) => error);
  expect(describeStorageError(missing)).toBe("ENOENT: no such file or directory");
  const full = await open("/dev/full", "w");
  onTestFinished(() => full.close());
  expect(describeStorageError(await full.write("x").catch((error: unknown) => error))).toBe("the disk is full");
});

test.each([
  ["what a package manager's file system can't do", new Error("Method not implemented."), "Method not implemented"],
  ["an error without words", new Error(""), "unknown reason"],
  ["no error at all", "x", "unknown reason"],
])("%s", (_, cause, words) => {
  expect(describeStorageError(cause)).toBe(words);
});
