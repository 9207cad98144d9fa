import type { HeldLease, Lease, LeaseStore, LeaseTerms } from "../lease-store.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

/** How long a revoked lease is kept: its last renewal is when its sessions were last seen. */
const kept = "7 days";

/** Mark of a renewal: the expiry of the lease, to the microsecond. */
const mark = "extract(epoch FROM expires_at)::text";

const soon = "clock_timestamp() + $3 * interval '1 millisecond'";

/**
 * Leases as rows with an expiry. Advisory locks would not do, as they belong to a connection: a paused node keeps them (its kernel keeps the
 * connection alive), a node loses them at once when its connection breaks, and a connection pooler gives them to others.
 */
export class PostgresLeaseStore implements LeaseStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async acquire(name: string, { ttlMs, about, afterDeath = false }: LeaseTerms): Promise<Lease | undefined> {
    return this.#database.transaction(async (query) => {
      if (afterDeath) await query("UPDATE leases SET revoked = true WHERE name = $1 AND NOT revoked", [name]);
      await query(
        `DELETE FROM leases WHERE revoked AND expires_at < clock_timestamp() - interval '${kept}'
          AND NOT EXISTS (SELECT FROM sessions WHERE sessions.epoch = leases.epoch AND ended_ms IS NULL)`,
      );
      // A unique index allows one unrevoked lease per name: one of several concurrent requests gets it.
      const [row] = await query<Lease>(
        `INSERT INTO leases (name, epoch, renewed_at, expires_at, about)
          VALUES ($1, nextval('lease_epochs'), clock_timestamp(), ${soon}, $2)
          ON CONFLICT (name) WHERE NOT revoked DO NOTHING RETURNING name, epoch`,
        [name, JSON.stringify(about), ttlMs],
      );
      return row;
    });
  }

  async renew({ name, epoch }: Lease, { ttlMs, about }: Pick<LeaseTerms, "ttlMs" | "about">): Promise<boolean> {
    const renewed = await this.#database.query(
      `UPDATE leases SET renewed_at = clock_timestamp(), expires_at = ${soon}, about = $4
        WHERE name = $1 AND epoch = $2 AND NOT revoked AND expires_at > clock_timestamp() RETURNING epoch`,
      [name, epoch, ttlMs, JSON.stringify(about)],
    );
    return renewed.length > 0;
  }

  async release({ name, epoch }: Lease): Promise<void> {
    await this.#database.query("UPDATE leases SET revoked = true WHERE name = $1 AND epoch = $2", [name, epoch]);
  }

  async held(): Promise<readonly HeldLease[]> {
    const rows = await this.#database.query<Omit<HeldLease, "about"> & { readonly about: string }>(
      `SELECT name, epoch, about, ${mark} AS mark, expires_at <= clock_timestamp() AS "isOver"
        FROM leases WHERE NOT revoked ORDER BY name`,
    );
    return rows.map((row) => Object.assign(row, { about: JSON.parse(row.about) as unknown }));
  }

  async revokeExpired(seen: readonly Pick<HeldLease, "epoch" | "mark">[]): Promise<readonly Lease[]> {
    return this.#database.query<Lease>(
      `UPDATE leases SET revoked = true FROM json_to_recordset($1) AS seen (epoch bigint, mark text)
        WHERE leases.epoch = seen.epoch AND ${mark} = seen.mark AND NOT revoked AND expires_at <= clock_timestamp()
        RETURNING name, leases.epoch`,
      [JSON.stringify(seen.map(({ epoch, mark: its }) => ({ epoch, mark: its })))],
    );
  }
}
