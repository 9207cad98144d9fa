import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { describeStorageError, isAbsence, systemClock } from "@cloud-browser/recorder";
import type { DataFolder } from "../data-folder.ts";
import { describeServiceError, ServiceError } from "../service-error.ts";
import { serviceVersion } from "../service-version.ts";
import { sealDatabase } from "../storage/sqlite/copy-database.ts";
import { copyRecordings, listRecordings, type CopiedRecordings } from "./copied-recordings.ts";
import { flushPath, hashFile, readPieces, writeDurably } from "./durable-files.ts";
import { readHeldRecords, type HeldRecords, type RecordCounts } from "./held-records.ts";
import { makeFolders } from "./made-folders.ts";
import {
  isBackupPath,
  manifestFile,
  maxManifestBytes,
  recordsFile,
  writeManifest,
  type BackupFile,
} from "./manifest.ts";
import { placeFolder } from "./placed-folder.ts";
import { findRecords, type SourceRecords } from "./source-records.ts";

/** A backup that was made: what it holds, and what it does not. */
export interface BackupReport {
  /** Path of the backup. */
  readonly backup: string;
  /** Time at which the records were copied, ISO 8601. */
  readonly created_at: string;
  /** True when a service had the data folder meanwhile. */
  readonly running: boolean;
  /** Number of files in the backup. */
  readonly files: number;
  /** Size of these files, in bytes. */
  readonly bytes: number;
  /** How much of each kind the records hold. */
  readonly records: RecordCounts;
  /** Number of recordings in the backup. */
  readonly recordings: number;
  /** Number of files of sessions in the backup. */
  readonly session_files: number;
  /** Sessions whose recording is still made, and was left out. */
  readonly unfinished_recordings: readonly string[];
  /** Parts that the backup does not hold, as they are kept elsewhere: sentences for the operator. */
  readonly not_held: readonly string[];
}

/**
 * Copies the data folder of a service to a new folder, while the service runs or not. All is there in the end, or nothing.
 *
 * @param data - The data folder.
 * @param target - Path of the backup, which does not exist or is empty.
 * @throws {ServiceError} `usage`, or `backup-failed` with the reason; the reason of the signal.
 */
