/**
 * Returns why a write failed, as a phrase: the system's message, without the path.
 */
export function describeStorageError(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full";
  // "EACCES: permission denied, open '/path'"
  const reason = (cause instanceof Error ? cause.message : "").replace(/, \w+( '.*)?$/s, "").replace(/\.$/, "");
  return reason === "" ? "unknown reason" : reason;
}

/** Result codes of SQLite for a file that is damaged or not a database: SQLITE_CORRUPT, SQLITE_NOTADB. */
const damaged: ReadonlySet<unknown> = new Set([11, 26]);

/** Returns what an operator does about a failed write or read, as a phrase. */
export function adviceOnStorage(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (cause instanceof Error && "errcode" in cause && damaged.has(cause.errcode))
    return "restore the records from a backup";
  if (code === "EMFILE" || code === "ENFILE") return "raise the limit of open files (ulimit -n)";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "check the permissions of the data folder";
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ESTALE")
    return "check that the data folder, its disk and the folder of temporary files are there";
  return "free disk space, or check the data folder";
}
