import type { RecordingState } from "@cloud-browser/recorder";

/** A recording in a bucket, as the index knows it. */
export interface IndexedRecording {
  /** Its progress: recorded, encoded, deleted. */
  readonly state: RecordingState;
  /** Folder of its replay in the bucket; null while there is none. */
  readonly folder: string | null;
  /** True when a live node owns it, and records it, finishes it, or deletes it when it is due. */
  readonly isHeld: boolean;
}

/** A recording that is done, and its replay. */
export interface TakenRecording {
  readonly sessionId: string;
  /** Folder of its replay in the bucket; null when it has none. */
  readonly folder: string | null;
}

/** How long the index remembers a deleted recording, in milliseconds: a week. */
export const deletedKeptMs = 7 * 24 * 3_600_000;

/**
 * Index of the recordings in a bucket, with the owner of each. A recording has one owner at a time. Another process takes it over only when
 * the lease of its owner is revoked, and writes of the former owner have no effect then. So each is finished once, and deleted once.
 *
 * Every call rejects when the store is unavailable.
 */
export interface RecordingIndex {
  /** Adds a recording that begins; this process owns it. */
  create(state: RecordingState): Promise<void>;
  /**
   * Stores a new state of a recording that this process owns.
   *
   * @param folder - Folder of its replay; null without a replay.
   * @returns Whether this process still owns it; nothing is stored when it does not.
   */
  change(state: RecordingState, folder: string | null): Promise<boolean>;
  /**
   * Makes a recording due now, whoever owns it.
   *
   * @returns False when it is not finished, is deleted already, or there is none.
   */
  expire(sessionId: string, nowMs: number): Promise<boolean>;
  /** Removes a recording of this process that failed to start. */
  remove(sessionId: string): Promise<void>;
  /** Returns the recordings of these sessions, in any order; unknown ones are left out. */
  get(sessionIds: readonly string[]): Promise<readonly IndexedRecording[]>;
  /**
   * Takes a recording over if it has no owner any more.
   *
   * @returns `own` when this process owns it; `taken` when another one does, or it is finished or deleted already;
   * `unknown` when there is none.
   */
  claim(sessionId: string): Promise<"own" | "taken" | "unknown">;
  /** Takes over unfinished recordings without an owner, and returns all unfinished ones of this process. @param limit - Maximum number to take over. */
  takeUnfinished(limit: number): Promise<readonly RecordingState[]>;
  /**
   * Takes over finished recordings without an owner: it may have died before it removed the journal from the bucket.
   * Returns each once.
   */
  takeDone(limit: number): Promise<readonly TakenRecording[]>;
  /** Returns recordings that are due for deletion, of this process or without an owner. */
  takeDue(nowMs: number, limit: number): Promise<readonly RecordingState[]>;
  /** Removes entries of recordings that were deleted more than {@link deletedKeptMs} ago. */
  forget(nowMs: number): Promise<void>;
}
