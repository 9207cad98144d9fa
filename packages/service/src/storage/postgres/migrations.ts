import { listStepsAfter } from "../sql/schema-steps.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

/** Each step brings the tables from one version to the next; the database remembers how many it has seen. Steps are only ever added. */
const steps: readonly string[] = [
  `CREATE SEQUENCE lease_epochs;
  CREATE TABLE leases (
    name text NOT NULL,
    epoch bigint PRIMARY KEY,
    renewed_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked boolean NOT NULL DEFAULT false,
    about text NOT NULL
  );
  CREATE UNIQUE INDEX leases_one_for_each_name ON leases (name) WHERE NOT revoked;
  CREATE TABLE sessions (
    session_id text PRIMARY KEY,
    created_ms bigint NOT NULL,
    ended_ms bigint,
    end_reason text,
    url text,
    title text,
    host text NOT NULL,
    epoch bigint NOT NULL
  );
  CREATE INDEX sessions_newest ON sessions (created_ms DESC);
  CREATE INDEX sessions_open ON sessions (epoch) WHERE ended_ms IS NULL;
  CREATE INDEX sessions_ended ON sessions (ended_ms);
  CREATE TABLE functions (
    function_id text PRIMARY KEY,
    created_at text NOT NULL,
    record text NOT NULL
  );
  CREATE INDEX functions_newest ON functions (created_at DESC, function_id);
  CREATE TABLE runs (
    thread_id text PRIMARY KEY,
    session_id text,
    started_ms bigint NOT NULL,
    ended_ms bigint,
    "end" text,
    reason text,
    cost_usd text NOT NULL,
    function_id text,
    host text NOT NULL,
    epoch bigint NOT NULL
  );
  CREATE INDEX runs_by_session ON runs (session_id);
  CREATE INDEX runs_newest ON runs (started_ms DESC) WHERE ended_ms IS NOT NULL;
  CREATE INDEX runs_open ON runs (epoch) WHERE ended_ms IS NULL;
  CREATE INDEX runs_ended ON runs (ended_ms)`,
  `CREATE TABLE keys (
    name text PRIMARY KEY,
    hash text NOT NULL UNIQUE,
    roles text NOT NULL,
    quota text NOT NULL,
    created_ms bigint NOT NULL,
    revoked_ms bigint
  );
  ALTER TABLE sessions ADD COLUMN key_name text;
  ALTER TABLE runs ADD COLUMN key_name text;
  ALTER TABLE functions ADD COLUMN key_name text;
  CREATE INDEX sessions_newest_of_key ON sessions (key_name, created_ms DESC);
  CREATE INDEX runs_of_key ON runs (key_name, started_ms DESC);
  CREATE INDEX functions_of_key ON functions (key_name, created_at DESC, function_id)`,
  "CREATE INDEX sessions_open_of_key ON sessions (key_name) WHERE ended_ms IS NULL",
  `ALTER TABLE runs ADD COLUMN task text;
  ALTER TABLE runs ADD COLUMN steps integer NOT NULL DEFAULT 0;
  ALTER TABLE runs ADD COLUMN outcome text;
  CREATE TABLE run_events (
    thread_id text NOT NULL REFERENCES runs ON DELETE CASCADE,
    seq integer NOT NULL,
    event text NOT NULL,
    PRIMARY KEY (thread_id, seq)
  )`,
  `CREATE TABLE recordings (
    session_id text PRIMARY KEY,
    stage text NOT NULL,
    delete_at_ms bigint,
    state text NOT NULL,
    folder text,
    host text NOT NULL,
    epoch bigint NOT NULL
  );
  CREATE INDEX recordings_unfinished ON recordings (epoch) WHERE stage IN ('recording', 'ended');
  CREATE INDEX recordings_due ON recordings (delete_at_ms)`,
  `DROP INDEX recordings_due;
  CREATE INDEX recordings_due ON recordings (delete_at_ms) WHERE stage <> 'deleted';
  CREATE INDEX recordings_deleted ON recordings (delete_at_ms) WHERE stage = 'deleted';
  CREATE INDEX recordings_done ON recordings (epoch, delete_at_ms) WHERE stage NOT IN ('recording', 'ended', 'deleted')`,
  `ALTER TABLE sessions ADD COLUMN recorded boolean NOT NULL DEFAULT true;
  ALTER TABLE keys ADD COLUMN expires_ms bigint;
  ALTER TABLE keys ADD COLUMN replaced_hash text;
  ALTER TABLE keys ADD COLUMN overlap_until_ms bigint;
  CREATE INDEX keys_replaced ON keys (replaced_hash) WHERE replaced_hash IS NOT NULL`,
  `CREATE TABLE handovers (
    handover_id text PRIMARY KEY,
    session_id text NOT NULL REFERENCES sessions ON DELETE CASCADE,
    message text NOT NULL,
    asked_by text NOT NULL,
    asked_ms bigint NOT NULL,
    expires_ms bigint NOT NULL,
    idempotency_key text,
    answer text,
    note text,
    answered_ms bigint,
    UNIQUE (session_id, idempotency_key)
  );
  CREATE INDEX handovers_newest ON handovers (asked_ms);
  CREATE INDEX handovers_open ON handovers (asked_ms) WHERE answer IS NULL`,
  `CREATE TABLE profiles (
    profile_id text PRIMARY KEY,
    owner text NOT NULL,
    name text NOT NULL,
    created_ms bigint NOT NULL,
    saved_ms bigint,
    used_ms bigint,
    version integer NOT NULL DEFAULT 0,
    key_id text,
    bytes bigint NOT NULL DEFAULT 0,
    sites bytea,
    state bytea,
    UNIQUE (owner, name)
  );
  CREATE TABLE profile_uses (
    session_id text PRIMARY KEY,
    profile_id text NOT NULL,
    name text NOT NULL,
    mode text NOT NULL,
    began_ms bigint NOT NULL,
    outcome text,
    why text,
    settled_ms bigint
  );
  CREATE INDEX profile_uses_of_profile ON profile_uses (profile_id, mode, began_ms);
  CREATE INDEX profile_uses_begun ON profile_uses (began_ms)`,
  `CREATE TABLE files (
    session_id text NOT NULL,
    file_id text NOT NULL,
    created_ms bigint NOT NULL,
    kept_ms bigint NOT NULL,
    record text NOT NULL,
    PRIMARY KEY (session_id, file_id)
  )`,
];

/** Key of the advisory lock; any unused number. */
const lockKey = 7_240_119_301;

/** Longest wait for another node that brings the tables up to date, and longest work on them, in milliseconds. */
const migrationMs = 120_000;

/**
 * Makes the tables that a database lacks. Nodes that start at once wait for each other (an advisory lock), and each step is done once, all of it or none.
 *
 * @throws {ServiceError} `usage` when a newer version wrote it, `storage-failed`.
 */
export async function migrate(database: PostgresDatabase): Promise<void> {
  await database.transact(async (query) => {
    await query("SELECT pg_advisory_xact_lock(:key)", { key: lockKey });
    await query("CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)");
    const [row] = await query<{ version: number }>("SELECT version FROM schema_version");
    const version = row?.version ?? 0;
    const missing = listStepsAfter(version, steps, { name: "the database", other: "another database" });
    for (const step of missing) await query(step);
    if (row === undefined) await query("INSERT INTO schema_version VALUES (:version)", { version: steps.length });
    else if (version < steps.length)
      await query("UPDATE schema_version SET version = :version", { version: steps.length });
  }, migrationMs);
}
