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
import { followsInList, inState, newestFirst } from "../session-list.ts";
import { storableText, whereKey } from "./sql.ts";
import { insertedUnder } from "./lease-fence.ts";
import { LeasedRows } from "./leased-rows.ts";
import type { PostgresDatabase, Query } from "./postgres-database.ts";

/** Where a session is, and how it is shown. */
interface Row extends SessionRecord {
  readonly host: string;
  readonly epoch: number;
}

const columns = "session_id, created_ms, ended_ms, end_reason, url, title, key_name AS key, recorded";

const byOneStatement = `UPDATE sessions AS kept
  SET ended_ms = own.ended_ms, end_reason = own.end_reason, url = own.url, title = own.title
  FROM json_to_recordset($1) AS own (session_id text, ended_ms bigint, end_reason text, url text, title text)
  WHERE kept.session_id = own.session_id AND kept.epoch = $2 AND kept.ended_ms IS NULL`;

/**
 * Sessions in a database that all nodes share. Each belongs to the lease under which it was created: only the holder of that lease changes
 * it, and another node may end it only after the lease is revoked.
 */
export class PostgresSessionStore implements SessionStore {
  readonly #database: PostgresDatabase;
  readonly #lease: Lease;
  readonly #own: LeasedRows<SessionRecord>;

