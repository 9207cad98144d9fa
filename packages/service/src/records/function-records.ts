import type { DatabaseSync } from "node:sqlite";
import type { FunctionRecord } from "@cloud-browser/automation";
import { ServiceError } from "../service-error.ts";

/**
 * The functions that this service has made. What can't be written, because the disk is full, say, is known all the same, and
 * written by {@link FunctionRecords.flush}: a run that was paid for does not lose what it made.
 */
export class FunctionRecords {
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

  /** Keeps a new function. */
  save(record: FunctionRecord): void {
    this.#unwritten.set(record.function_id, record);
    this.#tryToWrite();
  }

  /** Keeps a function in place of the one with its id; one that was deleted meanwhile stays so. */
  replace(record: FunctionRecord): void {
    if (!this.get(record.function_id)) return;
    this.#unwritten.set(record.function_id, record);
    this.#tryToWrite();
  }

  /** A function; undefined when there is none with that id. */
  get(functionId: string): FunctionRecord | undefined {
    const row = this.#database.prepare("SELECT record FROM functions WHERE function_id = ?").get(functionId);
    return this.#unwritten.get(functionId) ?? (row && read(row["record"]));
  }

  /** All functions, the newest first. */
  list(): FunctionRecord[] {
    const rows = this.#database.prepare("SELECT record FROM functions ORDER BY created_at DESC, function_id").all();
    if (this.#unwritten.size === 0) return rows.map((row) => read(row["record"]));
    const known = new Map(rows.map((row) => read(row["record"])).map((one) => [one.function_id, one]));
    for (const [id, one] of this.#unwritten) known.set(id, one);
    return [...known.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  /**
   * Forgets a function; tells whether there was one.
   *
   * @throws {ServiceError} `storage-failed` when it can't be: it is still there then.
   */
  delete(functionId: string): boolean {
    try {
      const { changes } = this.#database.prepare("DELETE FROM functions WHERE function_id = ?").run(functionId);
      return this.#unwritten.delete(functionId) || changes > 0;
    } catch (cause) {
      throw new ServiceError("storage-failed", "The function could not be deleted: writing failed. Is the disk full?", {
        cause,
      });
    }
  }

  /** Writes what could not be written before. Returns why it still can't be, in words; undefined when nothing is left. */
  flush(): string | undefined {
    try {
      this.#write();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
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
