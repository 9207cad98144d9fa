import type { FunctionRecord } from "@cloud-browser/automation";
import { ServiceError } from "../../service-error.ts";
import type { FunctionStore } from "../function-store.ts";
import { OwnRows } from "./own-rows.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

/** A function that is not written yet. One that is not new replaces another, if that is still there. */
interface Unwritten {
  readonly record: FunctionRecord;
  readonly isNew: boolean;
}

interface Row {
  readonly record: string;
}

const byOneStatement = `WITH own AS (
    SELECT * FROM json_to_recordset($1) AS own (function_id text, created_at text, record text, is_new boolean)
  ), replaced AS (
    UPDATE functions AS kept SET record = own.record FROM own WHERE kept.function_id = own.function_id AND NOT own.is_new
  )
  INSERT INTO functions (function_id, created_at, record) SELECT function_id, created_at, record FROM own WHERE is_new
  ON CONFLICT (function_id) DO UPDATE SET record = excluded.record`;

/** Functions in a database that several nodes share. */
export class PostgresFunctionStore implements FunctionStore {
  readonly #database: PostgresDatabase;
  readonly #own: OwnRows<Unwritten>;

  /** @param onFault - Told of a function that could not be written. */
  constructor(database: PostgresDatabase, onFault: (error: unknown) => void = () => undefined) {
    this.#database = database;
    this.#own = new OwnRows({
      write: async (rows) => {
        const all = [...rows].map(([function_id, { record, isNew }]) => {
          return { function_id, created_at: record.created_at, record: JSON.stringify(record), is_new: isNew };
        });
        await database.query(byOneStatement, [JSON.stringify(all)]);
      },
      isFinal: () => true,
      onFault,
    });
  }

  async save(record: FunctionRecord): Promise<void> {
    await this.#own.change(record.function_id, { record, isNew: true });
  }

  async replace(record: FunctionRecord): Promise<void> {
    const { function_id: id } = record;
    await this.#own.change(id, { record, isNew: this.#own.get(id)?.isNew ?? false });
  }

  async get(functionId: string): Promise<FunctionRecord | undefined> {
    const own = this.#own.get(functionId);
    if (own) return own.record;
    const [row] = await this.#database.query<Row>("SELECT record FROM functions WHERE function_id = $1", [functionId]);
    return row && read(row);
  }

  async list(): Promise<readonly FunctionRecord[]> {
    const rows = await this.#database.query<Row>("SELECT record FROM functions ORDER BY created_at DESC, function_id");
    if (this.#own.all.length === 0) return rows.map(read);
    const known = new Map(rows.map(read).map((one) => [one.function_id, one]));
    for (const { record } of this.#own.all) known.set(record.function_id, record);
    return [...known.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  }

  async delete(functionId: string): Promise<boolean> {
    const own = this.#own.get(functionId);
    this.#own.forget(functionId);
    // A write that has begun may have it.
    await this.#own.flush().catch(() => undefined);
    try {
      const gone = await this.#database.query("DELETE FROM functions WHERE function_id = $1 RETURNING 1", [functionId]);
      return own !== undefined || gone.length > 0;
    } catch (cause) {
      if (own) this.#own.keep(functionId, own);
      throw new ServiceError("storage-failed", "The function could not be deleted: the database can't be used.", {
        cause,
      });
    }
  }

  async flush(): Promise<string | undefined> {
    try {
      await this.#own.flush();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

function read({ record }: Row): FunctionRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
  return JSON.parse(record) as FunctionRecord;
}
