import type { Lease } from "./lease-store.ts";

/**
 * Reasons why a session ended.
 *
 * - `requested`: it was ended by the control interface, the command line, or a driver that closed the browser.
 * - `not-created`: it could not be created, or its client left meanwhile; nobody has had it.
 * - `idle`: it was not used for its idle limit.
 * - `unused`: nothing was done with it from the beginning, for the limit of such sessions.
 * - `time-limit`: it reached its maximum duration.
 * - `page-crashed`, `browser-crashed`: its page or its browser crashed.
 * - `memory`: its page used more memory than one may.
 * - `flood`: its pages sent more than the limit (console messages, errors, requests, workers, popups), and would have slowed down other sessions.
 * - `shutdown`: the service was stopped.
 * - `service-died`: the service died; written at the next start, with the last time at which the session is known to have been open.
 * - `host-lost`: the lease of its node was revoked; written by another node, with the time of the last renewal.
 */
export type EndReason =
  | "requested"
  | "not-created"
  | "idle"
  | "unused"
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
  /** False when it asked not to be recorded. */
  readonly recorded: boolean;
}

/** How long the record of an ended session is kept, in milliseconds: a week, longer than its recording. */
export const sessionKeptMs = 7 * 24 * 3_600_000;

/**
 * The sessions of the service, open and ended. A change that can't be written (for example, because the disk is full) stays pending in this
 * process, and is written with the next change, or by {@link SessionStore.flush}.
 */
export interface SessionStore {
  /**
   * Adds a session, with the name of its key and whether it is recorded (default: it is), and deletes sessions that ended long ago.
   *
   * @throws {ServiceError} `busy` when sessions on other nodes have used up the quota of the key meanwhile. Other errors when the store is unavailable.
   */
  create(sessionId: string, createdMs: number, key?: string | null, recorded?: boolean): Promise<void>;
  /** Stores the address and title of an open session; does nothing when it has ended. A null title keeps the last one if the address is the same. */
  locate(sessionId: string, url: string | null, title: string | null): Promise<void>;
  /**
   * Stores the end of a session and its reason; the first end counts. It is never before the creation, even when the clock was set back.
   *
   * @param page - Its last address and title; null when unknown: the stored ones stay.
   */
  end(sessionId: string, endedMs: number, reason: EndReason, page?: LastPage | null): Promise<void>;
  /** Returns the record of a session, or undefined if no session has that id. */
  get(sessionId: string): Promise<SessionRecord | undefined>;
  /**
   * Writes pending changes of a session, and returns its record as all nodes read it. Rejects when they can't be
   * written.
   */
  settle(sessionId: string): Promise<SessionRecord | undefined>;
  /** Returns the lease under which a session was created; undefined when there is no such session, and in a store of one process. */
  findHost(sessionId: string): Promise<Lease | undefined>;
  /** Returns how many sessions of a key are open on other nodes; 0 in a store of one process. */
  countOpenElsewhere(key: string): Promise<number>;
  /** Returns sessions, the newest first. */
  list(limit: number, filter?: SessionFilter): Promise<readonly SessionRecord[]>;
  /**
   * Ends orphaned sessions (left open by an earlier process, or by a node whose lease is revoked), and deletes old records.
   * Sessions of nodes that hold a lease stay as they are. Resolves with how many were ended.
   *
   * @param lastSeenMs - Returns when a session is last known to have been open; undefined if unknown: its end is its start then.
   */
  recover(nowMs: number, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<number>;
  /** Writes pending changes. Returns the reason when some remain or reading fails; undefined otherwise. */
  flush(): Promise<string | undefined>;
}

/** Which sessions a list has. */
export interface SessionFilter {
  /** Those of one key; null: of the key that the service was started with. Default: those of all. */
  readonly key?: string | null | undefined;
  /** Those in one state. Default: both. */
  readonly state?: "active" | "ended" | undefined;
  /** Id of a session: those that come after it in the list of all, also when others are created or it ends; none when it is unknown. Default: from the newest. */
  readonly after?: string | undefined;
}

/** Last address and title of a session. */
export interface LastPage {
  /** Address of its page. */
  readonly url: string;
  /** Title of its page; null when it is not known. */
  readonly title: string | null;
}

/** Returns the new address and title of a session. A null title keeps the last one if the address is the same. */
export function withLastPage(
  before: Pick<SessionRecord, "url" | "title">,
  url: string | null,
  title: string | null,
): Pick<SessionRecord, "url" | "title"> {
  return { url, title: title ?? (before.url === url ? before.title : null) };
}
