import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Query, SqlDatabase, SqlValue, SqlValues } from "../sql/sql-database.ts";
import { listValues, numberParameters, type Statement } from "../sql/statement.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";

/**
 * A file of SQLite, which has one connection. A statement is performed at once, in the turn of the event loop that asks for it, but while a
 * transaction goes on: then it waits for the end of that.
 */
export class SqliteDatabase implements SqlDatabase {
  /** As SQLite says it. */
  readonly dialect = sqliteDialect;
  readonly #file: DatabaseSync;
  /** Each statement is compiled once; there are as many as the stores have. */
  readonly #statements = new Map<string, { readonly statement: Statement; readonly compiled: StatementSync }>();
  #transaction: Promise<void> | undefined;

  /** @param file - Opened by `openDatabase`, which closes it, too. */
  constructor(file: DatabaseSync) {
    this.#file = file;
  }

  /** Runs one statement. */
  readonly query: Query = async <Row>(text: string, values: SqlValues = {}): Promise<readonly Row[]> => {
    while (this.#transaction) await this.#transaction;
    this.#leaveTransaction();
    return this.#run<Row>(text, values);
  };

  /** Runs several statements in one transaction, and no others meanwhile; rolls it back when `work` throws. */
  async transact<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    while (this.#transaction) await this.#transaction;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#transaction = promise;
    try {
      this.#leaveTransaction();
      this.#run("BEGIN IMMEDIATE", {});
      const result = await work(async <Row>(text: string, values: SqlValues = {}) => this.#run<Row>(text, values));
      this.#run("COMMIT", {});
      return result;
    } catch (error) {
      this.#leaveTransaction();
      throw error;
    } finally {
      this.#transaction = undefined;
      resolve();
    }
  }

  /** Rolls back what is left of a transaction that failed, also where that could not be done before: no other statement becomes part of it. */
  #leaveTransaction(): void {
    if (this.#file.isTransaction) this.#run("ROLLBACK", {});
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each statement has rows of its own
  #run<Row>(text: string, values: SqlValues): readonly Row[] {
    let cached = this.#statements.get(text);
    if (!cached) {
      const statement = numberParameters(text, "?");
      cached = { statement, compiled: this.#file.prepare(statement.text) };
      this.#statements.set(text, cached);
    }
    const { statement, compiled } = cached;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tables are ours, and strict
    return compiled.all(...listValues(statement, values).map(toInput)) as unknown as readonly Row[];
  }
}

/** Returns a value as SQLite takes it: it has no booleans and no lists. */
function toInput(value: SqlValue): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array) ? JSON.stringify(value) : value;
}
