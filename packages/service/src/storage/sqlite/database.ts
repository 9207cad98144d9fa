import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { describeServiceError, ServiceError } from "../../service-error.ts";
import { listStepsAfter } from "../sql/schema-steps.ts";

/** Each statement brings the tables from one version to the next; a file remembers how many it has seen. */
export const schemaSteps: readonly string[] = [
  `CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    created_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    end_reason TEXT,
    url TEXT,
    title TEXT
  ) STRICT`,
  `CREATE TABLE functions (
    function_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE runs (
    thread_id TEXT PRIMARY KEY,
    session_id TEXT,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    "end" TEXT,
    reason TEXT,
    cost_usd TEXT NOT NULL,
    function_id TEXT
  ) STRICT;
  CREATE INDEX runs_by_session ON runs (session_id)`,
  `CREATE TABLE leases (
    epoch INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    expires_ms INTEGER NOT NULL,
    revoked INTEGER NOT NULL DEFAULT 0,
    about TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX leases_one_for_each_name ON leases (name) WHERE NOT revoked`,
  `CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    roles TEXT NOT NULL,
    quota TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    revoked_ms INTEGER
  ) STRICT;
  ALTER TABLE sessions ADD COLUMN key_name TEXT;
  ALTER TABLE runs ADD COLUMN key_name TEXT;
  ALTER TABLE functions ADD COLUMN key_name TEXT`,
  `ALTER TABLE runs ADD COLUMN task TEXT;
  ALTER TABLE runs ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE runs ADD COLUMN outcome TEXT;
  CREATE TABLE run_events (
    thread_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (thread_id, seq)
  ) STRICT`,
  `CREATE TABLE recordings (
    session_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    stage TEXT NOT NULL,
    delete_at_ms INTEGER,
    state TEXT NOT NULL,
    folder TEXT
  ) STRICT;
  CREATE INDEX recordings_unfinished ON recordings (stage) WHERE stage IN ('recording', 'ended');
  CREATE INDEX recordings_due ON recordings (delete_at_ms)`,
  `CREATE INDEX sessions_newest ON sessions (created_ms);
  CREATE INDEX sessions_newest_of_key ON sessions (key_name, created_ms);
  CREATE INDEX sessions_ended ON sessions (ended_ms);
  CREATE INDEX runs_newest ON runs (started_ms);
  CREATE INDEX runs_newest_of_key ON runs (key_name, started_ms);
  CREATE INDEX runs_ended ON runs (ended_ms)`,
  `DROP INDEX recordings_due;
  CREATE INDEX recordings_due ON recordings (delete_at_ms) WHERE stage <> 'deleted';
  CREATE INDEX recordings_deleted ON recordings (delete_at_ms) WHERE stage = 'deleted';
  CREATE INDEX recordings_done ON recordings (owner) WHERE stage NOT IN ('recording', 'ended', 'deleted')`,
  `ALTER TABLE sessions ADD COLUMN recorded INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE keys ADD COLUMN expires_ms INTEGER;
  ALTER TABLE keys ADD COLUMN replaced_hash TEXT;
  ALTER TABLE keys ADD COLUMN overlap_until_ms INTEGER;
  CREATE INDEX keys_replaced ON keys (replaced_hash) WHERE replaced_hash IS NOT NULL`,
  `CREATE TABLE handovers (
    handover_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    message TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    idempotency_key TEXT,
    answer TEXT,
    note TEXT,
    answered_ms INTEGER,
    UNIQUE (session_id, idempotency_key)
  ) STRICT;
  CREATE INDEX handovers_newest ON handovers (asked_ms);
  CREATE INDEX handovers_open ON handovers (asked_ms) WHERE answer IS NULL`,
  `CREATE TABLE profiles (
    profile_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    saved_ms INTEGER,
    used_ms INTEGER,
    version INTEGER NOT NULL DEFAULT 0,
    key_id TEXT,
    bytes INTEGER NOT NULL DEFAULT 0,
    sites BLOB,
    state BLOB,
    UNIQUE (owner, name)
  ) STRICT;
  CREATE TABLE profile_uses (
    session_id TEXT PRIMARY KEY,
    profile_id TEXT NOT NULL,
    name TEXT NOT NULL,
    mode TEXT NOT NULL,
    began_ms INTEGER NOT NULL,
    outcome TEXT,
    why TEXT,
    settled_ms INTEGER
  ) STRICT;
  CREATE INDEX profile_uses_of_profile ON profile_uses (profile_id, mode, began_ms);
  CREATE INDEX profile_uses_begun ON profile_uses (began_ms)`,
  `CREATE TABLE files (
    session_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    kept_ms INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (session_id, file_id)
  ) STRICT`,
];

/**
 * Opens the file of records, makes the tables that it lacks, and keeps every other process out of it as long as it is open.
 * The lock falls with the process, however that ends. Nobody else on the machine may read it.
 *
 * @param file - Path, or `:memory:`.
 * @throws {ServiceError} `usage` when another service has it open, when a newer version wrote it, when it is no such file, or when it is damaged.
 */
export function openDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    keepToOwner(file);
    // Not imported: an older Node.js has no such module, and would end before it could say which version is needed.
    const sqlite = process.getBuiltinModule("node:sqlite");
    database = new sqlite.DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.exec("BEGIN EXCLUSIVE");
    requireWhole(database);
    migrate(database, file);
    database.exec("COMMIT");
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof ServiceError) throw cause;
    const why = describeServiceError(cause);
    throw new ServiceError("usage", `${file}: ${adviseOn(why)}`, { cause });
  }
}

function adviseOn(why: string): string {
  if (/malformed/.test(why))
    return `it is damaged (${why}); restore it from a backup, or move it away: what it holds is forgotten then`;
  if (/locked|busy/i.test(why)) return "locked by another service; stop it, or give another folder with `data`";
  return `it can't be used (${why}); ${findRemedy(why)}, or give another folder with \`data\``;
}

function findRemedy(why: string): string {
  if (/full|ENOSPC|disk I\/O|EIO/i.test(why)) return "free disk space, or check the disk";
  if (/EMFILE|ENFILE/.test(why)) return "raise the limit of open files (ulimit -n)";
  // Its records are as good as before: only what is no database of ours is moved away.
  if (/unable to open|readonly|EACCES|EPERM|EROFS/i.test(why))
    return "check its permissions and the limit of open files";
  return "move it away";
}

/** Creates the file for its owner only, and restricts an existing one; SQLite's other files get the same mode. */
function keepToOwner(file: string): void {
  if (file === ":memory:") return;
  // An existing file is not opened: closing it would release the locks of another service in this process.
  if (!existsSync(file)) closeSync(openSync(file, "wx", 0o600));
  for (const end of ["", "-wal", "-shm"]) if (existsSync(file + end)) chmodSync(file + end, 0o600);
}

/**
 * Reads all of the file, at half a second per gigabyte: damage would otherwise be found only when the damaged page is needed. @throws
 * {Error} When it is.
 */
function requireWhole(database: DatabaseSync): void {
  const result = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (result !== "ok") throw new Error(`malformed: ${String(result).replaceAll(/\s+/gu, " ")}`);
}

function migrate(database: DatabaseSync, file: string): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  const missing = listStepsAfter(version, schemaSteps, { name: file, other: "another folder" });
  for (const step of missing) database.exec(step);
  database.exec(`PRAGMA user_version = ${schemaSteps.length}`);
}
