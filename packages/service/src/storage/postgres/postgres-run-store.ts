import type { Lease } from "../lease-store.ts";
import {
  runKeptMs,
  type RunChange,
  type RunEvent,
  type RunRecord,
  type RunStore,
  type RunUsage,
} from "../run-store.ts";
import { storableText, whereKey } from "./sql.ts";
import { insertedUnder } from "./lease-fence.ts";
import { LeasedRows } from "./leased-rows.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { describeServiceError } from "../../service-error.ts";

const columns = `thread_id, session_id, started_ms, ended_ms, "end", reason, cost_usd, function_id, key_name AS key, task, steps`;

const byOneStatement = `UPDATE runs AS kept
  SET session_id = own.session_id, ended_ms = own.ended_ms, "end" = own."end", reason = own.reason, cost_usd = own.cost_usd,
    function_id = own.function_id, task = own.task, steps = own.steps, outcome = own.outcome
  FROM json_to_recordset($1) AS own
    (thread_id text, session_id text, ended_ms bigint, "end" text, reason text, cost_usd text, function_id text, task text,
      steps integer, outcome text)
  WHERE kept.thread_id = own.thread_id AND kept.epoch = $2 AND kept.ended_ms IS NULL`;

/** The run is locked until its events are written, so that it can't be ended meanwhile. */
const appending = `WITH run AS (SELECT thread_id FROM runs WHERE thread_id = $1 AND epoch = $2 AND ended_ms IS NULL FOR SHARE),
  forgotten AS (DELETE FROM run_events WHERE thread_id IN (SELECT thread_id FROM run) AND seq < $4)
  INSERT INTO run_events (thread_id, seq, event)
    SELECT run.thread_id, own.seq, own.event FROM run, json_to_recordset($3) AS own (seq integer, event text)
    ON CONFLICT DO NOTHING`;

/** Most events that are read at once. */
const maxEvents = 512;

const begun = {
  session_id: null,
  ended_ms: null,
  end: null,
  reason: null,
  cost_usd: "0",
  function_id: null,
  steps: 0,
  outcome: null,
} as const;

/** A run, and its terminal event. */
interface OwnRun extends RunRecord {
  readonly outcome: string | null;
}

/** Runs in a database that all nodes share. Each belongs to the lease under which it began, as sessions do. */
export class PostgresRunStore implements RunStore {
  readonly #database: PostgresDatabase;
  readonly #lease: Lease;
  readonly #own: LeasedRows<OwnRun>;

