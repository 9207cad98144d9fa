import type { Dialect } from "../sql/sql-database.ts";

/** How long a revoked lease is kept: its last renewal is when its sessions were last seen. */
const retention = "7 days";

const soon = "clock_timestamp() + :ttl * interval '1 millisecond'";

/** How PostgreSQL says it. */
export const postgresDialect: Dialect = {
  isIn: (column, name) => `${column} = ANY (:${name})`,
  rows: (name, columns) => {
    const types = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`);
    return `json_to_recordset(:${name}) AS ${name} (${types.join(", ")})`;
  },
  withField: (column, field, number) =>
    `jsonb_set(${column}::jsonb, '{${field}}', to_jsonb(CAST(${number} AS bigint)))::text`,
  lock: (clause) => clause,
  byBytes: 'COLLATE "C"',
  lockOwner: "SELECT pg_advisory_xact_lock(724011930, hashtext(:owner))",
  lease: {
    columns: { epoch: "nextval('lease_epochs')", renewed_at: "clock_timestamp()", expires_at: soon },
    renewal: `renewed_at = clock_timestamp(), expires_at = ${soon}`,
    isOver: "(expires_at <= clock_timestamp())",
    // The expiry of the lease, to the microsecond.
    mark: "extract(epoch FROM expires_at)::text",
    forget: `DELETE FROM leases WHERE revoked AND expires_at < clock_timestamp() - interval '${retention}'
      AND NOT EXISTS (SELECT FROM sessions WHERE sessions.epoch = leases.epoch AND ended_ms IS NULL)`,
  },
};