  /**
   * @param lease - Of this node.
   * @param onFault - Called when a change could not be written.
   */
  constructor(database: PostgresDatabase, lease: Lease, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#lease = lease;
    this.#own = new LeasedRows(database, lease, {
      table: "sessions",
      keptMs: sessionKeptMs,
      update: byOneStatement,
      writable,
      onFault,
    });
  }

  async create(sessionId: string, createdMs: number, key: string | null = null, recorded = true): Promise<void> {
    const row = {
      session_id: sessionId,
      created_ms: createdMs,
      ended_ms: null,
      end_reason: null,
      url: null,
      title: null,
      key,
      recorded,
    };
    if (this.#own.get(sessionId)) throw new Error(`session ${sessionId} already exists`);
    // Known before it is written, so that `recover` does not mistake it for an orphan.
    this.#own.know(sessionId, row);
    try {
      await this.#own.deleteOld(createdMs);
      const insert = (query: Query): Promise<void> =>
        insertedUnder(
          this.#lease,
          query,
          "INSERT INTO sessions (session_id, created_ms, key_name, recorded, host, epoch)",
          [sessionId, createdMs, key, recorded],
        );
      if (key === null) await insert(this.#database.query);
      else
        await this.#database.transaction(async (query) => {
          await requireQuota(query, key);
          await insert(query);
        });
    } catch (error) {
      if (error instanceof ServiceError && error.code === "busy") {
        this.#own.forget(sessionId);
        throw error;
      }
      // It may have been written all the same, when only the answer was lost.
      this.#own.keep(sessionId, { ...row, ended_ms: createdMs, end_reason: "requested" });
      throw error;
    }
  }

  async locate(sessionId: string, url: string | null, title: string | null): Promise<void> {
    const own = this.#own.get(sessionId);
    if (own?.ended_ms === null) await this.#own.change(sessionId, { ...own, ...withLastPage(own, url, title) });
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
    return row && this.#known(row);
  }

  async settled(sessionId: string): Promise<SessionRecord | undefined> {
    await this.#own.flush();
    return this.#read(sessionId);
  }

  async findHost(sessionId: string): Promise<Lease | undefined> {
    const [row] = await this.#database.query<Row>("SELECT host, epoch FROM sessions WHERE session_id = $1", [
      sessionId,
    ]);
    return row && { name: row.host, epoch: row.epoch };
  }

  async openElsewhere(key: string): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(
      "SELECT count(*) FROM sessions WHERE key_name = $1 AND ended_ms IS NULL AND epoch <> $2",
      [key, this.#lease.epoch],
    );
    return row?.count ?? 0;
  }

  async list(limit: number, { key, state, after }: SessionFilter = {}): Promise<readonly SessionRecord[]> {
    // An end that is not written yet is known here: such a row is still open in the database.
    const unwritten = state === "active" ? this.#own.all.filter(({ ended_ms }) => ended_ms !== null).length : 0;
    const values = [
      limit + unwritten,
      ...(typeof key === "string" ? [key] : []),
      ...(after === undefined ? [] : [after]),
    ];
    const follows = after === undefined ? "TRUE" : followsInList(`$${values.length}`);
    const where = `${key === undefined ? "WHERE" : `${whereKey(key)} AND`} ${inState(state)} AND ${follows}`;
    const rows = await this.#database.query<SessionRecord>(
      `SELECT ${columns} FROM sessions ${where} ORDER BY ${newestFirst} LIMIT $1`,
      values,
    );
    const known = rows.map((row) => this.#known(row));
    return known.filter(({ ended_ms }) => state !== "active" || ended_ms === null).slice(0, limit);
  }

  /** Rows of held leases belong to their nodes; those of its own lease to this process. */
  async recover(nowMs: number, lastSeenMs: (sessionId: string) => Promise<number | undefined>): Promise<number> {
    const { name, epoch } = this.#lease;
    const left = await this.#database.query<{
      session_id: string;
      host: string;
      epoch: number;
      seen_ms: number | null;
    }>(
      `SELECT session_id, host, sessions.epoch,
          floor(extract(epoch FROM renewed_at) * 1000)::bigint AS seen_ms
        FROM sessions LEFT JOIN leases ON leases.epoch = sessions.epoch
        WHERE ended_ms IS NULL AND (revoked IS NOT FALSE OR (sessions.epoch = $1 AND session_id <> ALL ($2)))`,
      [epoch, this.#own.ids],
    );
    let count = 0;
    for (const { session_id, host, epoch: its, seen_ms } of left) {
      // It was created while the question was on its way.
      if (its === epoch && this.#own.get(session_id)) continue;
      const seenMs = (await lastSeenMs(session_id)) ?? (host === name ? undefined : seen_ms);
      const reason: EndReason = host === name ? "service-died" : "host-lost";
      const ended = await this.#database.query(
        `UPDATE sessions SET ended_ms = greatest($3, created_ms), end_reason = $4
          WHERE session_id = $1 AND epoch = $2 AND ended_ms IS NULL RETURNING session_id`,
        [session_id, its, Math.round(seenMs ?? 0), reason],
      );
      count += ended.length;
    }
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

  async #read(sessionId: string): Promise<SessionRecord | undefined> {
    const select = `SELECT ${columns} FROM sessions WHERE session_id = $1`;
    const [row] = await this.#database.query<SessionRecord>(select, [sessionId]);
    return row;
  }

  /** Returns the record of an open session of this process as it knows it; other records as they are. */
  #known(row: SessionRecord): SessionRecord {
    return row.ended_ms === null ? (this.#own.get(row.session_id) ?? row) : row;
  }
}

/** Checks the quota of a key; locks its row until the end of the transaction. @throws {ServiceError} `busy` when it is used up */
async function requireQuota(query: Query, key: string): Promise<void> {
  const [row] = await query<{ quota: string }>("SELECT quota FROM keys WHERE name = $1 FOR UPDATE", [key]);
  const { sessions: most }: Partial<KeyQuota> = row ? JSON.parse(row.quota) : {};
  if (typeof most !== "number") return;
  const [open] = await query<{ count: number }>(
    "SELECT count(*) FROM sessions WHERE key_name = $1 AND ended_ms IS NULL",
    [key],
  );
  if ((open?.count ?? 0) >= most)
    throw new ServiceError("busy", "session quota of the key reached; end a session of it, or wait");
}

function writable(row: SessionRecord): SessionRecord {
  return { ...row, url: storableText(row.url), title: storableText(row.title) };
}
