/** Value of a parameter of a statement; the texts of a list are compared with {@link Dialect.isIn}. */
export type SqlValue = string | number | boolean | null | Uint8Array | readonly string[];

/** Values of parameters, by name. Those that a statement does not name are left out. */
export type SqlValues = Readonly<Record<string, SqlValue>>;

/** Runs one statement, whose parameters are `:names`, and returns its rows; integers of any size are numbers. */
export type Query = <Row = unknown>(text: string, values?: SqlValues) => Promise<readonly Row[]>;

/** A database with the tables of the service: a file of SQLite, or PostgreSQL. */
export interface SqlDatabase {
  /** The expressions that differ. */
  readonly dialect: Dialect;
  /** Runs one statement in a transaction of its own. */
  readonly query: Query;
  /** Runs several statements in one transaction; rolls it back when `work` throws. `work` uses no other statements of the database. */
  transact<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
}

/** Types of columns; both databases know them by these names. */
export type ColumnType = "text" | "bigint" | "boolean";

/** The expressions of SQL in which the databases differ. */
export interface Dialect {
  /** Returns the condition that a column has one of the texts of a list. @param name - Of the parameter. */
  readonly isIn: (column: string, name: string) => string;
  /**
   * Returns a table of rows that are given as JSON (see `writeRows`).
   *
   * @param name - Of the parameter, and of the table.
   */
  readonly rows: (name: string, columns: Readonly<Record<string, ColumnType>>) => string;
  /** Returns the JSON of a column of text, with another number in one of its fields. */
  readonly withField: (column: string, field: string, number: string) => string;
  /** Returns a clause that locks rows (`FOR UPDATE`), where others could change them meanwhile. */
  readonly lock: (clause: string) => string;
  /** Collation of an order by bytes. */
  readonly byBytes: string;
  /** Statement that locks all profiles of the `:owner` until the end of the transaction, also those that are not there yet; undefined where nobody else could add one. */
  readonly lockOwner: string | undefined;
  /** Statements of leases that read the clock of the database. */
  readonly lease: LeaseDialect;
}

/** Statements of leases that read the clock, which is that of the database. */
export interface LeaseDialect {
  /** Columns of a new lease of `:name`, and their values; it is over after `:ttl` milliseconds. */
  readonly columns: Readonly<Record<string, string>>;
  /** Assignments by which a lease is over after `:ttl` milliseconds. */
  readonly renewal: string;
  /** Condition that it is over. */
  readonly isOver: string;
  /** Text that differs after each renewal. */
  readonly mark: string;
  /** Statement that deletes leases that nothing refers to any more; undefined where none is deleted. */
  readonly forget: string | undefined;
}
