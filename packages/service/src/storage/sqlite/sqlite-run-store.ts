import type { DatabaseSync } from "node:sqlite";
import {
  runKeptMs,
  type RunChange,
  type RunEvent,
  type RunRecord,
  type RunStore,
  type RunUsage,
} from "../run-store.ts";
import { describeServiceError } from "../../service-error.ts";

const columns = `thread_id, session_id, started_ms, ended_ms, "end", reason, cost_usd, function_id, key_name AS key, task, steps`;

/** Runs in the database of one process. A change that can't be written, for example because the disk is full, is reported and written later. */
export class SqliteRunStore implements RunStore {
  readonly #database: DatabaseSync;
  readonly #onFault: (error: unknown) => void;
  /** Those that this process has begun, and not ended. */
  readonly #own = new Set<string>();
  readonly #unwritten = new Map<string, RunChange>();

  /**
   * @param database - Opened by `openDatabase`.
   * @param onFault - Called when a change could not be written.
   */
  constructor(database: DatabaseSync, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#onFault = onFault;
  }

  async create(
    threadId: string,
    startedMs: number,
    key: string | null = null,
    task: string | null = null,
  ): Promise<void> {
    this.#own.add(threadId);
    this.#try(() => {
      this.#forgetOld(startedMs);
      const insert = "INSERT INTO runs (thread_id, started_ms, cost_usd, key_name, task) VALUES (?, ?, '0', ?, ?)";
      this.#database.prepare(insert).run(threadId, startedMs, key, task);
    });
  }

  async change(threadId: string, change: RunChange): Promise<void> {
    const before = this.#unwritten.get(threadId);
    if (typeof before?.ended_ms === "number") return;
    if (typeof change.ended_ms === "number") this.#own.delete(threadId);
    this.#unwritten.set(threadId, { ...before, ...change });
    this.#try(() => this.#write());
  }

  async get(threadId: string): Promise<RunRecord | undefined> {
    const [row] = this.#read("WHERE thread_id = ?", threadId);
    return row;
  }

  async settled(threadId: string): Promise<RunRecord | undefined> {
    this.#write();
    return this.get(threadId);
  }

  async outcome(threadId: string): Promise<string | null> {
    const row = this.#database.prepare("SELECT ended_ms, outcome FROM runs WHERE thread_id = ?").get(threadId);
    const outcome = row?.["outcome"];
    if (typeof outcome === "string") return outcome;
    return (row?.["ended_ms"] === null && this.#unwritten.get(threadId)?.outcome) || null;
  }

  async append(threadId: string, events: readonly RunEvent[], oldest: number): Promise<void> {
    const insert = this.#database.prepare("INSERT OR IGNORE INTO run_events (thread_id, seq, event) VALUES (?, ?, ?)");
    const open = "SELECT 1 FROM runs WHERE thread_id = ? AND ended_ms IS NULL";
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      if (this.#database.prepare(open).get(threadId)) {
        for (const { seq, event } of events) insert.run(threadId, seq, event);
        this.#database.prepare("DELETE FROM run_events WHERE thread_id = ? AND seq < ?").run(threadId, oldest);
      }
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  async events(threadId: string, after: number, bytes: number): Promise<readonly RunEvent[]> {
    const select = "SELECT seq, event FROM run_events WHERE thread_id = ? AND seq > ? ORDER BY seq";
    const events: RunEvent[] = [];
    let size = 0;
    for (const { seq, event } of this.#database.prepare(select).iterate(threadId, after)) {
      size += Buffer.byteLength(String(event));
      if (size > bytes && events.length > 0) break;
      events.push({ seq: Number(seq), event: String(event) });
    }
    return events;
  }

  /** The file is locked, so no other process has any. */
  async findHost(): Promise<undefined> {
    return undefined;
  }

  async ofSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]> {
    return this.#read("WHERE session_id IN (SELECT value FROM json_each(?))", JSON.stringify(sessionIds));
  }

  async usage(key: string, sinceMs: number): Promise<RunUsage> {
    const select = "SELECT cost_usd, ended_ms FROM runs WHERE key_name = ? AND (ended_ms IS NULL OR ended_ms >= ?)";
    const rows = this.#database.prepare(select).all(key, sinceMs);
    const ended = rows.filter((row) => row["ended_ms"] !== null);
    return { open: rows.length - ended.length, costsUsd: ended.map((row) => String(row["cost_usd"])) };
  }

  async active(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    const [where, ...values] = key === undefined ? [""] : ["AND key_name IS ?", key];
    return this.#read(`WHERE ended_ms IS NULL ${where} ORDER BY started_ms DESC LIMIT ?`, ...values, limit).filter(
      ({ ended_ms }) => ended_ms === null,
    );
  }

  async ended(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    const [where, ...values] = key === undefined ? [""] : ["AND key_name IS ?", key];
    return this.#read(`WHERE ended_ms IS NOT NULL ${where} ORDER BY started_ms DESC LIMIT ?`, ...values, limit);
  }

  async recover(nowMs: number): Promise<number> {
    let ended = 0;
    this.#try(() => {
      this.#write();
      const left = this.#database.prepare(
        `UPDATE runs SET ended_ms = max(?, started_ms), "end" = ?
          WHERE ended_ms IS NULL AND thread_id NOT IN (SELECT value FROM json_each(?))`,
      );
      const { changes } = left.run(nowMs, "service-died" satisfies RunRecord["end"], JSON.stringify([...this.#own]));
      ended = Number(changes);
      this.#forgetOld(nowMs);
    });
    return ended;
  }

  async flush(): Promise<string | undefined> {
    try {
      this.#write();
      return undefined;
    } catch (error) {
      return describeServiceError(error);
    }
  }

  #read(where: string, ...values: readonly (string | number | null)[]): readonly RunRecord[] {
    const rows = this.#database.prepare(`SELECT ${columns} FROM runs ${where}`).all(...values);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return (rows as unknown as RunRecord[]).map((row) => this.#known(row));
  }

  #known(row: RunRecord): RunRecord {
    const { outcome: _, ...unwritten } = this.#unwritten.get(row.thread_id) ?? {};
    return row.ended_ms === null ? { ...row, ...unwritten } : row;
  }

  #forgetOld(nowMs: number): void {
    this.#database.prepare("DELETE FROM runs WHERE ended_ms < ?").run(nowMs - runKeptMs);
  }

  #write(): void {
    for (const [id, all] of this.#unwritten) {
      const names = Object.keys(all).map((name) => `"${name}" = :${name}`);
      const update = `UPDATE runs SET ${names.join(", ")} WHERE thread_id = :id AND ended_ms IS NULL`;
      this.#database.prepare(update).run({ id, ...all });
      this.#unwritten.delete(id);
    }
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onFault(error);
    }
  }
}
