import { ClientError } from "../errors/client-error.ts";
import type { Sink } from "./transfer.ts";

/** Node.js modules that files need. */
interface Builtins {
  readonly "node:fs": typeof import("node:fs");
  readonly "node:fs/promises": typeof import("node:fs/promises");
  readonly "node:path": typeof import("node:path");
  readonly "node:url": typeof import("node:url");
}

/** A file that is being written. */
export interface LocalFile extends Sink {
  /** Makes sure that all of it is on the disk, and closes it. */
  readonly finish: (bytes: number) => Promise<void>;
  /** Closes it, however it stands. Never throws. */
  readonly close: () => Promise<void>;
}

/**
 * A module of Node.js, which Deno and Bun have, too. No bundler sees that it is needed.
 *
 * @throws {ClientError} `misuse` in a runtime without files.
 */
export function builtin<Name extends keyof Builtins>(name: Name): Promise<Builtins[Name]>;
export async function builtin(name: string): Promise<unknown> {
  try {
    // The function is newer than Node.js 20.0.
    return (
      globalThis.process?.getBuiltinModule?.(name) ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ name))
    );
  } catch {
    throw new ClientError("misuse", "this runtime can't write files: pass a WritableStream");
  }
}

/**
 * Makes a new file; never opens one that exists, and then throws what the file system throws.
 *
 * @throws {ClientError} `download`, by all functions of the file, when they fail.
 */
export async function createFile(fs: Builtins["node:fs/promises"], path: string): Promise<LocalFile> {
  const handle = await fs.open(path, "wx");
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
    if ((await handle.stat()).size !== bytes) throw new Error("the size of the file is not what was written to it");
    await handle.close();
  };
  return {
    write: (bytes) => write(bytes).catch(failed),
    reset: () => reset().catch(failed),
    finish: (bytes) => finish(bytes).catch(failed),
    close: () => handle.close().catch(() => undefined),
  };
}

/** Makes sure that a file is on the disk. Under Yarn Plug'n'Play the `sync` of a file handle is not implemented. */
async function flush(file: number): Promise<void> {
  const { fsync } = await builtin("node:fs");
  await new Promise<void>((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())));
}

/** @throws what a failed write means. */
export function failed(cause: unknown): never {
  if (cause instanceof ClientError) throw cause;
  throw new ClientError("download", "the destination failed", { cause });
}

/** @throws what a destination means that can't even be begun. */
export function unwritable(cause: unknown): never {
  throw new ClientError("misuse", "the destination can't be written", { cause });
}

/** A name beside another one, which nobody else takes. */
export function beside(path: string): string {
  return `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
}
