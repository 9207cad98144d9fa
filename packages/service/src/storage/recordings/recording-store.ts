import type { RecordedSession, Recorder, RecordingView, Replay, StoredTimeline } from "@cloud-browser/recorder";

/** The recordings of sessions, wherever they are kept. */
export interface RecordingStore {
  /**
   * Begins to record a session.
   *
   * @throws {RecorderError} `encoder-missing`, `usage`, `storage-failed`.
   * @throws {ServiceError} `storage-failed`.
   */
  begin(session: RecordedSession): Promise<Recorder>;
  /**
   * The replay of a session that has ended.
   *
   * @param waitMs - How long one that is being finished is waited for, in milliseconds. Default: not at all.
   * @throws {RecorderError} `unknown-session`, `recording-not-ready`, `recording-delayed`, `recording-empty`, `recording-deleted`,
   * `recording-failed`.
   * @throws {ServiceError} `storage-failed`.
   */
  getReplay(sessionId: string, waitMs?: number): Promise<Replay>;
  /**
   * Reads what is kept of the timeline of a session, as far as it is written; undefined when it was not recorded, or only a node that is down
   * has it.
   *
   * @throws {RecorderError} `recording-deleted`, `storage-failed`.
   * @throws {ServiceError} `storage-failed`.
   */
  readTimeline(sessionId: string): Promise<StoredTimeline | undefined>;
  /**
   * Deletes the recording of a session before it is due. From then on nobody gets it; its files go soon after.
   *
   * @throws {RecorderError} `unknown-session`, `recording-not-ready` while it is being made, `storage-failed`.
   */
  delete(sessionId: string): Promise<void>;
  /**
   * Resolves when all that was recorded of a session outlives this process and its disk, as far as it ever will.
   *
   * @param waitMs - When it resolves at the latest, in milliseconds: a store may refuse, or be slow.
   */
  waitUntilSecured(sessionId: string, waitMs: number): Promise<void>;
  /** How far the recordings of sessions are; those without one are left out. */
  readViews(sessionIds: readonly string[]): Promise<ReadonlyMap<string, RecordingView>>;
  /** Returns whether every node has the recording of a session, also while the node that recorded it is down. */
  isShared(sessionId: string): Promise<boolean>;
  /** The last moment at which a session is known here to have been open, in milliseconds since 1970; undefined if unknown. */
  findLastSeen(sessionId: string): Promise<number | undefined>;
  /** Returns why recordings can't be finished at the moment, in words that name no path; undefined when they can. */
  findFault(): Promise<string | undefined>;
  /** Finishes what a process that died left. */
  recover(): Promise<void>;
  /** Ends what is still recorded. What is not finished in time is finished later, here or elsewhere. */
  close(): Promise<void>;
  /** Bytes of pictures that this process has written. */
  readonly bytes: number;
  /** How long no write of the session that waits longest has succeeded, in milliseconds. */
  readonly lagMs: number;
  /** For how long the recording that waits longest has not been shipped whole, in milliseconds; 0 where none is. */
  readonly shippingLagMs: number;
  /** Bytes of recordings that are not shipped; 0 where none is. */
  readonly unshippedBytes: number;
}
