import type { Dialect } from "../sql/sql-database.ts";

/** The clock of the database, in milliseconds since 1970. */
const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** How SQLite says it. Nobody else has the file open, so that nothing has to be locked. */
export const sqliteDialect: Dialect = {
  isIn: (column, name) => `${column} IN (SELECT value FROM json_each(:${name}))`,
  rows: (name, columns) => {
    const values = Object.keys(columns).map((column) => `value ->> '${column}' AS "${column}"`);
    return `(SELECT ${values.join(", ")} FROM json_each(:${name})) AS ${name}`;
  },
  withField: (column, field, number) => `json_set(${column}, '$.${field}', ${number})`,
  lock: () => "",
  byBytes: "",
  lockOwner: undefined,
  lease: {
    columns: { expires_ms: `${now} + :ttl` },
    renewal: `expires_ms = ${now} + :ttl`,
    isOver: `(expires_ms <= ${now})`,
    mark: "CAST(expires_ms AS text)",
    forget: undefined,
  },
};
