/** How far a file of a session is. */
export type FileState = "in_progress" | "complete" | "canceled" | "failed";

/** A file of a session: a page has downloaded it, or a client has uploaded it. */
export interface FileRecord {
  /** Its session. */
  readonly session_id: string;
  /** Its id, a UUID; of a download the `guid` that CDP clients are told. */
  readonly file_id: string;
  /** Way in which the file came. */
  readonly origin: "download" | "upload";
  /** State of the file: only one that is `complete` can be fetched. */
  readonly state: FileState;
  /** Reason why the file is canceled or failed, without a path and an address; null otherwise. */
  readonly reason: string | null;
  /** Its name, safe as a file name; unique in the session. */
  readonly name: string;
  /** Size in bytes; of a download that is in progress, of what came so far. */
  readonly size: number;
  /** Time at which the file was begun, in milliseconds since 1970. */
  readonly created_ms: number;
}

/**
 * The files of all sessions, without their bytes. A file is kept for as long after the end of its session as it was saved with, and not
 * longer than the record of the session.
 *
 * Every call rejects when the store is unavailable.
 */
export interface FileIndex {
  /** Adds a file, or replaces the one with its id. @param keptMs - How long it is kept after the end of its session, in milliseconds. */
  save(file: FileRecord, keptMs: number): Promise<void>;
  /** Returns the files of a session that are kept, the oldest first. */
  list(sessionId: string, nowMs: number): Promise<readonly FileRecord[]>;
  /** Makes the files of a session due now, if it has ended. Nobody gets them from then on. */
  expire(sessionId: string): Promise<void>;
  /** Returns sessions with files that are due: since when they ended, or as the index knows of no such session any more. */
  listDue(nowMs: number, limit: number): Promise<readonly string[]>;
  /** Returns those of some sessions that have files which are not due. */
  findKept(sessionIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>>;
  /** Removes the files of a session. */
  remove(sessionId: string): Promise<void>;
}
