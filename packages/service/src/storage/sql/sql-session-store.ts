import { describeServiceError, ServiceError } from "../../service-error.ts";
import type { KeyQuota } from "../key-store.ts";
import type { Lease } from "../lease-store.ts";
import {
  sessionKeptMs,
  type EndReason,
  type LastPage,
  type SessionFilter,
  withLastPage,
  type SessionRecord,
  type SessionStore,
} from "../session-store.ts";
import { isOfKey, makeKeyValue } from "./conditions.ts";
import { Fence } from "./fence.ts";
import { FencedRows } from "./fenced-rows.ts";
import type { Query, SqlDatabase, SqlValues } from "./sql-database.ts";
import { makeSessionQuotaError } from "../../session-refusals.ts";

const columns = "session_id, created_ms, ended_ms, end_reason, url, title, key_name AS key, recorded";

/** A session as the table has it: SQLite has no booleans. */
interface Row extends Omit<SessionRecord, "recorded"> {
  readonly recorded: boolean | 0 | 1;
}

/** Order of the list of sessions: total, so that a page begins where the one before ended. */
export const newestFirst = "created_ms DESC, session_id DESC";

const follows = "(created_ms, session_id) < (SELECT created_ms, session_id FROM sessions WHERE session_id = :after)";

const states = { active: "ended_ms IS NULL", ended: "ended_ms IS NOT NULL" } as const;

/**
 * Sessions in a file of one process, or in a database that all nodes share. There each belongs to the lease under which it was created: only
 * the holder of that lease changes it, and another node may end it only after the lease is revoked.
 */
export class SqlSessionStore implements SessionStore {
  readonly #database: SqlDatabase;
  readonly #fence: Fence;
  readonly #own: FencedRows<SessionRecord>;

