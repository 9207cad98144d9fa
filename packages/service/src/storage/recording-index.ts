import type { RecordingState } from "@cloud-browser/recorder";

/** What is known of a recording that lies in a bucket. */
export interface IndexedRecording {
  /** How far it is. */
  readonly state: RecordingState;
  /** Folder of its replay in the bucket; null while there is none. */
  readonly folder: string | null;
  /** Whether a live node owns it, and records it, finishes it, or deletes it when it is due. */
  readonly isHeld: boolean;
}

/** A recording that is done, and its replay. */
export interface TakenRecording {
  readonly sessionId: string;
  /** Folder of its replay in the bucket; null when it has none. */
  readonly folder: string | null;
}

/** How long it is known that a recording was deleted, in milliseconds: a week. */
export const deletedKeptMs = 7 * 24 * 3_600_000;

/**
 * The recordings that lie in a bucket, and who works on each. A recording is one process's at a time: another one takes it over only when
 * nobody has it any more, and what the one before writes has no effect then. So each is finished once, and deleted once.
 *
 * Every call rejects when the store can't be used.
 */
export interface RecordingIndex {
  /** Keeps a recording that begins; it is this process's. */
  create(state: RecordingState): Promise<void>;
  /**
   * Keeps what is new of a recording of this process.
   *
   * @param folder - Of its replay; null when there is none.
   * @returns Whether it still is this process's; nothing is kept when it is not.
   */
  change(state: RecordingState, folder: string | null): Promise<boolean>;
  /** Forgets a recording of this process that did not come about. */
  remove(sessionId: string): Promise<void>;
  /** The recordings of these sessions, in any order; those of which nothing is known are left out. */
  get(sessionIds: readonly string[]): Promise<readonly IndexedRecording[]>;
  /**
   * Takes a recording over if it has no owner any more.
   *
   * @returns `own` when this process owns it; `taken` when another one does, or it is finished or deleted already;
   * `unknown` when there is none.
   */
  take(sessionId: string): Promise<"own" | "taken" | "unknown">;
  /** The unfinished recordings of this process, after taking over some that have no owner. @param most - Limit of those taken over. */
  takeUnfinished(most: number): Promise<readonly RecordingState[]>;
  /**
   * Takes over recordings that are done and have no owner any more: whoever finished one may have died before it
   * removed what else is in the bucket. Returns each once.
   */
  takeDone(most: number): Promise<readonly TakenRecording[]>;
  /** Some recordings of this process, or without an owner, that are due for deletion and not known to be deleted. */
  takeDue(nowMs: number, most: number): Promise<readonly RecordingState[]>;
  /** Forgets those that were deleted long ago. */
  forget(nowMs: number): Promise<void>;
}
