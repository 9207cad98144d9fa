import type { FunctionRecord } from "@cloud-browser/automation";
import { describeServiceError, ServiceError } from "../../service-error.ts";
import type { FunctionStore } from "../function-store.ts";
import { isOfKey, makeKeyValue } from "./conditions.ts";
import { OwnRows } from "./own-rows.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { writeRows } from "./statement.ts";

/** A function that is not written yet: a new one, or one that replaces another if that still exists. */
interface Unwritten {
  readonly record: FunctionRecord;
  readonly isNew: boolean;
  /** Name of its key; undefined for one that replaces another: it has the key of that. */
  readonly key?: string | null | undefined;
}

interface Row {
  readonly record: string;
  readonly key_name: string | null;
}

const columns = { function_id: "text", created_at: "text", record: "text", key_name: "text" } as const;

/** Functions in a file of one process, or in a database that all nodes share. */
export class SqlFunctionStore implements FunctionStore {
  readonly #database: SqlDatabase;
  readonly #isShared: boolean;
  readonly #own: OwnRows<Unwritten>;

  /**
   * @param isShared - Whether other processes read the database.
   * @param onFault - Called when a function could not be written.
   */
  constructor(database: SqlDatabase, isShared: boolean, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#isShared = isShared;
    this.#own = new OwnRows({ write: (rows) => this.#write([...rows.values()]), isFinal: () => true, onFault });
  }

  async save(record: FunctionRecord, key: string | null = null): Promise<void> {
    await this.#own.change(record.function_id, { record, isNew: true, key });
  }

  async replace(record: FunctionRecord): Promise<void> {
    const { function_id: id } = record;
    const own = this.#own.get(id);
    await this.#own.change(id, { record, isNew: own?.isNew ?? false, key: own?.key });
  }

  async get(functionId: string, key?: string | null): Promise<FunctionRecord | undefined> {
    const own = this.#own.get(functionId);
    if (own && (key === undefined || own.key === key)) return own.record;
    const select = "SELECT record, key_name FROM functions WHERE function_id = :id";
    const [row] = await this.#database.query<Row>(select, { id: functionId });
    if (!row || (key !== undefined && row.key_name !== key)) return undefined;
    return own?.record ?? parseRecord(row);
  }

  async list(key?: string | null): Promise<readonly FunctionRecord[]> {
    const select = `SELECT record FROM functions WHERE ${isOfKey(key)} ORDER BY created_at DESC, function_id`;
    const rows = (await this.#database.query<Row>(select, makeKeyValue(key))).map(parseRecord);
    if (this.#own.all.length === 0) return rows;
    const records = new Map(rows.map((one) => [one.function_id, one]));
    for (const { record, key: its } of this.#own.all)
      if (key === undefined || its === key || records.has(record.function_id)) records.set(record.function_id, record);
    return [...records.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  async delete(functionId: string, key?: string | null): Promise<boolean> {
    if (!(await this.get(functionId, key))) return false;
    const own = this.#own.get(functionId);
    this.#own.forget(functionId);
    // A write that has begun may have it.
    await this.#own.flush().catch(() => undefined);
    try {
      const deletion = "DELETE FROM functions WHERE function_id = :id RETURNING 1";
      const rows = await this.#database.query(deletion, { id: functionId });
      return own !== undefined || rows.length > 0;
    } catch (cause) {
      if (own) this.#own.keep(functionId, own);
      const why = describeServiceError(cause);
      throw new ServiceError("storage-failed", `the function could not be deleted (${why}); try again`, { cause });
    }
  }

  async settle(): Promise<void> {
    // What only this process reads it knows.
    if (this.#isShared) await this.#own.flush();
  }

  flush(): Promise<string | undefined> {
    return this.#own.tryFlush();
  }

  async #write(rows: readonly Unwritten[]): Promise<void> {
    const listOwn = (isNew: boolean): readonly object[] =>
      rows
        .filter((row) => row.isNew === isNew)
        .map(({ record, key = null }) => {
          const { function_id, created_at } = record;
          return { function_id, created_at, record: JSON.stringify(record), key_name: key };
        });
    const [inserts, updates] = [listOwn(true), listOwn(false)];
    const from = this.#database.dialect.rows("own", columns);
    const names = Object.keys(columns).join(", ");
    if (inserts.length > 0)
      await this.#database.query(
        `INSERT INTO functions (${names}) SELECT ${names} FROM ${from} WHERE TRUE
          ON CONFLICT (function_id) DO UPDATE SET record = excluded.record`,
        { own: writeRows(inserts) },
      );
    if (updates.length > 0)
      await this.#database.query(
        `UPDATE functions AS kept SET record = own.record FROM ${from} WHERE kept.function_id = own.function_id`,
        { own: writeRows(updates) },
      );
  }
}

function parseRecord({ record }: Row): FunctionRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
  return JSON.parse(record) as FunctionRecord;
}
