import type { DatabaseSync } from "node:sqlite";
import type { Step, Variable } from "../automation/step.ts";

/** A task that was done once and can be done again, without a model. Source: interface § Other records; the rest is ours. */
export interface FunctionRecord {
  /** Its id, a UUID. Source: interface § Events. */
  readonly function_id: string;
  /** Its name: a few words in snake_case. Source: interface § Events. */
  readonly function_name: string;
  /** When it was made: ISO 8601 with offset. Source: interface § Events. */
  readonly created_at: string;
  /** The task that it came of. */
  readonly query: string;
  /** What may be another value each time; the values are those of the task. */
  readonly variables: readonly Variable[];
  /** What is done, in this order. */
  readonly steps: readonly Step[];
}

/** The functions that this service has made. Source: ours. */
export class FunctionRecords {
  readonly #database: DatabaseSync;

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Keeps a new function. */
  save(record: FunctionRecord): void {
    const { function_id, created_at } = record;
    this.#database
      .prepare("INSERT INTO functions (function_id, created_at, record) VALUES (?, ?, ?)")
      .run(function_id, created_at, JSON.stringify(record));
  }

  /** Keeps a function in place of the one with its id; one that was deleted meanwhile stays so. */
  replace(record: FunctionRecord): void {
    this.#database
      .prepare("UPDATE functions SET record = ? WHERE function_id = ?")
      .run(JSON.stringify(record), record.function_id);
  }

  /** A function; undefined when there is none with that id. */
  get(functionId: string): FunctionRecord | undefined {
    const row = this.#database.prepare("SELECT record FROM functions WHERE function_id = ?").get(functionId);
    return row && read(row["record"]);
  }

  /** All functions, the newest first. */
  list(): FunctionRecord[] {
    const rows = this.#database.prepare("SELECT record FROM functions ORDER BY created_at DESC, function_id").all();
    return rows.map((row) => read(row["record"]));
  }

  /** Forgets a function; tells whether there was one. */
  delete(functionId: string): boolean {
    return this.#database.prepare("DELETE FROM functions WHERE function_id = ?").run(functionId).changes > 0;
  }
}

function read(record: unknown): FunctionRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
  return JSON.parse(String(record)) as FunctionRecord;
}
