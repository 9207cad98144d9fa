import type { Lease } from "./lease-store.ts";

/**
 * Reasons why a session ended.
 *
 * - `requested`: it was ended by the control interface, the command line, or a driver that closed the browser.
 * - `idle`: it was not used for its idle limit.
 * - `time-limit`: it was open for its whole time.
 * - `page-crashed`, `browser-crashed`: its page or its browser crashed.
 * - `memory`: its page used more memory than one may.
 * - `flood`: its pages sent so much (messages of the console, errors, requests, workers) that other sessions had to wait.
 * - `shutdown`: the service was stopped in order.
 * - `service-died`: the service ended without ending it; written at the next start, with the last moment at which it is known to have been open.
 * - `host-lost`: the node that had it was not heard of any more; written by another one, with the last moment at which that node was heard of.
 */
export type EndReason =
  | "requested"
  | "idle"
  | "time-limit"
  | "page-crashed"
  | "browser-crashed"
  | "memory"
  | "flood"
  | "shutdown"
  | "service-died"
  | "host-lost";

/** Record of a session, kept beyond its end. */
export interface SessionRecord {
  /** Its id, a UUID. */
  readonly session_id: string;
  /** When it was created, in milliseconds since 1970. */
  readonly created_ms: number;
  /** When it ended, in milliseconds since 1970; null while it lives. */
  readonly ended_ms: number | null;
  /** Reason of its end; null while it lives. */
  readonly end_reason: EndReason | null;
  /** Address of its page, as last seen; null when it had none. */
  readonly url: string | null;
  /** Title of its page, as last seen. */
  readonly title: string | null;
  /** Name of the key that created it; null for the key that the service was started with. */
  readonly key: string | null;
}

/** How long the record of an ended session is kept, in milliseconds: a week, longer than its recording. */
export const sessionKeptMs = 7 * 24 * 3_600_000;

/**
 * The sessions of the service, those that have ended too. What can't be written, because the disk is full, say, is known to this
 * process all the same, and written with the next change that can be, or by {@link SessionStore.flush}.
 */
export interface SessionStore {
  /**
   * Keeps a session that was created, with the name of its key, and forgets what ended long ago.
   *
   * @throws {ServiceError} `busy` when other nodes have been given, meanwhile, what the key may have. Other errors when it can't be written.
   */
  create(sessionId: string, createdMs: number, key?: string | null): Promise<void>;
  /** Keeps where an open session is; does nothing when it has ended. A title that is not known is the last one, as long as the address is the same. */
  locate(sessionId: string, url: string | null, title: string | null): Promise<void>;
  /**
   * Keeps that a session has ended, and why; the first end counts. It is never before the creation, also when the clock was set back.
   *
   * @param place - Where it was last; null when that is not known, and what was kept stays.
   */
  end(sessionId: string, endedMs: number, reason: EndReason, place?: LastPlace | null): Promise<void>;
  /** Returns the record of a session, or undefined if no session has that id. */
  get(sessionId: string): Promise<SessionRecord | undefined>;
  /**
   * The record of a session as every process reads it from now on: what is not written yet is written first. Rejects when it can't be,
   * and other nodes would read something else; a process that is the only one reads what it knows.
   */
  settled(sessionId: string): Promise<SessionRecord | undefined>;
  /** The lease under which a session was created; undefined when there is no such session, and where only one process can have sessions. */
  hostOf(sessionId: string): Promise<Lease | undefined>;
  /** How many sessions of a key are open that other nodes have; 0 where only one process can have sessions. */
  openElsewhere(key: string): Promise<number>;
  /** The newest sessions first: those of one key, or, when none is named, all. */
  list(limit: number, key?: string | null): Promise<readonly SessionRecord[]>;
  /**
   * Ends orphaned sessions, and deletes old records: sessions that an earlier process left open, and those of nodes whose
   * lease is revoked. Those of a node whose lease is not stay as they are.
   *
   * @param lastSeenMs - When a session is last known to have been open; undefined if unknown: it then counts as ended at its start.
   */
  recover(nowMs: number, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<void>;
  /** Writes what could not be written before. Returns why it still can't be, in words; undefined when nothing is left, and reading works. */
  flush(): Promise<string | undefined>;
}

/** Where a session was when it ended. */
export interface LastPlace {
  /** Address of its page. */
  readonly url: string;
  /** Title of its page; null when it is not known. */
  readonly title: string | null;
}

/** Where a session is from now on. A title that is not known is the last one, as long as the address is the same. */
export function placed(
  before: SessionRecord,
  url: string | null,
  title: string | null,
): Pick<SessionRecord, "url" | "title"> {
  return { url, title: title ?? (before.url === url ? before.title : null) };
}