  /**
   * @param lease - Of this node.
   * @param onFault - Called when a change could not be written.
   */
  constructor(database: PostgresDatabase, lease: Lease, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#lease = lease;
    this.#own = new LeasedRows(database, lease, {
      table: "runs",
      keptMs: runKeptMs,
      update: byOneStatement,
      writable,
      onFault,
    });
  }

  async create(
    threadId: string,
    startedMs: number,
    key: string | null = null,
    task: string | null = null,
  ): Promise<void> {
    const row: OwnRun = { ...begun, thread_id: threadId, started_ms: startedMs, key, task: storableText(task) };
    if (this.#own.get(threadId)) throw new Error(`run ${threadId} already exists`);
    this.#own.know(threadId, row);
    try {
      await this.#own.deleteOld(startedMs);
      await insertedUnder(
        this.#lease,
        this.#database.query,
        "INSERT INTO runs (thread_id, started_ms, cost_usd, key_name, task, host, epoch)",
        [threadId, startedMs, begun.cost_usd, key, row.task],
      );
    } catch (error) {
      // It may have been written all the same, when only the answer was lost.
      this.#own.keep(threadId, { ...row, ended_ms: startedMs, end: "error", reason: "storage_failed" });
      throw error;
    }
  }

  async change(threadId: string, change: RunChange): Promise<void> {
    const own = this.#own.get(threadId);
    if (own?.ended_ms === null) await this.#own.change(threadId, { ...own, ...change });
  }

  async get(threadId: string): Promise<RunRecord | undefined> {
    const [row] = await this.#read("WHERE thread_id = $1", [threadId]);
    return row;
  }

  async settled(threadId: string): Promise<RunRecord | undefined> {
    await this.#own.flush();
    const [row] = await this.#database.query<RunRecord>(`SELECT ${columns} FROM runs WHERE thread_id = $1`, [threadId]);
    return row;
  }

  async outcome(threadId: string): Promise<string | null> {
    const select = "SELECT ended_ms, outcome FROM runs WHERE thread_id = $1";
    const [row] = await this.#database.query<Pick<OwnRun, "ended_ms" | "outcome">>(select, [threadId]);
    return row?.ended_ms === null ? (this.#own.get(threadId)?.outcome ?? null) : (row?.outcome ?? null);
  }

  async append(threadId: string, events: readonly RunEvent[], oldest: number): Promise<void> {
    await this.#database.query(appending, [threadId, this.#lease.epoch, JSON.stringify(events), oldest]);
  }

  async events(threadId: string, after: number, bytes: number): Promise<readonly RunEvent[]> {
    const read = await this.#database.query<RunEvent>(
      `SELECT seq, event FROM (
        SELECT seq, event, sum(octet_length(event)) OVER (ORDER BY seq) AS size, row_number() OVER (ORDER BY seq) AS number
          FROM (SELECT seq, event FROM run_events WHERE thread_id = $1 AND seq > $2 ORDER BY seq LIMIT ${maxEvents}) AS next
      ) AS sized WHERE number = 1 OR size <= $3 ORDER BY seq`,
      [threadId, after, bytes],
    );
    return read;
  }

  async findHost(threadId: string): Promise<Lease | undefined> {
    const select = "SELECT host AS name, epoch FROM runs WHERE thread_id = $1 AND ended_ms IS NULL";
    const [lease] = await this.#database.query<Lease>(select, [threadId]);
    return lease;
  }

  async ofSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]> {
    return this.#read("WHERE session_id = ANY ($1)", [sessionIds]);
  }

  async usage(key: string, sinceMs: number): Promise<RunUsage> {
    const rows = await this.#database.query<Pick<RunRecord, "thread_id" | "ended_ms" | "cost_usd">>(
      "SELECT thread_id, ended_ms, cost_usd FROM runs WHERE key_name = $1 AND (ended_ms IS NULL OR ended_ms >= $2)",
      [key, sinceMs],
    );
    // A run of this process may have ended without being written yet.
    const known = rows.map((row) => (row.ended_ms === null ? (this.#own.get(row.thread_id) ?? row) : row));
    const ended = known.filter(({ ended_ms }) => ended_ms !== null);
    return { open: known.length - ended.length, costsUsd: ended.map(({ cost_usd }) => cost_usd) };
  }

  async active(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    const rows = await this.#newest("ended_ms IS NULL", limit, key);
    return rows.filter(({ ended_ms }) => ended_ms === null);
  }

  async ended(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    return this.#newest("ended_ms IS NOT NULL", limit, key);
  }

  /** Rows of held leases belong to their nodes; those of its own lease to this process. */
  async recover(nowMs: number): Promise<number> {
    const { name, epoch } = this.#lease;
    const under = await this.#database.query<{ thread_id: string }>(
      "SELECT thread_id FROM runs WHERE ended_ms IS NULL AND epoch = $1",
      [epoch],
    );
    const left = under.map(({ thread_id }) => thread_id).filter((id) => !this.#own.get(id));
    const ended = await this.#database.query(
      `UPDATE runs SET ended_ms = greatest($1, started_ms), "end" = CASE WHEN host = $2 THEN 'service-died' ELSE 'host-lost' END
        WHERE ended_ms IS NULL AND (
          NOT EXISTS (SELECT FROM leases WHERE leases.epoch = runs.epoch AND NOT revoked)
          OR (epoch = $3 AND thread_id = ANY ($4))
        ) RETURNING thread_id`,
      [nowMs, name, epoch, left],
    );
    await this.#own.tryDeleteOld(nowMs);
    return ended.length;
  }

  async flush(): Promise<string | undefined> {
    try {
      await this.#own.flush();
      return undefined;
    } catch (error) {
      return describeServiceError(error);
    }
  }

  #newest(which: string, limit: number, key: string | null | undefined): Promise<readonly RunRecord[]> {
    const where = key === undefined ? "WHERE" : `${whereKey(key)} AND`;
    const values = typeof key === "string" ? [limit, key] : [limit];
    return this.#read(`${where} ${which} ORDER BY started_ms DESC LIMIT $1`, values);
  }

  /** Reads runs; active ones of this process are returned as it knows them. */
  async #read(where: string, values: readonly unknown[]): Promise<readonly RunRecord[]> {
    const rows = await this.#database.query<RunRecord>(`SELECT ${columns} FROM runs ${where}`, values);
    return rows.map((row) => {
      const own = row.ended_ms === null ? this.#own.get(row.thread_id) : undefined;
      if (!own) return row;
      const { outcome: _, ...record } = own;
      return record;
    });
  }
}

function writable(row: OwnRun): OwnRun {
  return { ...row, reason: storableText(row.reason), task: storableText(row.task) };
}
