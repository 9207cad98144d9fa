import { withDatabase } from "../storage/sqlite/copy-database.ts";

/** How much of each kind records hold. */
export interface RecordCounts {
  readonly sessions: number;
  readonly runs: number;
  readonly functions: number;
  readonly keys: number;
  readonly profiles: number;
}

/** Files that belong to the records of a copy, as the records say. */
export interface HeldRecords {
  /** How much of each kind there is. */
  readonly counts: RecordCounts;
  /** How many recordings are in a bucket, as far as the records know. */
  readonly bucketRecordings: number;
  /** Files of sessions that are complete: `<session>/<file>`. */
  readonly sessionFiles: readonly string[];
}

const countedTables = ["sessions", "runs", "functions", "keys", "profiles"] as const;

/** Reads a copy of records, of this version of the tables or of an earlier one. @throws {ServiceError} `backup-failed` */
export function readHeldRecords(file: string): HeldRecords {
  return withDatabase(file, true, (database) => {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = new Set(tables.map(({ name }) => String(name)));
    const count = (table: string, which = "TRUE"): number =>
      names.has(table)
        ? Number(database.prepare(`SELECT count(*) AS n FROM "${table}" WHERE ${which}`).get()?.["n"])
        : 0;
    const [sessions = 0, runs = 0, functions = 0, keys = 0, profiles = 0] = countedTables.map((table) => count(table));
    const complete = "SELECT session_id, file_id FROM files WHERE record ->> '$.state' = 'complete'";
    const files = names.has("files") ? database.prepare(complete).all() : [];
    return {
      counts: { sessions, runs, functions, keys, profiles },
      bucketRecordings: count("recordings", "stage <> 'deleted'"),
      sessionFiles: files.map((row) => `${String(row["session_id"])}/${String(row["file_id"])}`),
    };
  });
}
