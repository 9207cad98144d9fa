import { Pool } from "pg";
import type { PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { migrate } from "../../../src/storage/postgres/migrations.ts";
import { PostgresDatabase, type DatabaseLimits } from "../../../src/storage/postgres/postgres-database.ts";
import { PostgresFileIndex } from "../../../src/storage/postgres/postgres-file-index.ts";
import { PostgresFunctionStore } from "../../../src/storage/postgres/postgres-function-store.ts";
import { PostgresHandoverStore } from "../../../src/storage/postgres/postgres-handover-store.ts";
import { PostgresKeyStore } from "../../../src/storage/postgres/postgres-key-store.ts";
import { PostgresLeaseStore } from "../../../src/storage/postgres/postgres-lease-store.ts";
import { PostgresProfileStore } from "../../../src/storage/postgres/postgres-profile-store.ts";
import { PostgresRecordingIndex } from "../../../src/storage/postgres/postgres-recording-index.ts";
import { PostgresRunStore } from "../../../src/storage/postgres/postgres-run-store.ts";
import { PostgresSessionStore } from "../../../src/storage/postgres/postgres-session-store.ts";
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
      const leases = new PostgresLeaseStore(database);
      const lease = await leases.acquire(name, { ttlMs, about: null, afterDeath: true });
      if (!lease) throw new Error(`The lease of ${name} is held.`);
      return {
        sessions: new PostgresSessionStore(database, lease, onFault),
        functions: new PostgresFunctionStore(database, onFault),
        runs: new PostgresRunStore(database, lease, onFault),
        leases,
        keys: new PostgresKeyStore(database, lockDatabase),
        recordings: new PostgresRecordingIndex(database, lease),
        handovers: new PostgresHandoverStore(database),
        profiles: new PostgresProfileStore(database),
        files: new PostgresFileIndex(database),
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
