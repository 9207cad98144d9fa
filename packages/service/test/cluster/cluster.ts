import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { Pool } from "pg";
import { deriveClusterSecrets } from "../../src/cluster/cluster-secrets.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer } from "../running-service.ts";
import { key, Place, type Served } from "../command-line.ts";

/** A node of a cluster of the tests: a process, and a folder of its own. */
export interface TestNode {
  readonly place: Place;
  readonly served: Served;
  readonly name: string;
}

/** Nodes that share a PostgreSQL. */
export interface TestCluster extends AsyncDisposable {
  /** The nodes, by the order in which they were started. */
  readonly nodes: readonly TestNode[];
  /** The database. */
  readonly postgres: PostgresServer;
  /** Asks the database. */
  readonly query: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  /** Starts another node, in a folder of its own, or in place of one that has ended. */
  readonly add: (where?: {
    readonly args?: readonly string[];
    readonly place?: Place;
    readonly name?: string;
    readonly database?: string;
    readonly env?: Readonly<Record<string, string>>;
  }) => Promise<TestNode>;
}

/** Starts nodes, one after the other. */
export async function startCluster(count: number): Promise<TestCluster> {
  const stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const pool = new Pool({ connectionString: postgres.url, max: 2 });
  pool.on("error", () => undefined);
  stack.defer(() => pool.end());
  const nodes: TestNode[] = [];
  const add: TestCluster["add"] = async ({
    place = stack.use(new Place()),
    name = `node-${nodes.length + 1}`,
    database = postgres.url,
    args = [],
    env = {},
  } = {}) => {
    const served = await place.serving(["--node-name", name, ...args], { ...env, CLOUD_BROWSER_CLUSTER: database });
    const node = { place, served, name };
    nodes.push(node);
    return node;
  };
  for (let number = 0; number < count; number += 1) await add();
  return {
    nodes,
    postgres,
    add,
    query: async (text, values = []) => (await pool.query<Record<string, unknown>>(text, [...values])).rows,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Opens a session on this very node, as another one has it do that. */
export async function openOn({ served }: TestNode, url: string): Promise<SessionView> {
  const answer = await fetch(`${served.url}/control/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-cloud-browser-node": deriveClusterSecrets(key).credential },
    body: JSON.stringify({ url }),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
  return readAnswer<SessionView>(answer);
}

/** Asks a node, with the key. */
export function askNode({ served }: TestNode, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${served.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
