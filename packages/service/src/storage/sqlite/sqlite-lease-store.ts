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
    if (afterDeath) this.#database.prepare("UPDATE leases SET revoked = 1 WHERE name = ? AND NOT revoked").run(name);
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
    const select = `SELECT name, epoch, about, expires_ms, expires_ms <= ${now} AS is_over FROM leases WHERE NOT revoked ORDER BY name`;
    const rows = this.#database.prepare(select).all();
    return rows.map((row) => {
      const { name, epoch } = readLease(row);
      const about: unknown = JSON.parse(String(row["about"]));
      return { name, epoch, about, mark: String(row["expires_ms"]), isOver: row["is_over"] === 1 };
    });
  }

  async revokeExpired(seen: readonly Pick<HeldLease, "epoch" | "mark">[]): Promise<readonly Lease[]> {
    const update = `UPDATE leases SET revoked = 1
      WHERE epoch = ? AND expires_ms = ? AND NOT revoked AND expires_ms <= ${now} RETURNING name, epoch`;
    const statement = this.#database.prepare(update);
    return seen.flatMap(({ epoch, mark }) => statement.all(epoch, Number(mark)).map(readLease));
  }
}

function readLease(row: Record<string, unknown>): Lease {
  return { name: String(row["name"]), epoch: Number(row["epoch"]) };
}
