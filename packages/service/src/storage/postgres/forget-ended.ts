import type { PostgresDatabase } from "./postgres-database.ts";

const keys = { sessions: "session_id", runs: "thread_id" } as const;

/** Maximum number of rows that one statement deletes, so that none takes long. */
const maxRows = 1_000;

/** Interval at which old rows are deleted, in milliseconds. */
const intervalMs = 60_000;

/** Deletes rows that ended long ago, once a minute at most: some of them, those that another node is deleting are left to it. */
export class ForgetEnded {
  readonly #database: PostgresDatabase;
  readonly #table: keyof typeof keys;
  readonly #keptMs: number;
  #lastMs = -Infinity;

  /** @param keptMs - How long rows are kept after their end, in milliseconds. */
  constructor(database: PostgresDatabase, table: keyof typeof keys, keptMs: number) {
    this.#database = database;
    this.#table = table;
    this.#keptMs = keptMs;
  }

  /** Deletes those that are due at a moment, in milliseconds since 1970. */
  async forget(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#lastMs) < intervalMs) return;
    this.#lastMs = nowMs;
    const key = keys[this.#table];
    await this.#database.query(
      `DELETE FROM ${this.#table} WHERE ${key} IN (
        SELECT ${key} FROM ${this.#table} WHERE ended_ms < $1 ORDER BY ended_ms LIMIT ${maxRows} FOR UPDATE SKIP LOCKED)`,
      [nowMs - this.#keptMs],
    );
  }
}
