import { type KeyChange, type KeyRecord, type KeyStore, readQuota } from "../key-store.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

interface Row extends Omit<KeyRecord, "roles" | "quota"> {
  readonly roles: string;
  readonly quota: string;
}

const columns = "name, roles, quota, created_ms, expires_ms, revoked_ms";

/** Keys in a database that several nodes share: what one of them makes or revokes holds for all at once. */
export class PostgresKeyStore implements KeyStore {
  readonly #database: PostgresDatabase;
  readonly #lockDatabase: PostgresDatabase;

  /** @param lockDatabase - Other connections to the database: each is held while work runs under a lock, which may need those of `database`. */
  constructor(database: PostgresDatabase, lockDatabase: PostgresDatabase) {
    this.#database = database;
    this.#lockDatabase = lockDatabase;
  }

  async create(key: Omit<KeyRecord, "revoked_ms">, hash: string): Promise<boolean> {
    const { name, roles, quota, created_ms, expires_ms } = key;
    const created = await this.#database.query(
      `INSERT INTO keys (name, hash, roles, quota, created_ms, expires_ms) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT DO NOTHING RETURNING 1`,
      [name, hash, JSON.stringify(roles), JSON.stringify(quota), created_ms, expires_ms],
    );
    return created.length > 0;
  }

  async find(hash: string, nowMs: number): Promise<KeyRecord | undefined> {
    const select = `SELECT ${columns} FROM keys
      WHERE (hash = $1 OR (replaced_hash = $1 AND overlap_until_ms > $2))
        AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > $2)`;
    const [row] = await this.#database.query<Row>(select, [hash, nowMs]);
    return row && readRecord(row);
  }

  async change(name: string, { roles, quota, expires_ms }: KeyChange): Promise<KeyRecord | undefined> {
    const [row] = await this.#database.query<Row>(
      `UPDATE keys SET roles = coalesce($2, roles), quota = (quota::jsonb || coalesce($3::jsonb, '{}'))::text,
          expires_ms = CASE WHEN $4 THEN $5::bigint ELSE expires_ms END
        WHERE name = $1 AND revoked_ms IS NULL RETURNING ${columns}`,
      [
        name,
        roles === undefined ? null : JSON.stringify(roles),
        quota === undefined ? null : JSON.stringify(quota),
        expires_ms !== undefined,
        expires_ms ?? null,
      ],
    );
    return row && readRecord(row);
  }

  async replace(name: string, hash: string, overlapUntilMs: number): Promise<boolean> {
    const replaced = await this.#database.query(
      `UPDATE keys SET replaced_hash = hash, overlap_until_ms = $1, hash = $2
        WHERE name = $3 AND revoked_ms IS NULL RETURNING 1`,
      [overlapUntilMs, hash, name],
    );
    return replaced.length > 0;
  }

  async list(): Promise<readonly KeyRecord[]> {
    const rows = await this.#database.query<Row>(`SELECT ${columns} FROM keys ORDER BY name COLLATE "C"`);
    return rows.map(readRecord);
  }

  async withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return this.#lockDatabase.transaction(async (query) => {
      await query("SELECT 1 FROM keys WHERE name = $1 FOR UPDATE", [name]);
      return work();
    });
  }

  async revoke(name: string, nowMs: number): Promise<boolean> {
    const revoked = await this.#database.query(
      "UPDATE keys SET revoked_ms = $1 WHERE name = $2 AND revoked_ms IS NULL RETURNING 1",
      [nowMs, name],
    );
    return revoked.length > 0;
  }
}

function readRecord(row: Row): KeyRecord {
  const [roles, quota]: unknown[] = [JSON.parse(row.roles), readQuota(row.quota)];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and written by `create`
  return { ...row, roles, quota } as KeyRecord;
}
