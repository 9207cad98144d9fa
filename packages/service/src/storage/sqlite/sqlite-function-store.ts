import type { DatabaseSync } from "node:sqlite";
import type { FunctionRecord } from "@cloud-browser/automation";
import type { FunctionStore } from "../function-store.ts";
import { describeServiceError, ServiceError } from "../../service-error.ts";

/** A function that is not written yet, and its key. */
interface Unwritten {
  readonly record: FunctionRecord;
  readonly key: string | null;
}

/** Functions in the database of one process. */
export class SqliteFunctionStore implements FunctionStore {
  readonly #database: DatabaseSync;
  readonly #onFault: (error: unknown) => void;
  readonly #unwritten = new Map<string, Unwritten>();

  /**
   * @param database - Opened by `openDatabase`.
   * @param onFault - Called when a function could not be written.
   */
  constructor(database: DatabaseSync, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#onFault = onFault;
  }

  async save(record: FunctionRecord, key: string | null = null): Promise<void> {
    this.#unwritten.set(record.function_id, { record, key });
    this.#tryToWrite();
  }

  async replace(record: FunctionRecord): Promise<void> {
    const before = this.#read(record.function_id);
    if (!before) return;
    this.#unwritten.set(record.function_id, { record, key: before.key });
    this.#tryToWrite();
  }

  async get(functionId: string, key?: string | null): Promise<FunctionRecord | undefined> {
    const found = this.#read(functionId);
    return found && (key === undefined || found.key === key) ? found.record : undefined;
  }

  async list(key?: string | null): Promise<readonly FunctionRecord[]> {
    const [where, ...values] = key === undefined ? [""] : ["WHERE key_name IS ?", key];
    const select = `SELECT record FROM functions ${where} ORDER BY created_at DESC, function_id`;
    const rows = this.#database.prepare(select).all(...values);
    if (this.#unwritten.size === 0) return rows.map((row) => read(row["record"]));
    const known = new Map(rows.map((row) => read(row["record"])).map((one) => [one.function_id, one]));
    for (const [id, one] of this.#unwritten) if (key === undefined || one.key === key) known.set(id, one.record);
    return [...known.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  async delete(functionId: string, key?: string | null): Promise<boolean> {
    if (!(await this.get(functionId, key))) return false;
    try {
      const { changes } = this.#database.prepare("DELETE FROM functions WHERE function_id = ?").run(functionId);
      return this.#unwritten.delete(functionId) || changes > 0;
    } catch (cause) {
      throw new ServiceError("storage-failed", "the function could not be deleted: writing failed; is the disk full?", {
        cause,
      });
    }
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }

  async flush(): Promise<string | undefined> {
    try {
      this.#write();
      return undefined;
    } catch (error) {
      return describeServiceError(error);
    }
  }

  #read(functionId: string): Unwritten | undefined {
    const row = this.#database.prepare("SELECT record, key_name FROM functions WHERE function_id = ?").get(functionId);
    const known = row && {
      record: read(row["record"]),
      key: row["key_name"] === null ? null : String(row["key_name"]),
    };
    return this.#unwritten.get(functionId) ?? known;
  }

  #tryToWrite(): void {
    try {
      this.#write();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #write(): void {
    for (const [id, { record, key }] of this.#unwritten) {
      this.#database
        .prepare(
          "INSERT INTO functions (function_id, created_at, record, key_name) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET record = excluded.record",
        )
        .run(id, record.created_at, JSON.stringify(record), key);
      this.#unwritten.delete(id);
    }
  }
}

function read(record: unknown): FunctionRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
  return JSON.parse(String(record)) as FunctionRecord;
}
