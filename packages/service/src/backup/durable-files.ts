import { createHash } from "node:crypto";
import { constants, fsync } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";

const flush = promisify(fsync);

/** Files that were copied. */
export interface CopiedBytes {
  /** How many bytes. */
  readonly size: number;
  /** Their SHA-256 in hexadecimal. */
  readonly sha256: string;
}

const chunkBytes = 2 ** 20;

/**
 * Writes bytes to a new file that only its owner may read, and resolves once they are on the disk.
 *
 * @throws An error of the system, or the reason of the signal.
 */
export async function writeDurably(
  path: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<CopiedBytes> {
  const hash = createHash("sha256");
  let size = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of bytes) {
      signal?.throwIfAborted();
      await file.writeFile(chunk);
      hash.update(chunk);
      size += chunk.length;
    }
    await flush(file.fd);
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest("hex") };
}

/** Reads a file in pieces. A link is not followed. @throws An error of the system: ELOOP for a link. */
export async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Returns size and hash of a file. @throws As `readPieces`, or the reason of the signal. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<CopiedBytes> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of readPieces(path)) {
    signal?.throwIfAborted();
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest("hex") };
}

/**
 * Resolves once a file that was written, or the names in a folder, are on the disk. File systems that can't do that with folders do it by themselves.
 *
 * @throws An error of the system.
 */
export async function flushPath(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY);
  try {
    await flush(file.fd);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EINVAL")) throw error;
  } finally {
    await file.close();
  }
}
