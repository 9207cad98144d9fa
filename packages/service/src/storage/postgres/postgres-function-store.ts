import type { FunctionRecord } from "@cloud-browser/automation";
import { describeServiceError, ServiceError } from "../../service-error.ts";
import type { FunctionStore } from "../function-store.ts";
import { OwnRows } from "./own-rows.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

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

const byOneStatement = `WITH own AS (
    SELECT * FROM json_to_recordset($1) AS own (function_id text, created_at text, record text, key_name text, is_new boolean)
  ), replaced AS (
    UPDATE functions AS kept SET record = own.record FROM own WHERE kept.function_id = own.function_id AND NOT own.is_new
  )
  INSERT INTO functions (function_id, created_at, record, key_name) SELECT function_id, created_at, record, key_name FROM own WHERE is_new
  ON CONFLICT (function_id) DO UPDATE SET record = excluded.record`;

/** Functions in a database that all nodes share. */
export class PostgresFunctionStore implements FunctionStore {
  readonly #database: PostgresDatabase;
  readonly #own: OwnRows<Unwritten>;

  /** @param onFault - Called when a function could not be written. */
  constructor(database: PostgresDatabase, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#own = new OwnRows({
      write: async (rows) => {
        const all = [...rows].map(([function_id, { record, isNew, key }]) => {
          const { created_at } = record;
          return { function_id, created_at, record: JSON.stringify(record), key_name: key ?? null, is_new: isNew };
        });
        await database.query(byOneStatement, [JSON.stringify(all)]);
      },
      isFinal: () => true,
      onFault,
    });
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
    const [row] = await this.#database.query<Row>("SELECT record, key_name FROM functions WHERE function_id = $1", [
      functionId,
    ]);
    if (!row || (key !== undefined && row.key_name !== key)) return undefined;
    return own?.record ?? read(row);
  }

  async list(key?: string | null): Promise<readonly FunctionRecord[]> {
    const where = key === undefined ? "" : key === null ? "WHERE key_name IS NULL" : "WHERE key_name = $1";
    const rows = await this.#database.query<Row>(
      `SELECT record, key_name FROM functions ${where} ORDER BY created_at DESC, function_id`,
      typeof key === "string" ? [key] : [],
    );
    if (this.#own.all.length === 0) return rows.map(read);
    const known = new Map(rows.map(read).map((one) => [one.function_id, one]));
    for (const { record, key: its } of this.#own.all)
      if (key === undefined || its === key || known.has(record.function_id)) known.set(record.function_id, record);
    return [...known.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  async delete(functionId: string, key?: string | null): Promise<boolean> {
    if (!(await this.get(functionId, key))) return false;
    const own = this.#own.get(functionId);
    this.#own.forget(functionId);
    // A write that has begun may have it.
    await this.#own.flush().catch(() => undefined);
    try {
      const gone = await this.#database.query("DELETE FROM functions WHERE function_id = $1 RETURNING 1", [functionId]);
      return own !== undefined || gone.length > 0;
    } catch (cause) {
      if (own) this.#own.keep(functionId, own);
      throw new ServiceError("storage-failed", "the function could not be deleted: the database can't be used", {
        cause,
      });
    }
  }

  settled(): Promise<void> {
    return this.#own.flush();
  }

  async flush(): Promise<string | undefined> {
    try {
      await this.#own.flush();
      return undefined;
    } catch (error) {
      return describeServiceError(error);
    }
  }
}

function read({ record }: Row): FunctionRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
  return JSON.parse(record) as FunctionRecord;
}