export async function makeBackup(data: DataFolder, target: string, signal: AbortSignal): Promise<BackupReport> {
  const path = resolve(target);
  await requireApart(data.path, path);
  try {
    return await placeFolder(path, manifestFile, async (to) => {
      await using records = findRecords(data, signal);
      const { files, ...facts } = await copyAll(data, records, to, signal);
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      return { backup: path, ...facts, files: files.length, bytes };
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError("backup-failed", `no backup was made: ${describeCause(cause)}`, { cause });
  }
}

type CopiedFacts = Omit<BackupReport, "backup" | "files" | "bytes"> & { readonly files: readonly BackupFile[] };

async function copyAll(
  data: DataFolder,
  records: SourceRecords,
  to: string,
  signal: AbortSignal,
): Promise<CopiedFacts> {
  // Before the records: what begins later is in neither.
  const ids = await listRecordings(data.recordings);
  const created_at = new Date(systemClock.now()).toISOString();
  const copy = join(to, recordsFile);
  await records.copyTo(copy);
  const { schema } = sealDatabase(copy);
  await flushPath(copy);
  const heldRecords = readHeldRecords(copy);
  const sessions = await copySessionFiles(data, heldRecords, to, signal);
  const secrets = await copySecrets(data, to, signal);
  const { isRunning } = records;
  const recordings = await copyRecordings({ from: data.recordings, to }, ids, isRunning, signal);
  const files = [
    { path: recordsFile, ...(await hashFile(copy, signal)) },
    ...secrets,
    ...sessions,
    ...recordings.files,
  ];
  const text = Buffer.from(writeManifest({ version: serviceVersion, schema, created_at, files }));
  if (text.length > maxManifestBytes)
    throw new ServiceError(
      "backup-failed",
      "there are too many files for one backup; take a snapshot of the file system",
    );
  await writeDurably(join(to, manifestFile), [text], signal);
  return {
    created_at,
    running: isRunning,
    files,
    records: heldRecords.counts,
    recordings: recordings.finished.length,
    session_files: sessions.length,
    unfinished_recordings: recordings.unfinished,
    not_held: listUnheld(data, heldRecords, sessions.length, recordings),
  };
}

/** Copies the files of sessions that the records name, except those that are in a bucket or were deleted meanwhile. */
async function copySessionFiles(
  data: DataFolder,
  { sessionFiles }: HeldRecords,
  to: string,
  signal: AbortSignal,
): Promise<readonly BackupFile[]> {
  const files = [];
  for (const file of sessionFiles.map((one) => `files/kept/${one}`).filter(isBackupPath))
    files.push(await copyIfThere(data.path, file, to, signal));
  return files.filter((file) => file !== undefined);
}

async function copySecrets(data: DataFolder, to: string, signal: AbortSignal): Promise<readonly BackupFile[]> {
  const names = ["api-key.secret", "signing.secret"];
  const files = [];
  for (const name of names) files.push(await copyIfThere(data.path, name, to, signal));
  return files.filter((file) => file !== undefined);
}

async function copyIfThere(
  from: string,
  path: string,
  to: string,
  signal: AbortSignal,
): Promise<BackupFile | undefined> {
  if (!existsSync(join(from, path))) return undefined;
  await makeFolders(to, path);
  const files = await writeDurably(join(to, path), readPieces(join(from, path)), signal);
  return { path, ...files };
}

/** Says what belongs to the installation and is not in its data folder. */
function listUnheld(
  data: DataFolder,
  { counts, bucketRecordings, sessionFiles }: HeldRecords,
  filesHeld: number,
  { unfinished, deleted }: CopiedRecordings,
): readonly string[] {
  const inBucket = sessionFiles.length - filesHeld;
  return [
    ...(unfinished.length > 0
      ? [`${count(unfinished.length, "recording")} still being made: the next backup has what is finished by then`]
      : []),
    ...(deleted.length > 0 ? [`${count(deleted.length, "recording")} deleted, or moved to a bucket, meanwhile`] : []),
    ...(counts.profiles > 0
      ? ["the key that encrypts profiles (CLOUD_BROWSER_PROFILE_KEY): without it no profile can be read; keep it apart"]
      : []),
    ...(data.hasKey ? [] : ["the API key of the service, which is given by CLOUD_BROWSER_API_KEY"]),
    ...(bucketRecordings > 0
      ? [`${count(bucketRecordings, "recording")} in a bucket: keep versions or a replica of it`]
      : []),
    ...(inBucket > 0 ? [`${count(inBucket, "file")} of sessions, in a bucket or deleted meanwhile`] : []),
    ...(data.lease === undefined
      ? []
      : ["what a cluster keeps in PostgreSQL, as this folder was that of a node: back it up with pg_dump"]),
    "settings: the command line, the environment and the settings file",
  ];
}

function count(amount: number, name: string): string {
  return `${amount} ${name}${amount === 1 ? "" : "s"}`;
}

/** @throws {ServiceError} `usage` when one of the folders would be in the other. */
async function requireApart(data: string, target: string): Promise<void> {
  const [from, to] = await Promise.all([findReal(resolve(data)), findReal(target)]);
  if (to === from || to.startsWith(from + sep))
    throw new ServiceError("usage", `${target} is in the data folder ${data}; give a folder elsewhere`);
}

/** The real path of a folder, of which the last parts may not exist. */
async function findReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isAbsence(error) || parent === path) return path;
    return join(await findReal(parent), path.slice(parent.length));
  }
}

/** Describes an error of the system or of SQLite, without paths. */
function describeCause(cause: unknown): string {
  return cause instanceof Error && "syscall" in cause ? describeStorageError(cause) : describeServiceError(cause);
}
