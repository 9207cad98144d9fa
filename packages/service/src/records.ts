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
import { SqliteFileIndex } from "./storage/sqlite/sqlite-file-index.ts";
import { SqliteFunctionStore } from "./storage/sqlite/sqlite-function-store.ts";
import { SqliteHandoverStore } from "./storage/sqlite/sqlite-handover-store.ts";
import { SqliteKeyStore } from "./storage/sqlite/sqlite-key-store.ts";
import { SqliteProfileStore } from "./storage/sqlite/sqlite-profile-store.ts";
import { SqliteRecordingIndex } from "./storage/sqlite/sqlite-recording-index.ts";
import { SqliteRunStore } from "./storage/sqlite/sqlite-run-store.ts";
import { SqliteSessionStore } from "./storage/sqlite/sqlite-session-store.ts";

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
export function ownRecords(database: DatabaseSync, log: Logger): Records {
  const sessions = new SqliteSessionStore(database, (err) =>
    log.error({ err }, "a record of a session can't be written"),
  );
  const runs = new SqliteRunStore(database, (err) => log.error({ err }, "a record of a run can't be written"));
  const functions = new SqliteFunctionStore(database, (err) => log.error({ err }, "a function can't be written"));
  const keys = new SqliteKeyStore(database);
  const recordings = new SqliteRecordingIndex(database);
  const files = new SqliteFileIndex(database);
  return {
    sessions,
    runs,
    functions,
    keys,
    recordings,
    handovers: new SqliteHandoverStore(database),
    profiles: new SqliteProfileStore(database),
    files,
    write: async () => (await sessions.flush()) ?? (await runs.flush()) ?? functions.flush(),
  };
}
