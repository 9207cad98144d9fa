import type { DatabaseSync } from "node:sqlite";
import { runKeptMs, type RunChange, type RunRecord, type RunStore, type RunUsage } from "../run-store.ts";

const columns = `thread_id, session_id, started_ms, ended_ms, "end", reason, cost_usd, function_id, key_name AS key`;

/** Runs in the database of one process. A change that can't be written, because the disk is full, say, is told and otherwise lost. */
export class SqliteRunStore implements RunStore {
  readonly #database: DatabaseSync;
  readonly #onFault: (error: unknown) => void;
  /** Those that this process has begun, and not ended. */
  readonly #own = new Set<string>();

  /**
   * @param database - Opened by `openDatabase`.
   * @param onFault - Told of a change that could not be written.
   */
  constructor(database: DatabaseSync, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#onFault = onFault;
  }

  async create(threadId: string, startedMs: number, key: string | null = null): Promise<void> {
    this.#own.add(threadId);
    this.#write(() => {
      this.#forgetOld(startedMs);
      const insert = "INSERT INTO runs (thread_id, started_ms, cost_usd, key_name) VALUES (?, ?, '0', ?)";
      this.#database.prepare(insert).run(threadId, startedMs, key);
    });
  }

  async change(threadId: string, change: RunChange): Promise<void> {
    if (typeof change.ended_ms === "number") this.#own.delete(threadId);
    const names = Object.keys(change).map((name) => `"${name}" = :${name}`);
    const update = `UPDATE runs SET ${names.join(", ")} WHERE thread_id = :id AND ended_ms IS NULL`;
    this.#write(() => this.#database.prepare(update).run({ id: threadId, ...change }));
  }

  async get(threadId: string): Promise<RunRecord | undefined> {
    const row = this.#database.prepare(`SELECT ${columns} FROM runs WHERE thread_id = ?`).get(threadId);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return row as RunRecord | undefined;
  }

  async ofSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]> {
    const select = `SELECT ${columns} FROM runs WHERE session_id IN (SELECT value FROM json_each(?))`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return this.#database.prepare(select).all(JSON.stringify(sessionIds)) as unknown as RunRecord[];
  }

  async usage(key: string, sinceMs: number): Promise<RunUsage> {
    const select = "SELECT cost_usd, ended_ms FROM runs WHERE key_name = ? AND (ended_ms IS NULL OR ended_ms >= ?)";
    const rows = this.#database.prepare(select).all(key, sinceMs);
    const ended = rows.filter((row) => row["ended_ms"] !== null);
    return { open: rows.length - ended.length, costsUsd: ended.map((row) => String(row["cost_usd"])) };
  }

  async ended(limit: number, key?: string | null): Promise<readonly RunRecord[]> {
    const [where, ...values] = key === undefined ? [""] : ["AND key_name IS ?", key];
    const select = `SELECT ${columns} FROM runs WHERE ended_ms IS NOT NULL ${where} ORDER BY started_ms DESC LIMIT ?`;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return this.#database.prepare(select).all(...values, limit) as unknown as RunRecord[];
  }

  async recover(nowMs: number): Promise<void> {
    this.#write(() => {
      const left = this.#database.prepare(
        `UPDATE runs SET ended_ms = max(?, started_ms), "end" = ?
          WHERE ended_ms IS NULL AND thread_id NOT IN (SELECT value FROM json_each(?))`,
      );
      left.run(nowMs, "service-died" satisfies RunRecord["end"], JSON.stringify([...this.#own]));
      this.#forgetOld(nowMs);
    });
  }

  /** What could not be written is lost. */
  async flush(): Promise<undefined> {
    return undefined;
  }

  #forgetOld(nowMs: number): void {
    this.#database.prepare("DELETE FROM runs WHERE ended_ms < ?").run(nowMs - runKeptMs);
  }

  #write(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.#onFault(error);
    }
  }
}
