import type { Lease } from "../lease-store.ts";
import { ForgetEnded } from "./forget-ended.ts";
import { OwnRows } from "./own-rows.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

/** Options of {@link LeasedRows}. */
export interface LeasedRowsOptions<Row> {
  /** Table of the rows. */
  readonly table: "sessions" | "runs";
  /** How long rows are kept after their end, in milliseconds. */
  readonly keptMs: number;
  /** Statement that updates rows: `$1` is a JSON array of them, `$2` the epoch of the lease. */
  readonly update: string;
  /** Returns a row with texts that the database accepts. */
  readonly writable: (row: Row) => Row;
  /** Called when a change could not be written. */
  readonly onFault: (error: unknown) => void;
}

/** Rows of one table that belong to the lease of this node: its writes are fenced by the epoch, and ended rows are deleted later. */
export class LeasedRows<Row extends { readonly ended_ms: number | null }> extends OwnRows<Row> {
  readonly #ended: ForgetEnded;
  readonly #onFault: (error: unknown) => void;

  constructor(database: PostgresDatabase, lease: Lease, options: LeasedRowsOptions<Row>) {
    const { table, keptMs, update, writable, onFault } = options;
    super({
      write: async (rows) => {
        await database.query(update, [JSON.stringify([...rows.values()].map(writable)), lease.epoch]);
      },
      isFinal: ({ ended_ms }) => ended_ms !== null,
      onFault,
    });
    this.#ended = new ForgetEnded(database, table, keptMs);
    this.#onFault = onFault;
  }

  /** Deletes rows that ended long ago. Rejects if that fails. */
  async deleteOld(nowMs: number): Promise<void> {
    await this.#ended.forget(nowMs);
  }

  /** Deletes rows that ended long ago. Never rejects: a failure is reported. */
  async tryDeleteOld(nowMs: number): Promise<void> {
    await this.deleteOld(nowMs).catch(this.#onFault);
  }
}
