import type { Fence } from "./fence.ts";
import { OwnRows } from "./own-rows.ts";
import type { ColumnType, SqlDatabase } from "./sql-database.ts";
import { writeRows } from "./statement.ts";

/** Options of {@link FencedRows}. */
export interface FencedRowsOptions {
  /** Table of the rows. */
  readonly table: "sessions" | "runs";
  /** Column of their ids. */
  readonly id: "session_id" | "thread_id";
  /** Columns that change. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** How long rows are kept after their end, in milliseconds. */
  readonly keptMs: number;
  /** Called when a change could not be written. */
  readonly onFault: (error: unknown) => void;
}

/** Maximum number of rows that one statement deletes, so that none takes long. */
const maxDeleted = 1_000;

/** Interval at which old rows are deleted, in milliseconds. */
const deletionMs = 60_000;

/** Rows of one table that belong to this process: its writes are fenced, the first end of a row counts, and ended rows are deleted later. */
export class FencedRows<Row extends { readonly ended_ms: number | null }> extends OwnRows<Row> {
  readonly #database: SqlDatabase;
  readonly #options: FencedRowsOptions;
  #deletedMs = -Infinity;

  constructor(database: SqlDatabase, fence: Fence, options: FencedRowsOptions) {
    const { table, id, columns, onFault } = options;
    const assignments = Object.keys(columns).map((name) => `"${name}" = own."${name}"`);
    // Not `ended_ms IS NULL` alone: SQLite would look at all open rows then, by their index.
    const update = `UPDATE ${table} AS kept SET ${assignments.join(", ")}
      FROM ${database.dialect.rows("own", { [id]: "text", ...columns })}
      WHERE kept.${id} = own.${id} AND ${fence.isOwn("kept")} AND (kept.ended_ms IS NULL) = TRUE`;
    super({
      write: async (rows) => {
        await database.query(update, { ...fence.values, own: writeRows([...rows.values()]) });
      },
      isFinal: ({ ended_ms }) => ended_ms !== null,
      onFault,
    });
    this.#database = database;
    this.#options = options;
  }

  /**
   * Deletes some of the rows that ended long ago, once a minute at most; those that another node is deleting are left to it. Rejects if that
   * fails.
   */
  async deleteOld(nowMs: number): Promise<void> {
    if (Math.abs(nowMs - this.#deletedMs) < deletionMs) return;
    this.#deletedMs = nowMs;
    const { table, id, keptMs } = this.#options;
    await this.#database.query(
      `DELETE FROM ${table} WHERE ${id} IN (SELECT ${id} FROM ${table} WHERE ended_ms < :before
        ORDER BY ended_ms LIMIT ${maxDeleted} ${this.#database.dialect.lock("FOR UPDATE SKIP LOCKED")})`,
      { before: nowMs - keptMs },
    );
  }

  /** Deletes rows that ended long ago. Never rejects: a failure is reported. */
  async tryDeleteOld(nowMs: number): Promise<void> {
    await this.deleteOld(nowMs).catch(this.#options.onFault);
  }
}
