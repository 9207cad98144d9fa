import { lstat, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describeStorageError, isAbsence } from "@cloud-browser/recorder";
import { describeServiceError, ServiceError } from "../service-error.ts";
import { checkDatabase } from "../storage/sqlite/copy-database.ts";
import { schemaSteps } from "../storage/sqlite/database.ts";
import { flushPath, hashFile, readPieces, writeDurably } from "./durable-files.ts";
import { readHeldRecords, type RecordCounts } from "./held-records.ts";
import { makeFolders } from "./made-folders.ts";
import { manifestFile, maxManifestBytes, parseManifest, quotePath, recordsFile, type Manifest } from "./manifest.ts";
import { placeFolder } from "./placed-folder.ts";

/** A backup that was restored. */
export interface RestoreReport {
  /** Path of the data folder. */
  readonly data: string;
  /** Path of the backup. */
  readonly backup: string;
  /** When the backup was made, ISO 8601. */
  readonly created_at: string;
  /** How many files there are. */
  readonly files: number;
  /** Their bytes. */
  readonly bytes: number;
  /** How much of each kind the records hold. */
  readonly records: RecordCounts;
}

/**
 * Makes a data folder of a backup, once all of the backup has been checked: all is there in the end, or nothing.
 *
 * @param source - Path of the backup, which is only read.
 * @param target - Path of the data folder, which does not exist or is empty.
 * @throws {ServiceError} `usage`, or `backup-failed` with the reason; the reason of the signal.
 */
export async function restoreBackup(source: string, target: string, signal: AbortSignal): Promise<RestoreReport> {
  const [backup, data] = [resolve(source), resolve(target)];
  try {
    const manifest = await readManifest(backup);
    await requireAll(backup, manifest);
    for (const file of manifest.files) await requireSame(backup, file, signal);
    const records = requireKnown(join(backup, recordsFile));
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
    await placeFolder(data, recordsFile, (to) => copyFiles(backup, manifest, to, signal));
    return { data, backup, created_at: manifest.created_at, files: manifest.files.length, bytes, records };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ServiceError) throw cause;
    const why =
      cause instanceof Error && "syscall" in cause ? describeStorageError(cause) : describeServiceError(cause);
    throw new ServiceError("backup-failed", `nothing was restored: ${why}`, { cause });
  }
}

async function readManifest(backup: string): Promise<Manifest> {
  const path = join(backup, manifestFile);
  const stats = await lstat(path).catch((error: unknown) => {
    if (isAbsence(error)) throw new ServiceError("usage", `${backup} is no backup: it has no ${manifestFile}`);
    throw error;
  });
  if (!stats.isFile()) throw makeIrregularError(manifestFile);
  if (stats.size > maxManifestBytes) throw makeUnusableError(`${manifestFile} is too large`);
  return parseManifest(await readFile(path, "utf8"));
}

/** Refuses files that the manifest does not name, and entries that are not regular files. @throws {ServiceError} `backup-failed` */
async function requireAll(backup: string, { files }: Manifest): Promise<void> {
  const missing = new Set(files.map(({ path }) => path));
  for (const entry of await readdir(backup, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name).slice(backup.length + 1);
    if (entry.isDirectory() || path === manifestFile) continue;
    if (!entry.isFile()) throw makeIrregularError(quotePath(path));
    if (!missing.delete(path)) throw makeUnusableError(`${quotePath(path)} is not named in ${manifestFile}`);
  }
  const [first] = missing;
  if (first !== undefined)
    throw makeUnusableError(`${first} is missing${missing.size > 1 ? `, and ${missing.size - 1} more` : ""}`);
}

/** @throws {ServiceError} `backup-failed` when a file is not what the manifest says. */
async function requireSame(backup: string, file: Manifest["files"][number], signal: AbortSignal): Promise<void> {
  const { path, size, sha256 } = file;
  const actual = await hashFile(join(backup, path), signal);
  if (actual.size !== size) throw makeUnusableError(`${path} has ${actual.size} bytes in place of ${size}`);
  if (actual.sha256 !== sha256) throw makeUnusableError(`${path} was altered`);
}

/** @throws {ServiceError} `backup-failed` when the records are damaged, or of a newer version. */
function requireKnown(file: string): RecordCounts {
  const { schema } = checkDatabase(file);
  if (schema > schemaSteps.length)
    throw makeUnusableError("its records were written by a newer version of the service; restore it with that one");
  return readHeldRecords(file).counts;
}

async function copyFiles(backup: string, { files }: Manifest, to: string, signal: AbortSignal): Promise<void> {
  await makeFolders(to, "recordings/.");
  for (const { path, size, sha256 } of files) {
    await makeFolders(to, path);
    const copied = await writeDurably(join(to, path), readPieces(join(backup, path)), signal);
    if (copied.size !== size || copied.sha256 !== sha256)
      throw makeUnusableError(`${path} was altered while it was copied`);
  }
  await flushPath(to);
}

function makeUnusableError(why: string): ServiceError {
  return new ServiceError("backup-failed", `the backup can't be restored: ${why}`);
}

function makeIrregularError(name: string): ServiceError {
  return makeUnusableError(`${name} is no regular file`);
}
