import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ObjectStore, StoredObject } from "../../../src/storage/objects/object-store.ts";

/** A store of objects, empty at first. */
export interface ObjectBackend extends AsyncDisposable {
  readonly objects: ObjectStore;
  /** Lets no request of the store succeed. */
  readonly break: () => Promise<void>;
}

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);

async function read(object: StoredObject | undefined): Promise<Uint8Array | undefined> {
  return object && new Uint8Array(await new Response(object.body).arrayBuffer());
}

/** What every store of objects does. */
export function testObjectStore(start: () => Promise<ObjectBackend>): void {
  test("reads back what was stored, in full and by range", async () => {
    await using backend = await start();
    const { objects } = backend;
    const before = Date.now();
    await objects.put("a/replay.mp4", bytes, "video/mp4");
    const found = await objects.get("a/replay.mp4");
    expect(found).toMatchObject({ key: "a/replay.mp4", size: bytes.length });
    // Stores tell whole seconds.
    expect(found?.modifiedMs).toBeGreaterThanOrEqual(before - 2_000);
    expect(await read(found)).toEqual(bytes);
    const part = await objects.get("a/replay.mp4", { first: 1_000, last: 1_999 });
    expect(part?.size).toBe(bytes.length);
    expect(await read(part)).toEqual(bytes.subarray(1_000, 2_000));
    const end = await objects.get("a/replay.mp4", { first: 299_990, last: 1_000_000 });
    expect(await read(end)).toEqual(bytes.subarray(299_990));
  });

  test("a missing object is undefined", async () => {
    await using backend = await start();
    const { objects } = backend;
    await objects.put("a/b", bytes, "text/plain");
    for (const key of ["a", "b", "a/b/c", "a/bb"]) expect(await objects.get(key)).toBeUndefined();
  });

  test("an empty object is there", async () => {
    await using backend = await start();
    const { objects } = backend;
    await objects.put("a/empty", new Uint8Array(), "text/plain");
    const found = await objects.get("a/empty");
    expect(found?.size).toBe(0);
    expect(await read(found)).toEqual(new Uint8Array());
  });

  test("the latest write of a key counts", async () => {
    await using backend = await start();
    const { objects } = backend;
    await objects.put("a/b", bytes, "text/plain");
    await objects.put("a/b", bytes.subarray(5), "text/plain");
    expect(await read(await objects.get("a/b"))).toEqual(bytes.subarray(5));
    expect(await objects.list("a")).toHaveLength(1);
  });

  test("stores a file; a missing one is an error", async () => {
    await using backend = await start();
    const { objects } = backend;
    const folder = await mkdtemp(join(tmpdir(), "objects-"));
    try {
      await writeFile(join(folder, "file"), bytes);
      await objects.putFile("a/file", join(folder, "file"), "video/mp4");
      expect(await read(await objects.get("a/file"))).toEqual(bytes);
      const missing = objects.putFile("a/missing", join(folder, "missing"), "video/mp4");
      await expect(missing).rejects.toMatchObject({ code: "storage-failed" });
      expect(await objects.list("a")).toMatchObject([{ key: "a/file", size: bytes.length }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("the objects of a folder are listed by key, without those of other folders", async () => {
    await using backend = await start();
    const { objects } = backend;
    for (const key of ["a/2", "a/10", "a/x/1", "ab/1", "b"])
      await objects.put(key, bytes.subarray(0, 10), "text/plain");
    expect((await objects.list("a")).map(({ key, size }) => [key, size])).toEqual([
      ["a/10", 10],
      ["a/2", 10],
      ["a/x/1", 10],
    ]);
    expect(await objects.list("c")).toEqual([]);
  });

  test("the objects of a folder are deleted, without those of other folders", async () => {
    await using backend = await start();
    const { objects } = backend;
    for (const key of ["a/1", "a/x/1", "ab/1"]) await objects.put(key, bytes.subarray(0, 10), "text/plain");
    await objects.deleteAll("a");
    await objects.deleteAll("a");
    expect(await objects.list("a")).toEqual([]);
    expect(await objects.get("a/1")).toBeUndefined();
    expect(await objects.list("ab")).toHaveLength(1);
  });

  test.each([
    "",
    "/",
    "..",
    "a/../b",
    "a//b",
    "/a",
    "a/",
    ".hidden",
    "a/.hidden",
    "a\\..\\b",
    "a%2f..",
    "ä",
    "x".repeat(513),
  ])("'%s' is no key", async (key) => {
    await using backend = await start();
    const { objects } = backend;
    const usage = { code: "usage" };
    await expect(objects.put(key, bytes, "text/plain")).rejects.toMatchObject(usage);
    await expect(objects.putFile(key, "package.json", "text/plain")).rejects.toMatchObject(usage);
    await expect(objects.get(key)).rejects.toMatchObject(usage);
    await expect(objects.list(key)).rejects.toMatchObject(usage);
    await expect(objects.deleteAll(key)).rejects.toMatchObject(usage);
  });

  test("the error of an unavailable store names no path and no address", async () => {
    await using backend = await start();
    const { objects } = backend;
    await objects.put("a/b", bytes, "text/plain");
    await backend.break();
    const fault = await objects.put("a/c", bytes, "text/plain").catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: "storage-failed" });
    expect(String(fault)).not.toMatch(/127\.0\.0\.1|localhost|\/[\w-]+\//);
  });
}
