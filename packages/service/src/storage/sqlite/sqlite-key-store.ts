import type { DatabaseSync } from "node:sqlite";
import { type KeyChange, type KeyRecord, type KeyStore, readQuota } from "../key-store.ts";

const columns = "name, roles, quota, created_ms, expires_ms, revoked_ms";

/** Keys in the database of one process. */
export class SqliteKeyStore implements KeyStore {
  readonly #database: DatabaseSync;

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async create(key: Omit<KeyRecord, "revoked_ms">, hash: string): Promise<boolean> {
    const { name, roles, quota, created_ms, expires_ms } = key;
    const insert = `INSERT INTO keys (name, hash, roles, quota, created_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`;
    const { changes } = this.#database
      .prepare(insert)
      .run(name, hash, JSON.stringify(roles), JSON.stringify(quota), created_ms, expires_ms);
    return Number(changes) > 0;
  }

  async find(hash: string, nowMs: number): Promise<KeyRecord | undefined> {
    const select = `SELECT ${columns} FROM keys
      WHERE (hash = :hash OR (replaced_hash = :hash AND overlap_until_ms > :now))
        AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > :now)`;
    const row = this.#database.prepare(select).get({ hash, now: nowMs });
    return row && readRecord(row);
  }

  async change(name: string, { roles, quota, expires_ms }: KeyChange): Promise<KeyRecord | undefined> {
    const select = `SELECT ${columns} FROM keys WHERE name = ? AND revoked_ms IS NULL`;
    const row = this.#database.prepare(select).get(name);
    if (!row) return undefined;
    const before = readRecord(row);
    const after: KeyRecord = {
      ...before,
      roles: roles ?? before.roles,
      quota: { ...before.quota, ...quota },
      expires_ms: expires_ms === undefined ? before.expires_ms : expires_ms,
    };
    const update = "UPDATE keys SET roles = ?, quota = ?, expires_ms = ? WHERE name = ?";
    this.#database
      .prepare(update)
      .run(JSON.stringify(after.roles), JSON.stringify(after.quota), after.expires_ms, name);
    return after;
  }

  async replace(name: string, hash: string, overlapUntilMs: number): Promise<boolean> {
    const update = `UPDATE keys SET replaced_hash = hash, overlap_until_ms = ?, hash = ?
      WHERE name = ? AND revoked_ms IS NULL`;
    return Number(this.#database.prepare(update).run(overlapUntilMs, hash, name).changes) > 0;
  }

  async list(): Promise<readonly KeyRecord[]> {
    return this.#database.prepare(`SELECT ${columns} FROM keys ORDER BY name`).all().map(readRecord);
  }

  withLock<Result>(_name: string, work: () => Promise<Result>): Promise<Result> {
    return work();
  }

  async revoke(name: string, nowMs: number): Promise<boolean> {
    const update = "UPDATE keys SET revoked_ms = ? WHERE name = ? AND revoked_ms IS NULL";
    return Number(this.#database.prepare(update).run(nowMs, name).changes) > 0;
  }
}

function readRecord(row: Record<string, unknown>): KeyRecord {
  const [roles, quota]: unknown[] = [JSON.parse(String(row["roles"])), readQuota(String(row["quota"]))];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and written by `create`
  return { ...row, roles, quota } as KeyRecord;
}
