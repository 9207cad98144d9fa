import { ClientError } from "../errors/client-error.ts";
import { beside, builtin, createFile, failed, unwritable } from "./local-file.ts";
import { redactError } from "../errors/redaction.ts";
import { within } from "./abortable.ts";
import type { Sink } from "./transfer.ts";

/** Where one file goes. */
export interface Destination extends Sink {
  /** Makes it final. */
  commit(bytes: number): Promise<void>;
  /** Leaves nothing behind. Never throws. */
  discard(reason: unknown): Promise<void>;
}

/** @throws {ClientError} `misuse` when nothing can be written there. */
export async function openDestination(
  target: string | URL | WritableStream<Uint8Array>,
  signal?: AbortSignal,
): Promise<Destination> {
  if (typeof target !== "string" && !(target instanceof URL) && typeof target?.getWriter !== "function") {
    throw new ClientError("misuse", "the destination must be a path, a file: URL or a WritableStream");
  }
  return typeof target === "string" || target instanceof URL ? toFile(await pathOf(target)) : toStream(target, signal);
}

/**
 * An absolute path, so that it stays the same when the working directory changes.
 *
 * @throws {ClientError} `misuse` when it is no `file:` URL.
 */
export async function pathOf(target: string | URL): Promise<string> {
  const path = await builtin("node:path");
  const { fileURLToPath } = await builtin("node:url");
  try {
    return path.resolve(typeof target === "string" ? target : fileURLToPath(target));
  } catch (cause) {
    unwritable(cause);
  }
}

async function toFile(path: string): Promise<Destination> {
  const fs = await builtin("node:fs/promises");
  const partial = beside(path);
  const there = await fs.stat(path).catch(() => undefined);
  if (there && !there.isFile()) unwritable(new Error("path exists and is not a regular file"));
  const file = await createFile(fs, partial).catch(unwritable);
  return {
    ...file,
    async commit(bytes) {
      await file.finish(bytes);
      await fs.rename(partial, path).catch(failed);
    },
    async discard() {
      await file.close();
      await fs.rm(partial, { force: true }).catch(() => undefined);
    },
  };
}

function toStream(stream: WritableStream<Uint8Array>, signal?: AbortSignal): Destination {
  if (stream.locked) throw new ClientError("misuse", "the destination is locked by another writer");
  const writer = stream.getWriter();
  return {
    write: (bytes) => within(() => writer.write(bytes), signal).catch(broken),
    async commit() {
      await within(() => writer.close(), signal).catch(broken);
      writer.releaseLock();
    },
    async discard(reason) {
      // Not waited for: a stream that is stuck would never let go.
      writer.abort(reason).catch(() => undefined);
      writer.releaseLock();
    },
  };
}

/** Rethrows an error as one of this package: what a stream of the caller's, such as one into a store, fails with may quote a presigned address. */
function broken(thrown: unknown): never {
  failed(thrown instanceof ClientError ? thrown : redactError(thrown, []));
}
