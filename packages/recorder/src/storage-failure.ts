import { adviceOnStorage, describeStorageError } from "./describe-storage-error.ts";
import { RecorderError } from "./recorder-error.ts";

/**
 * Returns the error for a file that could not be written or read: an error of this package as it is, any other one with the reason of the
 * system and what to do.
 *
 * @param what - What could not be done, as a clause: `the file can't be read`.
 */
export function storageFailure(what: string, cause: unknown): RecorderError {
  if (cause instanceof RecorderError) return cause;
  const why = `${what}: ${describeStorageError(cause)}; ${adviceOnStorage(cause)}`;
  return new RecorderError("storage-failed", why, { cause });
}

/** Returns whether an error says that a file is not there. Any other one says nothing of that. */
export function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}
