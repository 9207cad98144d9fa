import type { DatabaseSync } from "node:sqlite";
import type { FunctionRecord } from "@cloud-browser/automation";
import type { FunctionStore } from "../function-store.ts";
import { ServiceError } from "../../service-error.ts";

/** Functions in the database of one process. */
export class SqliteFunctionStore implements FunctionStore {
  readonly #database: DatabaseSync;
  readonly #onFault: (error: unknown) => void;
  readonly #unwritten = new Map<string, FunctionRecord>();

  /**
   * @param database - Opened by `openDatabase`.
   * @param onFault - Told of a function that could not be written.
   */
  constructor(database: DatabaseSync, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#onFault = onFault;
  }

  async save(record: FunctionRecord): Promise<void> {
    this.#unwritten.set(record.function_id, record);
    this.#tryToWrite();
  }

  async replace(record: FunctionRecord): Promise<void> {
    if (!this.#read(record.function_id)) return;
    this.#unwritten.set(record.function_id, record);
    this.#tryToWrite();
  }

  async get(functionId: string): Promise<FunctionRecord | undefined> {
    return this.#read(functionId);
  }

  async list(): Promise<readonly FunctionRecord[]> {
    const rows = this.#database.prepare("SELECT record FROM functions ORDER BY created_at DESC, function_id").all();
    if (this.#unwritten.size === 0) return rows.map((row) => read(row["record"]));
    const known = new Map(rows.map((row) => read(row["record"])).map((one) => [one.function_id, one]));
    for (const [id, one] of this.#unwritten) known.set(id, one);
    return [...known.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  async delete(functionId: string): Promise<boolean> {
    try {
      const { changes } = this.#database.prepare("DELETE FROM functions WHERE function_id = ?").run(functionId);
      return this.#unwritten.delete(functionId) || changes > 0;
    } catch (cause) {
      throw new ServiceError("storage-failed", "The function could not be deleted: writing failed. Is the disk full?", {
        cause,
      });
    }
  }

  async flush(): Promise<string | undefined> {
    try {
      this.#write();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #read(functionId: string): FunctionRecord | undefined {
    const row = this.#database.prepare("SELECT record FROM functions WHERE function_id = ?").get(functionId);
    return this.#unwritten.get(functionId) ?? (row && read(row["record"]));
  }

  #tryToWrite(): void {
    try {
      this.#write();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #write(): void {
    for (const [id, record] of this.#unwritten) {
      this.#database
        .prepare(
          "INSERT INTO functions (function_id, created_at, record) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET record = excluded.record",
        )
        .run(id, record.created_at, JSON.stringify(record));
      this.#unwritten.delete(id);
    }
  }
}

function read(record: unknown): FunctionRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
  return JSON.parse(String(record)) as FunctionRecord;
}
