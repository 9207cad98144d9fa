import { fdatasync } from "node:fs";
import { open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const flush = promisify(fdatasync);

/** Least room that recordings need, in bytes. */
const minFreeBytes = 64 * 2 ** 20;

const probe = Buffer.alloc(4096);

/**
 * Returns why nothing more can be kept in a folder, in words that name no path: it can't be written to, or there is little room.
 * Undefined when it can. Writes a small file and removes it.
 */
export async function findStorageFault(folder: string, leastBytes = minFreeBytes): Promise<string | undefined> {
  const path = join(folder, "health.probe");
  try {
    const file = await open(path, "w", 0o600);
    try {
      await file.writeFile(probe);
      // Not `file.datasync`: under Yarn Plug'n'Play it is not implemented.
      await flush(file.fd);
    } finally {
      await file.close();
    }
    return await findRoomFault(folder, leastBytes);
  } catch (error) {
    return `the data folder is not writable (${readCode(error)}): free disk space, or check its permissions`;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Returns that there is little room where a folder is; undefined when there is enough. Writes nothing. */
export async function findRoomFault(folder: string, leastBytes = minFreeBytes): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= leastBytes) return undefined;
  return `the data folder has ${toMegabytes(bavail * bsize)} MB left; recordings need at least ${toMegabytes(leastBytes)} MB: free disk space`;
}

function toMegabytes(bytes: number): number {
  return Math.floor(bytes / 1e6);
}

function readCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "failed";
}
