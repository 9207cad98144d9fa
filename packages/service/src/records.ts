import type { DatabaseSync } from "node:sqlite";
import type { Logger } from "pino";
import type { FileIndex } from "./storage/file-index.ts";
import type { FunctionStore } from "./storage/function-store.ts";
import type { HandoverStore } from "./storage/handover-store.ts";
import type { KeyStore } from "./storage/key-store.ts";
import type { ProfileStore } from "./storage/profile-store.ts";
import type { RecordingIndex } from "./storage/recording-index.ts";
import type { RunStore } from "./storage/run-store.ts";
import type { SessionStore } from "./storage/session-store.ts";
import { SqlFileIndex } from "./storage/sql/sql-file-index.ts";
import { SqlFunctionStore } from "./storage/sql/sql-function-store.ts";
import { SqlHandoverStore } from "./storage/sql/sql-handover-store.ts";
import { SqlKeyStore } from "./storage/sql/sql-key-store.ts";
import { SqlProfileStore } from "./storage/sql/sql-profile-store.ts";
import { SqlRecordingIndex } from "./storage/sql/sql-recording-index.ts";
import { SqlRunStore } from "./storage/sql/sql-run-store.ts";
import { SqlSessionStore } from "./storage/sql/sql-session-store.ts";
import { SqliteDatabase } from "./storage/sqlite/sqlite-database.ts";

/** Stores of the service's records, wherever they are. */
export interface Records {
  /** Its sessions. */
  readonly sessions: SessionStore;
  /** Its runs. */
  readonly runs: RunStore;
  /** Its functions. */
  readonly functions: FunctionStore;
  /** The keys beside the one that it was started with. */
  readonly keys: KeyStore;
  /** The recordings that lie in a bucket. */
  readonly recordings: RecordingIndex;
  /** The requests for a person. */
  readonly handovers: HandoverStore;
  /** Profiles that sessions begin with. */
  readonly profiles: ProfileStore;
  /** The files of its sessions. */
  readonly files: FileIndex;
  /** Writes what could not be written before. Returns why it still can't be, in words; undefined when nothing is left. */
  write(): Promise<string | undefined>;
}

/** The records of a process that is the whole service. */
export function openOwnRecords(file: DatabaseSync, log: Logger): Records {
  const database = new SqliteDatabase(file);
  const logAs = (message: string) => (err: unknown) => log.error({ err }, message);
  const sessions = new SqlSessionStore(database, undefined, logAs("a record of a session can't be written"));
  const runs = new SqlRunStore(database, undefined, logAs("a record of a run can't be written"));
  const functions = new SqlFunctionStore(database, false, logAs("a function can't be written"));
  return {
    sessions,
    runs,
    functions,
    keys: new SqlKeyStore(database),
    recordings: new SqlRecordingIndex(database),
    files: new SqlFileIndex(database),
    handovers: new SqlHandoverStore(database),
    profiles: new SqlProfileStore(database),
    write: async () => (await sessions.flush()) ?? (await runs.flush()) ?? functions.flush(),
  };
}
