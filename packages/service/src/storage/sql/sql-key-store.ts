import { type KeyChange, type KeyRecord, type KeyStore, readQuota } from "../key-store.ts";
import type { SqlDatabase } from "./sql-database.ts";

interface Row extends Omit<KeyRecord, "roles" | "quota"> {
  readonly roles: string;
  readonly quota: string;
}

const columns = "name, roles, quota, created_ms, expires_ms, revoked_ms";

/** Keys in a file of one process, or in a database that several nodes share: what one of them makes or revokes holds for all at once. */
export class SqlKeyStore implements KeyStore {
  readonly #database: SqlDatabase;
  readonly #lockDatabase: SqlDatabase | undefined;

  /**
   * @param lockDatabase - Other connections to a shared database: each is held while work runs under a lock, which may need those of `database`.
   * Undefined in a file of one process.
   */
  constructor(database: SqlDatabase, lockDatabase?: SqlDatabase) {
    this.#database = database;
    this.#lockDatabase = lockDatabase;
  }

  async create(key: Omit<KeyRecord, "revoked_ms">, hash: string): Promise<boolean> {
    const { name, roles, quota, created_ms, expires_ms } = key;
    const rows = await this.#database.query(
      `INSERT INTO keys (name, hash, roles, quota, created_ms, expires_ms)
        VALUES (:name, :hash, :roles, :quota, :created_ms, :expires_ms) ON CONFLICT DO NOTHING RETURNING 1`,
      { name, hash, roles: JSON.stringify(roles), quota: JSON.stringify(quota), created_ms, expires_ms },
    );
    return rows.length > 0;
  }

  async find(hash: string, nowMs: number): Promise<KeyRecord | undefined> {
    const [row] = await this.#database.query<Row>(
      `SELECT ${columns} FROM keys
        WHERE (hash = :hash OR (replaced_hash = :hash AND overlap_until_ms > :now))
          AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > :now)`,
      { hash, now: nowMs },
    );
    return row && readRecord(row);
  }

  change(name: string, { roles, quota, expires_ms }: KeyChange): Promise<KeyRecord | undefined> {
    return this.#database.transact(async (query) => {
      const lock = this.#database.dialect.lock("FOR UPDATE");
      const [row] = await query<Row>(`SELECT ${columns} FROM keys WHERE name = :name AND revoked_ms IS NULL ${lock}`, {
        name,
      });
      if (!row) return undefined;
      const before = readRecord(row);
      const after: KeyRecord = {
        ...before,
        roles: roles ?? before.roles,
        quota: { ...before.quota, ...quota },
        expires_ms: expires_ms === undefined ? before.expires_ms : expires_ms,
      };
      await query("UPDATE keys SET roles = :roles, quota = :quota, expires_ms = :expires_ms WHERE name = :name", {
        name,
        roles: JSON.stringify(after.roles),
        quota: JSON.stringify(after.quota),
        expires_ms: after.expires_ms,
      });
      return after;
    });
  }

  async replace(name: string, hash: string, overlapUntilMs: number): Promise<boolean> {
    const rows = await this.#database.query(
      `UPDATE keys SET replaced_hash = hash, overlap_until_ms = :until, hash = :hash
        WHERE name = :name AND revoked_ms IS NULL RETURNING 1`,
      { until: overlapUntilMs, hash, name },
    );
    return rows.length > 0;
  }

  async list(): Promise<readonly KeyRecord[]> {
    const { byBytes } = this.#database.dialect;
    return (await this.#database.query<Row>(`SELECT ${columns} FROM keys ORDER BY name ${byBytes}`)).map(readRecord);
  }

  withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#lockDatabase === undefined) return work();
    return this.#lockDatabase.transact(async (query) => {
      await query("SELECT 1 FROM keys WHERE name = :name FOR UPDATE", { name });
      return work();
    });
  }

  async revoke(name: string, nowMs: number): Promise<boolean> {
    const rows = await this.#database.query(
      "UPDATE keys SET revoked_ms = :now WHERE name = :name AND revoked_ms IS NULL RETURNING 1",
      { now: nowMs, name },
    );
    return rows.length > 0;
  }
}

function readRecord(row: Row): KeyRecord {
  const [roles, quota]: unknown[] = [JSON.parse(row.roles), readQuota(row.quota)];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and written by `create`
  return { ...row, roles, quota } as KeyRecord;
}
