import { open } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { describeServiceError, ServiceError } from "../../service-error.ts";

/** Pages of the file that are copied in one go: between two of them, statements of this process go on. */
const pagesAtOnce = 200;

/** Properties of a file of records, beside its contents. */
export interface RecordsFile {
  /** How many steps of the tables it has seen. */
  readonly schema: number;
}

/**
 * Copies the records of one moment to a new file, for its owner alone, while they are read and written. What is written meanwhile is part of it.
 *
 * @throws An error of the system or of SQLite.
 */
export async function copyDatabase(database: DatabaseSync, path: string): Promise<void> {
  const created = await open(path, "wx", 0o600);
  await created.close();
  const { backup } = process.getBuiltinModule("node:sqlite");
  await backup(database, path, { rate: pagesAtOnce });
}

/**
 * Opens the file of records of a service that doesn't run, and keeps every other process out of it until it is closed. Changes no table.
 *
 * @returns Undefined when another process has it.
 * @throws {ServiceError} `backup-failed` when it can't be opened.
 */
export function lockDatabase(file: string): DatabaseSync | undefined {
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    database = new Database(file, { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
    return database;
  } catch (cause) {
    database?.close();
    if (/locked|busy/iu.test(describeServiceError(cause))) return undefined;
    throw new ServiceError("backup-failed", `${file} can't be opened: ${describeFault(cause)}`, { cause });
  }
}

/**
 * Makes one file of a copy, without those beside it that SQLite has while it writes, and reads all of it.
 *
 * @throws {ServiceError} `backup-failed` when it is damaged.
 */
export function sealDatabase(file: string): RecordsFile {
  return withDatabase(file, false, (database) => {
    requireSound(database);
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE");
    return readFacts(database);
  });
}

/**
 * Reads all of a file of records, and changes nothing.
 *
 * @throws {ServiceError} `backup-failed` when it is damaged.
 */
export function checkDatabase(file: string): RecordsFile {
  return withDatabase(file, true, (database) => {
    requireSound(database);
    return readFacts(database);
  });
}

/** Reads something of a file of records that nobody writes to. @throws {ServiceError} `backup-failed` when it is damaged. */
export function withDatabase<Result>(
  file: string,
  readOnly: boolean,
  read: (database: DatabaseSync) => Result,
): Result {
  const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    database = new Database(file, { timeout: 0, readOnly });
    return read(database);
  } catch (cause) {
    throw new ServiceError("backup-failed", `the records can't be read: ${describeFault(cause)}`, { cause });
  } finally {
    database?.close();
  }
}

/** Codes of SQLite for a damaged page, and for what is no database. */
const ofDamage: ReadonlySet<unknown> = new Set([11, 26]);

function describeFault(cause: unknown): string {
  const why = describeServiceError(cause);
  return cause instanceof Error && "errcode" in cause && ofDamage.has(cause.errcode)
    ? `they are damaged (${why})`
    : why;
}

function requireSound(database: DatabaseSync): void {
  const result = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (result !== "ok") throw new Error(`they are damaged (${String(result).replaceAll(/\s+/gu, " ")})`);
}

function readFacts(database: DatabaseSync): RecordsFile {
  return { schema: Number(database.prepare("PRAGMA user_version").get()?.["user_version"]) };
}
