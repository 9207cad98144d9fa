import { ClientError } from "../errors/client-error.ts";
import type { Sink } from "./transfer.ts";

/** Modules of Node.js that are used to write files. */
interface Builtins {
  readonly "node:fs": typeof import("node:fs");
  readonly "node:fs/promises": typeof import("node:fs/promises");
  readonly "node:os": typeof import("node:os");
  readonly "node:path": typeof import("node:path");
  readonly "node:url": typeof import("node:url");
}

/** A file that is being written. */
export interface LocalFile extends Sink {
  /** Syncs the file to disk, checks its size in bytes, and closes it. */
  readonly finish: (bytes: number) => Promise<void>;
  /** Closes the file, complete or not. Never throws. */
  readonly close: () => Promise<void>;
}

/**
 * Loads a module of Node.js, which Deno and Bun have, too, in a way that bundlers don't resolve.
 *
 * @throws {ClientError} `misuse` in a runtime without a file system.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Promise<Builtins[Name]>;
export async function builtin(name: string): Promise<unknown> {
  try {
    // Node.js has the function since 20.16.
    return (
      globalThis.process?.getBuiltinModule?.(name) ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ name))
    );
  } catch {
    throw new ClientError("misuse", "this runtime can't write files: pass a WritableStream");
  }
}

/**
 * Creates a file, which must not exist. Errors of the creation are those of the file system.
 *
 * @param replaced - path of the file that it will replace, if there is one: it gets the same permissions
 *
 * @throws {ClientError} `download`, from all functions of the file, when they fail.
 */
export async function createFile(fs: Builtins["node:fs/promises"], path: string, replaced: string): Promise<LocalFile> {
  const mode = await readFileMode(fs, replaced);
  const handle = await fs.open(path, "wx", mode);
  await keepMode(fs, path, mode);
  let size = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, size);
      at += bytesWritten;
      size += bytesWritten;
    }
  };
  const reset = async (): Promise<void> => {
    await handle.truncate(0);
    size = 0;
  };
  const finish = async (bytes: number): Promise<void> => {
    await flush(handle.fd);
    if ((await handle.stat()).size !== bytes) throw new Error("the file size differs from the bytes written");
    await handle.close();
  };
  return {
    write: (bytes) => write(bytes).catch(throwDownloadError),
    reset: () => reset().catch(throwDownloadError),
    finish: (bytes) => finish(bytes).catch(throwDownloadError),
    close: () => handle.close().catch(() => undefined),
  };
}

/** Syncs a file to disk. Yarn Plug'n'Play does not implement `sync` of a file handle. */
async function flush(file: number): Promise<void> {
  const { fsync } = await builtin("node:fs");
  await new Promise<void>((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())));
}

/** @throws {ClientError} `download`, or the error itself if it is a `ClientError`. */
export function throwDownloadError(cause: unknown): never {
  if (cause instanceof ClientError) throw cause;
  throw new ClientError("download", "writing to the destination failed", { cause });
}

/** @throws {ClientError} `misuse`, for a destination that can't be created. */
export function unwritable(cause: unknown): never {
  throw new ClientError("misuse", "the destination can't be written", { cause });
}

/** Returns the permissions of a file or folder; `undefined` when there is none. */
export async function readFileMode(fs: Builtins["node:fs/promises"], path: string): Promise<number | undefined> {
  const there = await fs.stat(path).catch(() => undefined);
  return there && there.mode & 0o7777;
}

/** Restores these permissions of a file or folder, which the umask of the process may have restricted. */
export async function keepMode(
  fs: Builtins["node:fs/promises"],
  path: string,
  mode: number | undefined,
): Promise<void> {
  // Some file systems have only one mode, and no way to change it.
  if (mode !== undefined && (await readFileMode(fs, path)) !== mode) await fs.chmod(path, mode);
}
