import type { DatabaseSync } from "node:sqlite";
import type { HeldLease, Lease, LeaseStore, LeaseTerms } from "../lease-store.ts";

/** The clock of the database, in milliseconds since 1970. */
const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Leases in the database of one process. */
export class SqliteLeaseStore implements LeaseStore {
  readonly #database: DatabaseSync;

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async acquire(name: string, { ttlMs, about, afterDeath = false }: LeaseTerms): Promise<Lease | undefined> {
    const revoke = `UPDATE leases SET revoked = 1 WHERE name = ? AND NOT revoked AND (? OR expires_ms <= ${now})`;
    this.#database.prepare(revoke).run(name, afterDeath ? 1 : 0);
    const insert = `INSERT INTO leases (name, expires_ms, about) VALUES (?, ${now} + ?, ?) ON CONFLICT DO NOTHING`;
    const { changes, lastInsertRowid } = this.#database.prepare(insert).run(name, ttlMs, JSON.stringify(about));
    return changes === 0 ? undefined : { name, epoch: Number(lastInsertRowid) };
  }

  async renew({ name, epoch }: Lease, { ttlMs, about }: Pick<LeaseTerms, "ttlMs" | "about">): Promise<boolean> {
    const update = `UPDATE leases SET expires_ms = ${now} + ?, about = ?
      WHERE name = ? AND epoch = ? AND NOT revoked AND expires_ms > ${now}`;
    return Number(this.#database.prepare(update).run(ttlMs, JSON.stringify(about), name, epoch).changes) > 0;
  }

  async release({ name, epoch }: Lease): Promise<void> {
    this.#database.prepare("UPDATE leases SET revoked = 1 WHERE name = ? AND epoch = ?").run(name, epoch);
  }

  async held(): Promise<readonly HeldLease[]> {
    const select = `SELECT name, epoch, about FROM leases WHERE NOT revoked AND expires_ms > ${now} ORDER BY name`;
    const rows = this.#database.prepare(select).all();
    return rows.map((row) => Object.assign(leaseOf(row), { about: JSON.parse(String(row["about"])) as unknown }));
  }

  async revokeExpired(): Promise<readonly Lease[]> {
    const update = `UPDATE leases SET revoked = 1 WHERE NOT revoked AND expires_ms <= ${now} RETURNING name, epoch`;
    return this.#database.prepare(update).all().map(leaseOf);
  }
}

function leaseOf(row: Record<string, unknown>): Lease {
  return { name: String(row["name"]), epoch: Number(row["epoch"]) };
}
