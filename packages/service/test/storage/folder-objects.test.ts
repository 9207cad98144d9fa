import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FolderObjectStore } from "../../src/storage/objects/folder-object-store.ts";
import { testObjectStore, type ObjectBackend } from "./object-contract.ts";

async function start(): Promise<ObjectBackend & { readonly folder: string }> {
  const root = await mkdtemp(join(tmpdir(), "objects-"));
  const folder = join(root, "recordings");
  return {
    folder,
    objects: new FolderObjectStore(folder),
    break: async () => {
      await rm(folder, { recursive: true });
      await writeFile(folder, "in the way");
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
}

describe("objects in a folder", () => {
  testObjectStore(start);

  test("are the owner's alone, and give no addresses", async () => {
    await using backend = await start();
    await backend.objects.put("a/b", new Uint8Array(3), "text/plain");
    expect((await stat(join(backend.folder, "a"))).mode & 0o777).toBe(0o700);
    const file = join(backend.folder, "..", "file");
    await writeFile(file, "");
    await chmod(file, 0o644);
    await backend.objects.putFile("a/c", file, "text/plain");
    for (const name of ["b", "c"]) expect((await stat(join(backend.folder, "a", name))).mode & 0o777).toBe(0o600);
    expect(await backend.objects.presign("a/b", Date.now() + 1_000)).toBeUndefined();
  });

  test("leave no part of what could not be stored", async () => {
    await using backend = await start();
    await mkdir(join(backend.folder, "a", "b"), { recursive: true });
    await expect(backend.objects.put("a/b", new Uint8Array(3), "text/plain")).rejects.toThrow("can't be used");
    expect(await readdir(join(backend.folder, "a"))).toEqual(["b"]);
    expect(await backend.objects.get("a/b")).toBeUndefined();
  });
});
