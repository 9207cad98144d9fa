import type { HeldLease, Lease, LeaseStore, LeaseTerms } from "../lease-store.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { writeRows } from "./statement.ts";

/**
 * Leases as rows with an expiry. Advisory locks would not do, as they belong to a connection: a paused node keeps them (its kernel keeps the
 * connection alive), a node loses them at once when its connection breaks, and a connection pooler gives them to others.
 */
export class SqlLeaseStore implements LeaseStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  acquire(name: string, { ttlMs, about }: LeaseTerms): Promise<Lease | undefined> {
    const { columns, forget } = this.#database.dialect.lease;
    return this.#database.transact(async (query) => {
      if (forget !== undefined) await query(forget);
      // A unique index allows one unrevoked lease per name: one of several concurrent requests gets it.
      const [row] = await query<Lease>(
        `INSERT INTO leases (name, about, ${Object.keys(columns).join(", ")})
          VALUES (:name, :about, ${Object.values(columns).join(", ")})
          ON CONFLICT (name) WHERE NOT revoked DO NOTHING RETURNING name, epoch`,
        { name, about: JSON.stringify(about), ttl: ttlMs },
      );
      return row;
    });
  }

  async renew({ name, epoch }: Lease, { ttlMs, about }: LeaseTerms): Promise<boolean> {
    const { renewal, isOver } = this.#database.dialect.lease;
    const renewed = await this.#database.query(
      `UPDATE leases SET ${renewal}, about = :about
        WHERE name = :name AND epoch = :epoch AND NOT revoked AND NOT (${isOver}) RETURNING 1`,
      { name, epoch, ttl: ttlMs, about: JSON.stringify(about) },
    );
    return renewed.length > 0;
  }

  async release({ name, epoch }: Lease): Promise<void> {
    const update = "UPDATE leases SET revoked = TRUE WHERE name = :name AND epoch = :epoch";
    await this.#database.query(update, { name, epoch });
  }

  async list(): Promise<readonly HeldLease[]> {
    const { mark, isOver } = this.#database.dialect.lease;
    interface Row extends Lease {
      readonly about: string;
      readonly mark: string;
      readonly is_over: boolean | 0 | 1;
    }
    const rows = await this.#database.query<Row>(
      `SELECT name, epoch, about, ${mark} AS mark, ${isOver} AS is_over FROM leases WHERE NOT revoked ORDER BY name`,
    );
    return rows.map(({ name, epoch, about, mark: its, is_over }) => {
      return { name, epoch, about: JSON.parse(about) as unknown, mark: its, isOver: Boolean(is_over) };
    });
  }

  revokeExpired(marks: readonly Pick<HeldLease, "epoch" | "mark">[]): Promise<readonly Lease[]> {
    const { dialect } = this.#database;
    const { mark, isOver } = dialect.lease;
    return this.#database.query<Lease>(
      `UPDATE leases SET revoked = TRUE FROM ${dialect.rows("seen", { epoch: "bigint", mark: "text" })}
        WHERE leases.epoch = seen.epoch AND ${mark} = seen.mark AND NOT revoked AND ${isOver}
        RETURNING name, leases.epoch`,
      { seen: writeRows(marks.map(({ epoch, mark: its }) => ({ epoch, mark: its }))) },
    );
  }
}
