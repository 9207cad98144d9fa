import { Pool } from "pg";
import type { PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { migrate } from "../../../src/storage/postgres/migrations.ts";
import { PostgresDatabase, type DatabaseLimits } from "../../../src/storage/postgres/postgres-database.ts";
import { SqlFileIndex } from "../../../src/storage/sql/sql-file-index.ts";
import { SqlFunctionStore } from "../../../src/storage/sql/sql-function-store.ts";
import { SqlHandoverStore } from "../../../src/storage/sql/sql-handover-store.ts";
import { SqlKeyStore } from "../../../src/storage/sql/sql-key-store.ts";
import { SqlLeaseStore } from "../../../src/storage/sql/sql-lease-store.ts";
import { SqlProfileStore } from "../../../src/storage/sql/sql-profile-store.ts";
import { SqlRecordingIndex } from "../../../src/storage/sql/sql-recording-index.ts";
import { SqlRunStore } from "../../../src/storage/sql/sql-run-store.ts";
import { SqlSessionStore } from "../../../src/storage/sql/sql-session-store.ts";
import type { Lease } from "../../../src/storage/lease-store.ts";
import type { Backend, Stores } from "../backend.ts";

/** A schema of its own in a PostgreSQL of the tests, and its nodes. */
export interface PostgresBackend extends Backend {
  /** Connects as the role that nodes have, in this schema. */
  readonly url: string;
  /** Asks as the superuser, in this schema. */
  readonly asAdmin: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  /** Opens the stores as a node does that starts; the default name is always the same. */
  readonly open: (name?: string) => Promise<Stores & { readonly lease: Lease; readonly database: PostgresDatabase }>;
}

/** Of leases in these tests, in milliseconds: longer than any of them. */
const ttlMs = 3_600_000;

let schemas = 0;

/** Makes an empty schema, and the tables in it when the first node opens. */
export async function startPostgresBackend(server: PostgresServer, limits?: DatabaseLimits): Promise<PostgresBackend> {
  schemas += 1;
  const schema = `test_${schemas}`;
  const admin = new Pool({ connectionString: server.url, max: 1, options: `-c search_path=${schema}` });
  // It ends with the server where that is killed.
  admin.on("error", () => undefined);
  await admin.query(
    `DO $$ BEGIN CREATE ROLE node LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
    CREATE SCHEMA ${schema} AUTHORIZATION node`,
  );
  const asAdmin: PostgresBackend["asAdmin"] = async (text, values = []) => (await admin.query(text, [...values])).rows;
  const url = new URL(server.url);
  url.username = "node";
  url.searchParams.set("options", `-c search_path=${schema}`);
  const opened: PostgresDatabase[] = [];
  const setExpiry = async (name: string, way: "-" | "+"): Promise<void> => {
    await asAdmin(`UPDATE leases SET expires_at = clock_timestamp() ${way} interval '1 hour' WHERE name = $1`, [name]);
  };
  return {
    url: url.href,
    asAdmin,
    open: async (name = "node 1") => {
      const faults: unknown[] = [];
      const onFault = (error: unknown): void => void faults.push(error);
      const database = await PostgresDatabase.open(url.href, limits, onFault);
      const lockDatabase = await PostgresDatabase.open(url.href, limits, onFault);
      opened.push(database, lockDatabase);
      await migrate(database);
      const leases = new SqlLeaseStore(database);
      for (const earlier of await leases.list()) if (earlier.name === name) await leases.release(earlier);
      const lease = await leases.acquire(name, { ttlMs, about: null });
      if (!lease) throw new Error(`The lease of ${name} is held.`);
      return {
        sessions: new SqlSessionStore(database, lease, onFault),
        functions: new SqlFunctionStore(database, true, onFault),
        runs: new SqlRunStore(database, lease, onFault),
        leases,
        keys: new SqlKeyStore(database, lockDatabase),
        recordings: new SqlRecordingIndex(database, lease),
        handovers: new SqlHandoverStore(database),
        profiles: new SqlProfileStore(database),
        files: new SqlFileIndex(database),
        lease,
        database,
        faults,
      };
    },
    setWritable: async (isWritable) => {
      const change = isWritable ? "GRANT" : "REVOKE";
      const whom = isWritable ? "TO" : "FROM";
      await asAdmin(`${change} INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} ${whom} node`);
    },
    expire: (name) => setExpiry(name, "-"),
    setBack: (name) => setExpiry(name, "+"),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...opened.map((database) => database.close()), admin.end()]);
    },
  };
}
