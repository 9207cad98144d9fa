import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readWrittenMemory } from "@cloud-browser/testing/browser-processes.ts";
import { startPostgres } from "@cloud-browser/testing/postgres-server.ts";
import { WebSocket } from "ws";
import { deriveClusterSecrets } from "../../src/cluster/cluster-secrets.ts";
import { percentile, type Figure } from "../measuring/figure.ts";
import { ProcessTree } from "@cloud-browser/testing/process-tree.ts";

const key = "key-of-the-bench";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const program = fileURLToPath(new URL("../measuring/node-process.ts", import.meta.url));

/** Requests that are under way at a time. */
const concurrency = 32;

/** How long throughput is measured, in milliseconds. */
const spanMs = 8_000;

/** Sessions that are idle while their memory is measured. */
const idle = 30;

interface BenchNode extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

async function startNode(database: string, name: string): Promise<BenchNode> {
  const data = await mkdtemp(join(tmpdir(), "cloud-browser-bench-"));
  const child = spawn(process.execPath, ["--conditions=@cloud-browser/source", program, data, database, name], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [url]: unknown[] = await once(createInterface(child.stdout), "line");
  return {
    url: String(url),
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      const exit = once(child, "exit");
      child.stdin.end();
      await exit;
      await rm(data, { recursive: true });
    },
  };
}

/** Opens a session on this very node, as another one has it do that. */
async function openOn({ url }: BenchNode): Promise<{ readonly id: string; readonly cdp: string }> {
  const asNode = { ...headers, "x-cloud-browser-node": deriveClusterSecrets(key).credential };
  const answer = await fetch(`${url}/control/sessions`, { method: "POST", headers: asNode, body: "{}" });
  const { session_id: id, cdp_url: cdp }: Record<string, string> = Object(await answer.json());
  if (id === undefined || cdp === undefined) throw new Error(`HTTP ${answer.status}`);
  return { id, cdp };
}

async function scrape({ url }: BenchNode, id: string): Promise<void> {
  const answer = await fetch(`${url}/sessions/${id}/page/scrape`, { method: "POST", headers, body: "{}" });
  await answer.text();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}

/** Times of calls that alternate, so that all have the same machine. */
async function measureTimes(calls: readonly (() => Promise<void>)[], count: number): Promise<number[][]> {
  const times = calls.map((): number[] => []);
  for (let round = -20; round < count; round += 1) {
    for (const [index, call] of calls.entries()) {
      const from = performance.now();
      await call();
      if (round >= 0) times[index]?.push(performance.now() - from);
    }
  }
  return times;
}

async function drive(address: string): Promise<{ readonly call: () => Promise<void>; readonly close: () => void }> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  let id = 0;
  return {
    call: async () => {
      id += 1;
      socket.send(JSON.stringify({ id, method: "Browser.getVersion" }));
      await once(socket, "message");
    },
    close: () => socket.terminate(),
  };
}

/** Sends requests to nodes in turn for a while. Returns how many were answered a second, and what of a processor the nodes used for each, in milliseconds. */
async function throughput(
  calls: readonly (() => Promise<void>)[],
  trees: readonly ProcessTree[],
): Promise<[number, number]> {
  const sumCpuSeconds = (): number => trees.reduce((sum, tree) => sum + tree.sample().own, 0);
  const before = sumCpuSeconds();
  const untilMs = performance.now() + spanMs;
  let count = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      await calls[count % calls.length]?.();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return [count / (spanMs / 1_000), (1_000 * (sumCpuSeconds() - before)) / count];
}

/**
 * What nodes cost that are one service: forwarding, and requests that several answer. Scrapes ask no browser, so that nodes are measured;
 * CDP commands are answered by Chromium, at once.
 */
export async function measureCluster(count = 400): Promise<Figure[]> {
  await using postgres = await startPostgres();
  await using stack = new AsyncDisposableStack();
  const nodes: BenchNode[] = [];
  for (let number = 1; number <= 3; number += 1) nodes.push(stack.use(await startNode(postgres.url, `node-${number}`)));
  const [entry, owner] = nodes;
  if (!entry || !owner) throw new Error("There are no nodes.");
  await delay(5_000); // until each has looked at the leases
  const figures: Figure[] = [];
  const overhead = (what: string, direct: readonly number[], forwarded: readonly number[]): void => {
    figures.push({ name: `${what}, of the node that has the session`, unit: "ms", digits: 2, values: direct });
    figures.push({ name: `${what}, through another one`, unit: "ms", digits: 2, values: forwarded });
    for (const part of [0.5, 0.95]) {
      const values = [percentile(forwarded, part) - percentile(direct, part)];
      figures.push({ name: `${what}, overhead at p${100 * part}`, unit: "ms", digits: 2, values });
    }
  };
  const { id, cdp } = await openOn(owner);
  const scrapes = await measureTimes([() => scrape(owner, id), () => scrape(entry, id)], count);
  overhead("scrape", scrapes[0] ?? [], scrapes[1] ?? []);
  const direct = await drive(cdp);
  const forwarded = await drive(cdp.replace(new URL(owner.url).host, new URL(entry.url).host));
  const commands = await measureTimes([direct.call, forwarded.call], count);
  overhead("CDP command", commands[0] ?? [], commands[1] ?? []);
  direct.close();
  forwarded.close();

  const own = await Promise.all(nodes.map(async (node) => ({ node, session: (await openOn(node)).id })));
  // What nodes have not done before takes longer.
  for (const { node } of own)
    await throughput(
      own.map(
        ({ session }) =>
          () =>
            scrape(node, session),
      ),
      [],
    );
  for (const size of [1, 2, 3]) {
    const some = own.slice(0, size);
    const trees = some.map(({ node }) => new ProcessTree(node.pid));
    const [each, cost] = await throughput(
      some.map(
        ({ node, session }) =>
          () =>
            scrape(node, session),
      ),
      trees,
    );
    figures.push({ name: `scrapes a second, nodes: ${size}`, unit: "1/s", digits: 0, values: [each] });
    figures.push({ name: `processor for each, nodes: ${size}`, unit: "ms", digits: 2, values: [cost] });
  }
  const crossed = await throughput(
    own.map(
      ({ session }, index) =>
        () =>
          scrape(own[(index + 1) % own.length]?.node ?? entry, session),
    ),
    nodes.map(({ pid }) => new ProcessTree(pid)),
  );
  figures.push({ name: "scrapes a second, nodes: 3, all forwarded", unit: "1/s", digits: 0, values: [crossed[0]] });
  figures.push({ name: "processor for each, nodes: 3, all forwarded", unit: "ms", digits: 2, values: [crossed[1]] });

  const before = readWrittenMemory([owner.pid]);
  for (let session = 0; session < idle; session += 1) await openOn(owner);
  await delay(5_000);
  const each = (readWrittenMemory([owner.pid]) - before) / 1e6 / idle;
  figures.push({
    name: `memory of the node itself for each of ${idle} idle sessions`,
    unit: "MB",
    digits: 2,
    values: [each],
  });
  return figures;
}
