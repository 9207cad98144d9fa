import { randomUUID } from "node:crypto";
import { createReadStream, fsync } from "node:fs";
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { storageTrouble } from "@cloud-browser/recorder";
import { ServiceError } from "../../service-error.ts";
import { checkedKey } from "./object-key.ts";
import type { ObjectFacts, ObjectRange, ObjectStore, StoredObject } from "./object-store.ts";

const flush = promisify(fsync);

/** What the names of files begin with that are not whole yet; no key does. */
const draftPrefix = ".draft-";

/** Objects as files below of a folder. It presigns nothing: the service serves them. */
export class FolderObjectStore implements ObjectStore {
  readonly #folder: string;

  /** @param folder - Made when the first object is stored. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#write(key, async (draft) => {
      const file = await open(draft, "wx", 0o600);
      try {
        await file.writeFile(bytes);
        // Not `file.sync`: under Yarn Plug'n'Play it is not implemented.
        await flush(file.fd);
      } finally {
        await file.close();
      }
    });
  }

  async putFile(key: string, path: string): Promise<void> {
    await this.#write(key, async (draft) => {
      await copyFile(path, draft);
      await chmod(draft, 0o600);
      const file = await open(draft, "r+");
      try {
        await flush(file.fd);
      } finally {
        await file.close();
      }
    });
  }

  async get(key: string, range?: ObjectRange): Promise<StoredObject | undefined> {
    const path = this.#path(key);
    return orFail(async () => {
      const found = await orNothing(stat(path));
      if (!found?.isFile()) return undefined;
      const last = Math.min(range?.last ?? Infinity, found.size - 1);
      // Of an empty file, or of a range beyond the end, there is nothing to be read.
      const isEmpty = last < (range?.first ?? 0);
      const bytes = isEmpty ? Readable.from([]) : createReadStream(path, { start: range?.first ?? 0, end: last });
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's type of the same thing
      const body = Readable.toWeb(bytes) as unknown as ReadableStream<Uint8Array>;
      return { key, size: found.size, modifiedMs: found.mtimeMs, body };
    });
  }

  async list(folder: string): Promise<readonly ObjectFacts[]> {
    const path = this.#path(folder);
    return orFail(async () => {
      const entries = (await orNothing(readdir(path, { recursive: true, withFileTypes: true }))) ?? [];
      const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith(draftPrefix));
      const facts = files.map(async ({ parentPath, name }): Promise<ObjectFacts | undefined> => {
        const file = join(parentPath, name);
        const found = await orNothing(stat(file));
        const key = file.slice(this.#folder.length + 1).replaceAll("\\", "/");
        return found && { key, size: found.size, modifiedMs: found.mtimeMs };
      });
      const all = (await Promise.all(facts)).filter((one) => one !== undefined);
      return all.sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  async deleteAll(folder: string): Promise<void> {
    const path = this.#path(folder);
    await orFail(() => rm(path, { recursive: true, force: true }));
  }

  async presign(): Promise<undefined> {
    return undefined;
  }

  #path(key: string): string {
    return join(this.#folder, ...checkedKey(key).split("/"));
  }

  async #write(key: string, write: (draft: string) => Promise<void>): Promise<void> {
    const path = this.#path(key);
    const draft = join(dirname(path), `${draftPrefix}${randomUUID()}`);
    await orFail(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await write(draft);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw error;
      }
    });
  }
}

/** What a promise gives; undefined when there is no such file. */
async function orNothing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  }
}

async function orFail<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    throw new ServiceError("storage-failed", `The folder of recordings can't be used: ${storageTrouble(cause)}.`, {
      cause,
    });
  }
}
