import { ServiceError } from "../../service-error.ts";
import type { Lease } from "../lease-store.ts";
import type { Query, SqlDatabase, SqlValue, SqlValues } from "./sql-database.ts";

/**
 * Says which rows belong to this process. In tables that nodes share: the lease under which they were written, by its name (`host`) and its
 * epoch; writes of a lease that was revoked change nothing. In a file that no other process can open: nothing, all rows are its own.
 */
export class Fence {
  /** Lease of this node; undefined in a file of one process. */
  readonly lease: Lease | undefined;
  /** Values of the parameters in the conditions. */
  readonly values: SqlValues;
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase, lease?: Lease) {
    this.#database = database;
    this.lease = lease;
    this.values = lease === undefined ? {} : { lease_name: lease.name, lease_epoch: lease.epoch };
  }

  /** Returns the condition that a row of a table is of this process. */
  isOwn(table: string): string {
    return this.lease === undefined ? "TRUE" : `${table}.epoch = :lease_epoch`;
  }

  /** Returns the condition that a row of a table is of a node that holds its lease. */
  isHeld(table: string): string {
    if (this.lease === undefined) return "TRUE";
    return `EXISTS (SELECT 1 FROM leases WHERE leases.epoch = ${table}.epoch AND NOT revoked)`;
  }

  /** Condition that this node may write something new. */
  get mayWrite(): string {
    if (this.lease === undefined) return "TRUE";
    return `EXISTS (SELECT 1 FROM leases WHERE epoch = :lease_epoch AND NOT revoked AND NOT ${this.#database.dialect.lease.isOver})`;
  }

  /**
   * Inserts a row of this process. Its lease can't be revoked before the row is there, and nothing is inserted when it was revoked or expired
   * before.
   *
   * @throws {ServiceError} `storage-failed` when the lease is lost, too.
   */
  async insert(query: Query, table: string, row: SqlValues): Promise<void> {
    const names = Object.keys(row);
    // Of a parameter that is only selected PostgreSQL would not know the type.
    const values = names.map((name) => `CAST(:${name} AS ${getSqlType(row[name])})`).join(", ");
    if (this.lease === undefined) {
      await query(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values})`, row);
      return;
    }
    const rows = await query(
      `INSERT INTO ${table} (${names.join(", ")}, host, epoch) SELECT ${values}, name, epoch FROM leases
        WHERE name = :lease_name AND epoch = :lease_epoch AND NOT revoked AND NOT ${this.#database.dialect.lease.isOver}
        FOR SHARE RETURNING 1`,
      { ...row, ...this.values },
    );
    if (rows.length > 0) return;
    throw new ServiceError(
      "storage-failed",
      "this node has lost its lease and accepts nothing new until it has a new one",
    );
  }
}

/** Returns the type that the databases have for a value. */
function getSqlType(value: SqlValue | undefined): "bigint" | "boolean" | "text" {
  if (typeof value === "boolean") return "boolean";
  return typeof value === "number" ? "bigint" : "text";
}
