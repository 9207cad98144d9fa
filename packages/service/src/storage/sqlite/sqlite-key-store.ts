import type { DatabaseSync } from "node:sqlite";
import type { KeyRecord, KeyStore } from "../key-store.ts";

const columns = "name, roles, quota, created_ms, revoked_ms";

/** Keys in the database of one process. */
export class SqliteKeyStore implements KeyStore {
  readonly #database: DatabaseSync;

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async create({ name, roles, quota, created_ms }: Omit<KeyRecord, "revoked_ms">, hash: string): Promise<boolean> {
    const insert =
      "INSERT INTO keys (name, hash, roles, quota, created_ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
    const { changes } = this.#database
      .prepare(insert)
      .run(name, hash, JSON.stringify(roles), JSON.stringify(quota), created_ms);
    return Number(changes) > 0;
  }

  async find(hash: string): Promise<KeyRecord | undefined> {
    const select = `SELECT ${columns} FROM keys WHERE hash = ? AND revoked_ms IS NULL`;
    const row = this.#database.prepare(select).get(hash);
    return row && recordOf(row);
  }

  async list(): Promise<readonly KeyRecord[]> {
    return this.#database.prepare(`SELECT ${columns} FROM keys ORDER BY name`).all().map(recordOf);
  }

  withLock<Result>(_name: string, work: () => Promise<Result>): Promise<Result> {
    return work();
  }

  async revoke(name: string, nowMs: number): Promise<boolean> {
    const update = "UPDATE keys SET revoked_ms = ? WHERE name = ? AND revoked_ms IS NULL";
    return Number(this.#database.prepare(update).run(nowMs, name).changes) > 0;
  }
}

function recordOf(row: Record<string, unknown>): KeyRecord {
  const [roles, quota]: unknown[] = [JSON.parse(String(row["roles"])), JSON.parse(String(row["quota"]))];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and written by `create`
  return { ...row, roles, quota } as KeyRecord;
}
