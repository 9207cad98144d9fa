import type { DatabaseSync } from "node:sqlite";

/**
 * Why a session ended.
 *
 * - `requested`: somebody ended it: the control interface, the command line, or its driver closed the browser.
 * - `idle`: nobody did anything with it for its idle limit.
 * - `time-limit`: it was open for its whole time.
 * - `page-crashed`, `browser-crashed`: what it ran in died.
 * - `memory`: its page used more memory than one may.
 * - `flood`: its pages sent so much (messages of the console, errors, requests, workers) that other sessions had to wait.
 * - `shutdown`: the service was stopped in order.
 * - `service-died`: the service ended without ending it; written at the next start, with the last moment at which it is known to have been open.
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
  | "service-died";

/** What is kept of a session beyond its life. */
export interface SessionRecord {
  /** Its id, a UUID. */
  readonly session_id: string;
  /** When it was created, in milliseconds since 1970. */
  readonly created_ms: number;
  /** When it ended, in milliseconds since 1970; null while it lives. */
  readonly ended_ms: number | null;
  /** Why it ended; null while it lives. */
  readonly end_reason: EndReason | null;
  /** Address of its page, as last seen; null when it had none. */
  readonly url: string | null;
  /** Title of its page, as last seen. */
  readonly title: string | null;
}

/** How long the record of an ended session is kept, in milliseconds: a week, longer than its recording. */
const keptMs = 7 * 24 * 3_600_000;

const columns = "session_id, created_ms, ended_ms, end_reason, url, title";

type Change = Partial<Pick<SessionRecord, "ended_ms" | "end_reason" | "url" | "title">>;

/**
 * The sessions of this service, those that have ended too. What can't be written, because the disk is full, say, is known all
 * the same, and written with the next change that can be, or by {@link SessionRecords.flush}.
 */
export class SessionRecords {
  readonly #database: DatabaseSync;
  readonly #onFault: (error: unknown) => void;
  readonly #unwritten = new Map<string, Change>();

  /**
   * @param database - Opened by `openDatabase`.
   * @param onFault - Told of a change that could not be written.
   */
  constructor(database: DatabaseSync, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#onFault = onFault;
  }

  /** Keeps a session that was created, and forgets what ended long ago. Throws when it can't be written. */
  create(sessionId: string, createdMs: number): void {
    this.#forgetOld(createdMs);
    this.#database.prepare("INSERT INTO sessions (session_id, created_ms) VALUES (?, ?)").run(sessionId, createdMs);
  }

  /** Keeps where a session is. A title that is not known is the last one, as long as the address is the same. */
  locate(sessionId: string, url: string | null, title: string | null): void {
    const before = this.get(sessionId);
    this.#change(sessionId, { url, title: title ?? (before?.url === url ? before.title : null) });
  }

  /** Keeps that a session has ended, and why; the first end counts. It is never before the creation, also when the clock was set back. */
  end(sessionId: string, endedMs: number, reason: EndReason): void {
    const record = this.get(sessionId);
    if (record?.ended_ms !== null) return;
    this.#change(sessionId, { ended_ms: Math.max(endedMs, record.created_ms), end_reason: reason });
  }

  /** The record of a session; undefined when there is none. */
  get(sessionId: string): SessionRecord | undefined {
    const row = this.#database.prepare(`SELECT ${columns} FROM sessions WHERE session_id = ?`).get(sessionId);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return this.#known(row as SessionRecord | undefined);
  }

  /** The newest sessions first. */
  list(limit: number): SessionRecord[] {
    const rows = this.#database.prepare(`SELECT ${columns} FROM sessions ORDER BY created_ms DESC LIMIT ?`).all(limit);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return (rows as unknown as SessionRecord[]).map((row) => this.#known(row));
  }

  /**
   * Ends what an earlier process left open, and forgets what ended long ago.
   *
   * @param lastSeenMs - When a session is last known to have been open; undefined when nothing tells: it counts as ended at once then.
   */
  async recover(nowMs: number, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<void> {
    const left = this.#database.prepare("SELECT session_id, created_ms FROM sessions WHERE ended_ms IS NULL").all();
    for (const row of left) {
      const id = String(row["session_id"]);
      this.end(id, (await lastSeenMs(id)) ?? Number(row["created_ms"]), "service-died");
    }
    try {
      this.#forgetOld(nowMs);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Writes what could not be written before. Returns why it still can't be, in words; undefined when nothing is left, and reading works. */
  flush(): string | undefined {
    try {
      this.#database.prepare("SELECT count(*) FROM sessions").get();
      this.#write();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #forgetOld(nowMs: number): void {
    this.#database.prepare("DELETE FROM sessions WHERE ended_ms < ?").run(nowMs - keptMs);
  }

  #known<Row extends SessionRecord | undefined>(row: Row): Row {
    const unwritten = row && this.#unwritten.get(row.session_id);
    return unwritten ? { ...row, ...unwritten } : row;
  }

  #change(sessionId: string, change: Change): void {
    this.#unwritten.set(sessionId, { ...this.#unwritten.get(sessionId), ...change });
    try {
      this.#write();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #write(): void {
    for (const [id, all] of this.#unwritten) {
      const names = Object.keys(all).map((name) => `${name} = :${name}`);
      this.#database.prepare(`UPDATE sessions SET ${names.join(", ")} WHERE session_id = :id`).run({ id, ...all });
      this.#unwritten.delete(id);
    }
  }
}
