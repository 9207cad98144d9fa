import type { Pool, PoolClient } from "pg";
import { ServiceError } from "../../service-error.ts";
import type { Query, SqlDatabase, SqlValues } from "../sql/sql-database.ts";
import { listValues, numberParameters, type Statement } from "../sql/statement.ts";
import { postgresDialect } from "./postgres-dialect.ts";

/** Limits of a statement, in milliseconds. */
export interface DatabaseLimits {
  /** Longest wait for a connection, new or from the pool. Default: 5,000. */
  readonly connectMs?: number;
  /** Longest statement; the server ends it then. This side gives up soon after, also when nothing answers any more. Default: 5,000. */
  readonly statementMs?: number;
  /** Margin of the timeout on this side over that of the server. Default: 1,000. */
  readonly marginMs?: number;
  /** Most connections of this process. Default: 10. */
  readonly connections?: number;
}

const defaultMarginMs = 1_000;

/** `oid` of `int8`, which the driver returns as text by default. */
const int8 = 20;

/** A PostgreSQL database. Every statement is bounded in time, and every failure is an error of this package that names no secret. */
export class PostgresDatabase implements SqlDatabase {
  /** As PostgreSQL says it. */
  readonly dialect = postgresDialect;
  readonly #pool: Pool;

  private constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Creates a connection pool; no connection is opened before the first query.
   *
   * @param url - `postgres://user:password@host:port/database`. A secret.
   * @param onFault - Called when an idle connection is lost.
   * @throws {ServiceError} `usage` if the URL is malformed, or the package `pg` is not installed.
   */
  static async open(
    url: string,
    limits: DatabaseLimits = {},
    onFault: (error: unknown) => void = () => undefined,
  ): Promise<PostgresDatabase> {
    if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? "")) {
      throw new ServiceError("usage", "malformed database address: give postgres://user:password@host:port/database");
    }
    const pg = await loadDriver();
    const { connectMs = 5_000, statementMs = 5_000, marginMs = defaultMarginMs, connections = 10 } = limits;
    const types = new pg.TypeOverrides();
    types.setTypeParser(int8, Number);
    const pool = new pg.Pool({
      connectionString: url,
      application_name: "cloud-browser",
      max: connections,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      lock_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
      query_timeout: statementMs + marginMs,
      keepAlive: true,
      types,
    });
    pool.on("error", onFault);
    return new PostgresDatabase(pool);
  }

  /** Runs one statement in a transaction of its own. @throws {ServiceError} `storage-failed` */
  readonly query: Query = async <Row>(text: string, values: SqlValues = {}): Promise<readonly Row[]> => {
    try {
      return await ask<Row>(this.#pool, text, values);
    } catch (cause) {
      throw toFailure(cause);
    }
  };

  /**
   * Runs several statements in one transaction; rolls it back when `work` throws.
   *
   * @param statementMs - Longest statement. Default: as for all others.
   * @throws {ServiceError} `storage-failed`; what `work` throws.
   */
  async transact<Result>(work: (query: Query) => Promise<Result>, statementMs?: number): Promise<Result> {
    const client = await this.#pool.connect().catch((cause: unknown) => {
      throw toFailure(cause);
    });
    client.on("error", ignore);
    let isFine = false;
    try {
      await client.query("BEGIN");
      if (statementMs !== undefined) {
        await client.query(`SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${statementMs}`);
      }
      const longest = statementMs === undefined ? undefined : statementMs + defaultMarginMs;
      const result = await work((text, values = {}) => ask(client, text, values, longest));
      await client.query("COMMIT");
      isFine = true;
      return result;
    } catch (error) {
      throw error instanceof ServiceError ? error : toFailure(error);
    } finally {
      client.off("error", ignore);
      // Closing it rolls back, even if the connection does not respond any more.
      client.release(!isFine);
    }
  }

  /** Closes all connections, after pending queries. */
  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Statements with numbered parameters; there are as many as the stores have. */
const statements = new Map<string, Statement>();

async function ask<Row>(
  on: Pool | PoolClient,
  text: string,
  values: SqlValues,
  longestMs?: number,
): Promise<readonly Row[]> {
  const statement = statements.get(text) ?? numberParameters(text, "$");
  statements.set(text, statement);
  const query = {
    text: statement.text,
    values: [...listValues(statement, values)],
    ...(longestMs === undefined ? {} : { query_timeout: longestMs }),
  };
  const { rows } = await on.query<Row & Record<string, unknown>>(query);
  return rows;
}

/** A connection that is lost between two statements emits an error; the next statement fails and reports it. */
const ignore = (): void => undefined;

/** Loaded on demand: a service that keeps its records in a file does not need it. */
async function loadDriver(): Promise<(typeof import("pg"))["default"]> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    throw new ServiceError("usage", "the package for PostgreSQL is missing: npm install pg", {
      cause,
    });
  }
}

function toFailure(cause: unknown): ServiceError {
  return new ServiceError("storage-failed", `the database can't be used (${describeReason(cause)}); try again`, {
    cause,
  });
}

/** Returns the reason of an error, without addresses and values of rows. */
function describeReason(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown reason";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  // Messages of the server (with a SQLSTATE) name tables and roles; those of the system contain addresses.
  if (code === undefined || /^[\dA-Z]{5}$/.test(code)) return cause.message;
  return code;
}
