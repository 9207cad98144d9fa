import { ClientError, guardArguments } from "../errors/client-error.ts";
import { builtin, createFile, throwDownloadError, unwritable } from "./local-file.ts";
import { createPartialPath } from "./partial-path.ts";
import { redactError } from "../errors/redaction.ts";
import { withDeadline } from "./abortable.ts";
import type { Sink } from "./transfer.ts";

/** Destination of a download. */
export interface Destination extends Sink {
  /** Completes the destination: renames the file, or closes the stream. */
  commit(bytes: number): Promise<void>;
  /** Removes the partial file, or aborts the stream. Never throws. */
  discard(reason: unknown): Promise<void>;
}

/** @throws {ClientError} `misuse` when the destination is invalid or not writable. */
export async function openDestination(
  target: string | URL | WritableStream<Uint8Array>,
  signal?: AbortSignal,
): Promise<Destination> {
  return guardArguments(() => {
    if (typeof target === "string" || target instanceof URL) return resolvePath(target).then(toFile);
    if (typeof target?.getWriter === "function") return toStream(target, signal);
    throw new ClientError("misuse", "the destination must be a path, a file: URL or a WritableStream");
  });
}

/**
 * Resolves a path or `file:` URL to an absolute path, which does not depend on later changes of the working directory.
 *
 * @throws {ClientError} `misuse` when it is another URL.
 */
export async function resolvePath(target: string | URL): Promise<string> {
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
  const there = await fs.stat(path).catch(() => undefined);
  if (there && !there.isFile()) unwritable(new Error("path exists and is not a regular file"));
  const { path: partial, release } = await createPartialPath(path);
  const file = await createFile(fs, partial, path).catch((cause: unknown) => {
    release();
    unwritable(cause);
  });
  return {
    ...file,
    async commit(bytes) {
      await file.finish(bytes);
      await fs.rename(partial, path).catch(throwDownloadError);
      release();
    },
    async discard() {
      await file.close();
      await fs.rm(partial, { force: true }).catch(() => undefined);
      release();
    },
  };
}

function toStream(stream: WritableStream<Uint8Array>, signal?: AbortSignal): Destination {
  if (stream.locked) throw new ClientError("misuse", "the destination is locked by another writer");
  const writer = stream.getWriter();
  return {
    write: (bytes) => withDeadline(() => writer.write(bytes), signal).catch(broken),
    async commit() {
      await withDeadline(() => writer.close(), signal).catch(broken);
      writer.releaseLock();
    },
    async discard(reason) {
      // Not awaited: the abort of a stream that hangs would never settle.
      writer.abort(reason).catch(() => undefined);
      writer.releaseLock();
    },
  };
}

/** Rethrows an error of the caller's stream, redacted: one into an object store may quote a presigned URL. */
function broken(thrown: unknown): never {
  throwDownloadError(thrown instanceof ClientError ? thrown : redactError(thrown, []));
}