  /**
   * @param lease - Of this node; undefined in a file of one process.
   * @param onFault - Called when a change could not be written.
   */
  constructor(database: SqlDatabase, lease?: Lease, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#fence = new Fence(database, lease);
    this.#own = new FencedRows(database, this.#fence, {
      table: "sessions",
      id: "session_id",
      columns: { ended_ms: "bigint", end_reason: "text", url: "text", title: "text" },
      keptMs: sessionKeptMs,
      onFault,
    });
  }

  async create(sessionId: string, createdMs: number, key: string | null = null, recorded = true): Promise<void> {
    const row = { session_id: sessionId, created_ms: createdMs, recorded };
    const record = { ...row, ended_ms: null, end_reason: null, url: null, title: null, key };
    if (this.#own.get(sessionId)) throw new Error(`session ${sessionId} already exists`);
    // Known before it is written, so that `recover` does not mistake it for an orphan.
    this.#own.know(sessionId, record);
    const insert = (query: Query): Promise<void> => this.#fence.insert(query, "sessions", { ...row, key_name: key });
    try {
      await this.#own.deleteOld(createdMs);
      if (key === null || this.#fence.lease === undefined) await insert(this.#database.query);
      else
        await this.#database.transact(async (query) => {
          await this.#requireQuota(query, key);
          await insert(query);
        });
    } catch (error) {
      if (error instanceof ServiceError && error.code === "busy") {
        this.#own.forget(sessionId);
        throw error;
      }
      // It may have been written all the same, when only the answer was lost.
      this.#own.keep(sessionId, { ...record, ended_ms: createdMs, end_reason: "not-created" });
      throw error;
    }
  }

  async locate(sessionId: string, url: string | null, title: string | null): Promise<void> {
    const own = this.#own.get(sessionId);
    if (own?.ended_ms !== null) return;
    const isKnown = own.url === url && (title ?? own.title) === own.title;
    // Else it writes what could not be written before, too.
    if (isKnown && !this.#own.hasPending) return;
    await this.#own.change(sessionId, { ...own, ...withLastPage(own, url, title) });
  }

  async end(sessionId: string, endedMs: number, reason: EndReason, page: LastPage | null = null): Promise<void> {
    const own = this.#own.get(sessionId);
    if (own?.ended_ms !== null) return;
    await this.#own.change(sessionId, {
      ...own,
      ...(page && withLastPage(own, page.url, page.title)),
      ended_ms: Math.max(endedMs, own.created_ms),
      end_reason: reason,
    });
  }

  async get(sessionId: string): Promise<SessionRecord | undefined> {
    const row = await this.#read(sessionId);
    return row && this.#preferOwn(row);
  }

  async settle(sessionId: string): Promise<SessionRecord | undefined> {
    await this.#own.flush();
    return this.#read(sessionId);
  }

  async findHost(sessionId: string): Promise<Lease | undefined> {
    if (this.#fence.lease === undefined) return undefined;
    const select = "SELECT host AS name, epoch FROM sessions WHERE session_id = :id";
    return (await this.#database.query<Lease>(select, { id: sessionId }))[0];
  }

  async countOpenElsewhere(key: string): Promise<number> {
    const select = `SELECT count(*) AS count FROM sessions
      WHERE key_name = :key AND ended_ms IS NULL AND NOT ${this.#fence.isOwn("sessions")}`;
    const [row] = await this.#database.query<{ count: number }>(select, { key, ...this.#fence.values });
    return row?.count ?? 0;
  }

  async list(limit: number, { key, state, after }: SessionFilter = {}): Promise<readonly SessionRecord[]> {
    // An end that is not written yet is known here: such a row is still open in the database.
    const unwritten = state === "active" ? this.#own.all.filter(({ ended_ms }) => ended_ms !== null).length : 0;
    const where = [isOfKey(key), state ? states[state] : "TRUE", after === undefined ? "TRUE" : follows];
    const rows = await this.#select(`WHERE ${where.join(" AND ")} ORDER BY ${newestFirst} LIMIT :limit`, {
      ...makeKeyValue(key),
      after: after ?? null,
      limit: limit + unwritten,
    });
    const records = rows.map((row) => this.#preferOwn(row));
    return records.filter(({ ended_ms }) => state !== "active" || ended_ms === null).slice(0, limit);
  }

  /** Rows of held leases belong to their nodes; those of its own lease, and those of a file, to this process. */
  async recover(nowMs: number, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<number> {
    const { lease } = this.#fence;
    const count = (await this.#endOwn(lastSeenMs)) + (lease ? await this.#endLost(lease, lastSeenMs) : 0);
    await this.#own.tryDeleteOld(nowMs);
    return count;
  }

  async flush(): Promise<string | undefined> {
    try {
      await this.#database.query("SELECT 1 FROM sessions LIMIT 1");
      await this.#own.flush();
      return undefined;
    } catch (error) {
      return describeServiceError(error);
    }
  }

  /** Ends the open sessions of this process that it does not know: of one before it, or whose creation was not confirmed. */
  async #endOwn(lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<number> {
    const isUnknown = `NOT ${this.#database.dialect.isIn("session_id", "known")}`;
    const orphans = await this.#select(`WHERE ended_ms IS NULL AND ${this.#fence.isOwn("sessions")} AND ${isUnknown}`, {
      ...this.#fence.values,
      known: this.#own.ids,
    });
    let count = 0;
    for (const row of orphans) {
      const seenMs = (await lastSeenMs(row.session_id)) ?? row.created_ms;
      // It was created while the question was on its way.
      if (this.#own.get(row.session_id)) continue;
      const ended_ms = Math.max(Math.round(seenMs), row.created_ms);
      await this.#own.change(row.session_id, { ...row, ended_ms, end_reason: "service-died" });
      count += 1;
    }
    return count;
  }

  /** Ends the open sessions of leases that are revoked. */
  async #endLost({ name }: Lease, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<number> {
    interface Lost extends Lease {
      readonly session_id: string;
      readonly seen_ms: number | null;
    }
    const orphans = await this.#database.query<Lost>(
      `SELECT session_id, host AS name, sessions.epoch, floor(extract(epoch FROM renewed_at) * 1000)::bigint AS seen_ms
        FROM sessions LEFT JOIN leases ON leases.epoch = sessions.epoch WHERE ended_ms IS NULL AND revoked IS NOT FALSE`,
    );
    let count = 0;
    for (const { session_id: id, name: host, epoch, seen_ms } of orphans) {
      const seenMs = (await lastSeenMs(id)) ?? (host === name ? undefined : seen_ms);
      const reason: EndReason = host === name ? "service-died" : "host-lost";
      const ended = await this.#database.query(
        `UPDATE sessions SET ended_ms = greatest(:seen, created_ms), end_reason = :reason
          WHERE session_id = :id AND epoch = :epoch AND ended_ms IS NULL RETURNING 1`,
        { id, epoch, seen: Math.round(seenMs ?? 0), reason },
      );
      count += ended.length;
    }
    return count;
  }

  async #read(sessionId: string): Promise<SessionRecord | undefined> {
    return (await this.#select("WHERE session_id = :id", { id: sessionId }))[0];
  }

  async #select(which: string, values: SqlValues): Promise<readonly SessionRecord[]> {
    const rows = await this.#database.query<Row>(`SELECT ${columns} FROM sessions ${which}`, values);
    return rows.map((row) => Object.assign(row, { recorded: Boolean(row.recorded) }));
  }

  /** Returns the record of an open session of this process as it knows it; other records as they are. */
  #preferOwn(row: SessionRecord): SessionRecord {
    return row.ended_ms === null ? (this.#own.get(row.session_id) ?? row) : row;
  }

  /** Checks the quota of a key; locks its row until the end of the transaction. @throws {ServiceError} `busy` when it is used up */
  async #requireQuota(query: Query, key: string): Promise<void> {
    const lock = this.#database.dialect.lock("FOR UPDATE");
    const [row] = await query<{ quota: string }>(`SELECT quota FROM keys WHERE name = :key ${lock}`, { key });
    const { sessions: most }: Partial<KeyQuota> = row ? JSON.parse(row.quota) : {};
    if (typeof most !== "number") return;
    const [open] = await query<{ count: number }>(
      "SELECT count(*) AS count FROM sessions WHERE key_name = :key AND ended_ms IS NULL",
      { key },
    );
    if ((open?.count ?? 0) >= most) throw makeSessionQuotaError();
  }
}
