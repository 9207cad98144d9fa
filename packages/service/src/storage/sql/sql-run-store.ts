import type { Lease } from "../lease-store.ts";
import {
  newRun,
  runKeptMs,
  type RunChange,
  type RunEvent,
  type RunRecord,
  type RunStore,
  type RunUsage,
} from "../run-store.ts";
import { isOfKey, makeKeyValue } from "./conditions.ts";
import { Fence } from "./fence.ts";
import { FencedRows } from "./fenced-rows.ts";
import type { SqlDatabase, SqlValues } from "./sql-database.ts";
import { writeRows } from "./statement.ts";

const columns = `thread_id, session_id, started_ms, ended_ms, "end", reason, cost_usd, function_id, key_name AS key, task, steps`;

/** Most events that are read at once. */
const maxEvents = 512;

/** A run, and its terminal event. */
interface OwnRun extends RunRecord {
  readonly outcome: string | null;
}

/** Runs in a file of one process, or in a database that all nodes share. There each belongs to the lease under which it began, as sessions do. */
export class SqlRunStore implements RunStore {
  readonly #database: SqlDatabase;
  readonly #fence: Fence;
  readonly #own: FencedRows<OwnRun>;
  readonly #onFault: (error: unknown) => void;

  /**
   * @param lease - Of this node; undefined in a file of one process.
   * @param onFault - Called when a change could not be written.
   */
  constructor(database: SqlDatabase, lease?: Lease, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#fence = new Fence(database, lease);
    this.#onFault = onFault;
    this.#own = new FencedRows(database, this.#fence, {
      table: "runs",
      id: "thread_id",
      columns: {
        session_id: "text",
        ended_ms: "bigint",
        end: "text",
        reason: "text",
        cost_usd: "text",
        function_id: "text",
        task: "text",
        steps: "bigint",
        outcome: "text",
      },
      keptMs: runKeptMs,
      onFault,
    });
  }

  async create(
    threadId: string,
    startedMs: number,
    key: string | null = null,
    task: string | null = null,
  ): Promise<void> {
    const row = { thread_id: threadId, started_ms: startedMs, cost_usd: newRun.cost_usd, task };
    const record: OwnRun = { ...newRun, outcome: null, ...row, key };
    if (this.#own.get(threadId)) throw new Error(`run ${threadId} already exists`);
    this.#own.know(threadId, record);
    try {
      await this.#own.deleteOld(startedMs);
      await this.#fence.insert(this.#database.query, "runs", { ...row, key_name: key });
    } catch (error) {
      // It may have been written all the same, when only the answer was lost.
      this.#own.keep(threadId, { ...record, ended_ms: startedMs, end: "error", reason: "storage_failed" });
      throw error;
    }
  }

  async change(threadId: string, change: RunChange): Promise<void> {
    const own = this.#own.get(threadId);
    if (own?.ended_ms === null) await this.#own.change(threadId, { ...own, ...change });
  }

  async get(threadId: string): Promise<RunRecord | undefined> {
    const [row] = await this.#read("WHERE thread_id = :id", { id: threadId });
    return row;
  }

  async settle(threadId: string): Promise<RunRecord | undefined> {
    await this.#own.flush();
    return (await this.#select("WHERE thread_id = :id", { id: threadId }))[0];
  }

  async readOutcome(threadId: string): Promise<string | null> {
    const select = "SELECT ended_ms, outcome FROM runs WHERE thread_id = :id";
    const [row] = await this.#database.query<Pick<OwnRun, "ended_ms" | "outcome">>(select, { id: threadId });
    return row?.ended_ms === null ? (this.#own.get(threadId)?.outcome ?? null) : (row?.outcome ?? null);
  }

  async append(threadId: string, events: readonly RunEvent[], oldest: number): Promise<void> {
    const database = this.#database;
    const { dialect } = database;
    // The run is locked until its events are written, so that it can't be ended meanwhile.
    const isOpen = `runs.thread_id = :id AND ${this.#fence.isOwn("runs")} AND ended_ms IS NULL`;
    const lock = dialect.lock("FOR SHARE OF runs");
    const values = { ...this.#fence.values, id: threadId, own: writeRows(events), oldest };
    await database.query(
      `INSERT INTO run_events (thread_id, seq, event)
        SELECT runs.thread_id, own.seq, own.event FROM runs, ${dialect.rows("own", { seq: "bigint", event: "text" })}
          WHERE ${isOpen} ${lock} ON CONFLICT DO NOTHING`,
      values,
    );
    if (oldest <= 1) return;
    await database.query(
      `DELETE FROM run_events WHERE thread_id IN (SELECT thread_id FROM runs WHERE ${isOpen} ${lock}) AND seq < :oldest`,
      values,
    );
  }

  async readEvents(threadId: string, after: number, bytes: number): Promise<readonly RunEvent[]> {
    return this.#database.query<RunEvent>(
      // The first one has the size of all until then.
      `SELECT seq, event FROM (
        SELECT seq, event, sum(octet_length(event)) OVER (ORDER BY seq) AS size
          FROM (SELECT seq, event FROM run_events WHERE thread_id = :id AND seq > :after ORDER BY seq LIMIT ${maxEvents}) AS next
      ) AS sized WHERE size <= :bytes OR size = octet_length(event) ORDER BY seq`,
      { id: threadId, after, bytes },
    );
  }

  async findHost(threadId: string): Promise<Lease | undefined> {
    if (this.#fence.lease === undefined) return undefined;
    const select = "SELECT host AS name, epoch FROM runs WHERE thread_id = :id AND ended_ms IS NULL";
    return (await this.#database.query<Lease>(select, { id: threadId }))[0];
  }

  async listOfSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]> {
    return this.#read(`WHERE ${this.#database.dialect.isIn("session_id", "ids")}`, { ids: sessionIds });
  }

  async readUsage(key: string, sinceMs: number): Promise<RunUsage> {
    const rows = await this.#database.query<Pick<RunRecord, "thread_id" | "ended_ms" | "cost_usd">>(
      `SELECT thread_id, ended_ms, cost_usd FROM runs WHERE key_name = :key AND (ended_ms IS NULL OR ended_ms >= :since)`,
      { key, since: sinceMs },
    );
    // A run of this process may have ended without being written yet.
    const runs = rows.map((row) => (row.ended_ms === null ? (this.#own.get(row.thread_id) ?? row) : row));
    const ended = runs.filter(({ ended_ms }) => ended_ms !== null);
    return { open: runs.length - ended.length, costsUsd: ended.map(({ cost_usd }) => cost_usd) };
  }

  async listActive(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    const rows = await this.#readNewest("ended_ms IS NULL", limit, key);
    return rows.filter(({ ended_ms }) => ended_ms === null);
  }

  async listEnded(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    return this.#readNewest("ended_ms IS NOT NULL", limit, key);
  }

  /** Rows of held leases belong to their nodes; those of its own lease, and those of a file, to this process. */
  async recover(nowMs: number): Promise<number> {
    const count = (await this.#endOwn(nowMs)) + (this.#fence.lease ? await this.#endLost(nowMs) : 0);
    await this.#own.tryDeleteOld(nowMs);
    return count;
  }

  flush(): Promise<string | undefined> {
    return this.#own.tryFlush();
  }

  /** Ends the active runs of this process that it does not know: of one before it, or whose creation was not confirmed. */
  async #endOwn(nowMs: number): Promise<number> {
    const rows = await this.#database.query<OwnRun>(
      `SELECT ${columns}, outcome FROM runs WHERE ended_ms IS NULL AND ${this.#fence.isOwn("runs")}`,
      this.#fence.values,
    );
    const orphans = rows.filter(({ thread_id }) => !this.#own.get(thread_id));
    for (const row of orphans)
      this.#own.keep(row.thread_id, { ...row, ended_ms: Math.max(nowMs, row.started_ms), end: "service-died" });
    await this.#own.flush().catch(this.#onFault);
    return orphans.length;
  }

  /** Ends the active runs of leases that are revoked. */
  async #endLost(nowMs: number): Promise<number> {
    const ended = await this.#database.query(
      `UPDATE runs SET ended_ms = greatest(:now, started_ms),
          "end" = CASE WHEN host = :lease_name THEN 'service-died' ELSE 'host-lost' END
        WHERE ended_ms IS NULL AND NOT ${this.#fence.isHeld("runs")} RETURNING 1`,
      { ...this.#fence.values, now: nowMs },
    );
    return ended.length;
  }

  #readNewest(which: string, limit: number, key: string | null | undefined): Promise<readonly RunRecord[]> {
    const where = `WHERE ${isOfKey(key)} AND ${which} ORDER BY started_ms DESC LIMIT :limit`;
    return this.#read(where, { ...makeKeyValue(key), limit });
  }

  /** Reads runs; active ones of this process are returned as it knows them. */
  async #read(where: string, values: SqlValues): Promise<readonly RunRecord[]> {
    return (await this.#select(where, values)).map((row) => {
      const own = row.ended_ms === null ? this.#own.get(row.thread_id) : undefined;
      if (!own) return row;
      const { outcome: _, ...record } = own;
      return record;
    });
  }
  #select(where: string, values: SqlValues): Promise<readonly RunRecord[]> {
    return this.#database.query<RunRecord>(`SELECT ${columns} FROM runs ${where}`, values);
  }
}
