import type { DatabaseSync } from "node:sqlite";
import {
  withLastPage,
  sessionKeptMs,
  type EndReason,
  type LastPage,
  type SessionFilter,
  type SessionRecord,
  type SessionStore,
} from "../session-store.ts";
import { followsInList, inState, newestFirst } from "../session-list.ts";
import { describeServiceError } from "../../service-error.ts";

const columns = "session_id, created_ms, ended_ms, end_reason, url, title, key_name AS key, recorded";

type Change = Partial<Pick<SessionRecord, "ended_ms" | "end_reason" | "url" | "title">>;

/** A session as the table has it: without booleans. */
interface Row extends Omit<SessionRecord, "recorded"> {
  readonly recorded: 0 | 1;
}

/** Sessions in the database of one process. Each call is one turn of the event loop: nothing comes between its reads and its writes. */
export class SqliteSessionStore implements SessionStore {
  readonly #database: DatabaseSync;
  readonly #onFault: (error: unknown) => void;
  readonly #unwritten = new Map<string, Change>();
  /** Those that this process has created, and not ended. */
  readonly #own = new Set<string>();

  /**
   * @param database - Opened by `openDatabase`.
   * @param onFault - Called when a change could not be written.
   */
  constructor(database: DatabaseSync, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#onFault = onFault;
  }

  async create(sessionId: string, createdMs: number, key: string | null = null, recorded = true): Promise<void> {
    this.#forgetOld(createdMs);
    const insert = "INSERT INTO sessions (session_id, created_ms, key_name, recorded) VALUES (?, ?, ?, ?)";
    this.#database.prepare(insert).run(sessionId, createdMs, key, Number(recorded));
    this.#own.add(sessionId);
  }

  async locate(sessionId: string, url: string | null, title: string | null): Promise<void> {
    const before = this.#read(sessionId);
    if (before?.ended_ms === null) this.#change(sessionId, withLastPage(before, url, title));
  }

  async end(sessionId: string, endedMs: number, reason: EndReason, page: LastPage | null = null): Promise<void> {
    const isOwn = this.#own.delete(sessionId);
    const record = this.#readOwn(sessionId, isOwn);
    if (record?.ended_ms !== null) return;
    this.#change(sessionId, {
      ...(page && withLastPage(record, page.url, page.title)),
      ended_ms: Math.max(endedMs, record.created_ms),
      end_reason: reason,
    });
  }

  async get(sessionId: string): Promise<SessionRecord | undefined> {
    return this.#read(sessionId);
  }

  /** The file is locked, so no other process reads anything. */
  settled(sessionId: string): Promise<SessionRecord | undefined> {
    return this.get(sessionId);
  }

  /** The file is locked, so no other process has any. */
  async findHost(): Promise<undefined> {
    return undefined;
  }

  /** The file is locked, so no other process has any. */
  async openElsewhere(): Promise<number> {
    return 0;
  }

  async list(limit: number, { key, state, after }: SessionFilter = {}): Promise<readonly SessionRecord[]> {
    const [ofKey, ...values] = key === undefined ? ["TRUE"] : ["key_name IS ?", key];
    // An end that is not written yet is known here: such a row is still open in the file.
    const unwritten = state === "active" ? this.#unwritten.size : 0;
    const follows = after === undefined ? "TRUE" : followsInList("?");
    const where = `${ofKey} AND ${inState(state)} AND ${follows}`;
    const select = `SELECT ${columns} FROM sessions WHERE ${where} ORDER BY ${newestFirst} LIMIT ?`;
    const from = after === undefined ? [] : [after];
    const rows = this.#database.prepare(select).all(...values, ...from, limit + unwritten);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    const known = (rows as unknown as Row[]).map((row) => this.#known(row));
    return known.filter(({ ended_ms }) => state !== "active" || ended_ms === null).slice(0, limit);
  }

  /** The file is locked: open records that are not its own are orphaned. */
  async recover(nowMs: number, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<number> {
    const open = this.#database.prepare("SELECT session_id, created_ms FROM sessions WHERE ended_ms IS NULL").all();
    const left = open.filter((row) => !this.#own.has(String(row["session_id"])));
    for (const row of left) {
      const id = String(row["session_id"]);
      await this.end(id, (await lastSeenMs(id)) ?? Number(row["created_ms"]), "service-died");
    }
    try {
      this.#forgetOld(nowMs);
    } catch (error) {
      this.#onFault(error);
    }
    return left.length;
  }

  async flush(): Promise<string | undefined> {
    try {
      this.#database.prepare("SELECT 1 FROM sessions LIMIT 1").get();
      this.#write();
      return undefined;
    } catch (error) {
      return describeServiceError(error);
    }
  }

  /** The record of a session that ends: where it can't be read, one of this process is known to be open, and its end is written later. */
  #readOwn(
    sessionId: string,
    isOwn: boolean,
  ): Pick<SessionRecord, "created_ms" | "ended_ms" | "url" | "title"> | undefined {
    try {
      return this.#read(sessionId);
    } catch (error) {
      if (!isOwn) throw error;
      this.#onFault(error);
      const { url = null, title = null } = this.#unwritten.get(sessionId) ?? {};
      return { created_ms: 0, ended_ms: null, url, title };
    }
  }

  #read(sessionId: string): SessionRecord | undefined {
    const row = this.#database.prepare(`SELECT ${columns} FROM sessions WHERE session_id = ?`).get(sessionId);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return row && this.#known(row as unknown as Row);
  }

  #forgetOld(nowMs: number): void {
    this.#database.prepare("DELETE FROM sessions WHERE ended_ms < ?").run(nowMs - sessionKeptMs);
  }

  #known(row: Row): SessionRecord {
    return { ...row, recorded: row.recorded === 1, ...this.#unwritten.get(row.session_id) };
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
