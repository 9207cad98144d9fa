import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { SessionView } from "../../../src/control/session-view.ts";
import { readAnswer } from "../../running-service.ts";
import { ask } from "../../command-line.ts";
import { faultyFromStart, planFault } from "../../faults/faulty-service.ts";
import { notLines } from "../../faults/life.ts";
import { askNode, openOn, startCluster, type TestCluster, type TestNode } from "../cluster.ts";
import { linkTo } from "./cuttable-link.ts";
import { setDiskFull } from "../../recordings/full-disk.ts";

/** Longer than any lease. */
const patience = { timeout: 120_000, interval: 100 };

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let site: Site;
let cluster: TestCluster;
/** The one that is asked. It has least room, so that it asks others. */
let entry: TestNode;

beforeAll(async () => {
  site = await startSite({ "/": "<title>Harbour</title><h1>Ferries</h1>" });
  cluster = await startCluster(0);
  entry = await cluster.add({ args: ["--max-sessions", "10"] });
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const open = (at: TestNode): Promise<SessionView> =>
  ask<SessionView>(at.served, "POST", "/control/sessions", { url: site.url });

const end = (id: string): Promise<unknown> => ask(entry.served, "DELETE", `/control/sessions/${id}`);

/** The lease of a node that is not revoked; undefined when it has none. */
async function findEpoch({ name }: TestNode): Promise<string | undefined> {
  const [row] = await cluster.query("SELECT epoch FROM leases WHERE name = $1 AND NOT revoked", [name]);
  return row && String(row["epoch"]);
}

async function readHost(id: string): Promise<string> {
  const [row] = await cluster.query("SELECT name FROM sessions JOIN leases USING (epoch) WHERE session_id = $1", [id]);
  return String(row?.["name"]);
}

/** Waits until the entry knows that a node has room. */
async function isKnown({ name }: TestNode): Promise<void> {
  await vi.waitFor(async () => {
    const { session_id: id } = await open(entry);
    const host = await readHost(id);
    await end(id);
    expect(host).toBe(name);
  }, patience);
}

async function stop(node: TestNode): Promise<void> {
  node.served.process.kill("SIGTERM");
  expect(await node.served.ended).toMatchObject({ code: 0 });
}

test("sessions are created through a node while another one, which has most room, is stopped and holds its lease", async () => {
  const other = await cluster.add({ args: ["--max-sessions", "15"] });
  const stopped = await cluster.add({ args: ["--max-sessions", "40"] });
  await isKnown(stopped);
  const epoch = await findEpoch(stopped);
  stopped.served.process.kill("SIGSTOP");
  // It holds its lease however slow the machine is: it is renewed for it.
  const renew =
    "UPDATE leases SET renewed_at = clock_timestamp(), expires_at = clock_timestamp() + interval '10 s' WHERE name = $1 AND NOT revoked";
  const renewing = setInterval(() => void cluster.query(renew, [stopped.name]), 1_000);
  onTestFinished(() => clearInterval(renewing));
  const ids: string[] = [];
  // The first finds that out; all others, also those that are asked for at once, know.
  for (let count = 0; count < 2; count += 1) ids.push((await open(entry)).session_id);
  ids.push(...(await Promise.all([open(entry), open(entry), open(entry)])).map(({ session_id }) => session_id));
  const run = await askNode(entry, "POST", "/api/automation/start", {
    query: `Open ${site.url}/, extract the heading`,
  });
  expect(await run.text()).toContain('"done"');
  expect(await findEpoch(stopped)).toBe(epoch);
  expect(new Set(await Promise.all(ids.map(readHost)))).not.toContain(stopped.name);

  clearInterval(renewing);
  stopped.served.process.kill("SIGCONT");
  // What it was asked for meanwhile has no client any more.
  await vi.waitFor(async () => {
    const { sessions } = await ask<{ sessions: readonly SessionView[] }>(entry.served, "GET", "/control/sessions");
    const active = sessions.filter(({ state }) => state === "active").map(({ session_id }) => session_id);
    expect(active.toSorted()).toEqual(ids.toSorted());
    expect(await (await fetch(`${stopped.served.url}/health`)).json()).toMatchObject({ status: "ok", sessions: 0 });
  }, patience);
  for (const id of ids) await end(id);
  await stop(other);
  await stop(stopped);
});

test("a node that does not keep up says so, has sessions created elsewhere, and keeps its own", async () => {
  const preload = pathToFileURL(join(import.meta.dirname, "slow-turns.ts")).href;
  const slow = await cluster.add({ args: ["--max-sessions", "40"], env: { NODE_OPTIONS: `--import ${preload}` } });
  const { session_id: own } = await openOn(slow, site.url);
  await isKnown(slow);
  const epoch = await findEpoch(slow);
  slow.served.process.kill("SIGUSR2");
  const ready = async (): Promise<unknown> => {
    const answer = await fetch(`${slow.served.url}/readyz`);
    return [answer.status, await readAnswer<{ status: string }>(answer)];
  };
  await vi.waitFor(async () => expect(await ready()).toMatchObject([503, { status: "overloaded" }]), patience);
  await vi.waitFor(async () => {
    const health = await fetch(`${slow.served.url}/health`);
    expect(await health.json()).toMatchObject({
      status: "degraded",
      checks: { load: expect.stringContaining("late") },
    });
  }, patience);
  const refused = await openOn(slow, site.url).catch(String);
  expect(refused).toMatch(/HTTP 429: .*takes no new sessions until it keeps up/u);
  for (const at of [entry, slow]) {
    const { session_id: id } = await open(at);
    expect(await readHost(id)).not.toBe(slow.name);
    await end(id);
  }
  expect((await askNode(entry, "POST", `/sessions/${own}/page/scrape`, {})).status).toBe(200);
  expect(await findEpoch(slow)).toBe(epoch);
  slow.served.process.kill("SIGUSR2");
  await vi.waitFor(async () => expect(await ready()).toMatchObject([200, { status: "ok" }]), patience);
  await isKnown(slow);
  await end(own);
  await stop(slow);
});

test("a node whose disk is full keeps its lease, takes the next one when that is lost, and has sessions created elsewhere", async () => {
  await using link = await linkTo(cluster.postgres.url);
  const full = await cluster.add({ database: link.url, args: ["--max-sessions", "40"] });
  const { pid = 0 } = full.served.process;
  await isKnown(full);
  const before = await findEpoch(full);
  const { session_id: own } = await openOn(full, site.url);
  await setDiskFull(pid, true);
  const { session_id: elsewhere } = await open(entry);
  expect(await readHost(elsewhere)).toBe(entry.name);
  expect((await askNode(entry, "POST", `/sessions/${own}/page/scrape`, {})).status).toBe(200);
  await vi.waitFor(async () => {
    const health = await fetch(`${full.served.url}/health`);
    expect(await health.json()).toMatchObject({ checks: { storage: expect.stringContaining("EFBIG") } });
  }, patience);
  link.cut();
  await vi.waitFor(async () => expect(await findEpoch(full)).toBeUndefined(), patience);
  link.mend();
  await vi.waitFor(async () => expect(Number(await findEpoch(full))).toBeGreaterThan(Number(before)), patience);
  expect((await openOn(full, site.url).catch(String)) satisfies unknown).toMatch(/HTTP 503/u);
  expect(await ask(entry.served, "GET", `/control/sessions/${own}`)).toMatchObject({ end_reason: "host-lost" });
  await setDiskFull(pid, false);
  const { session_id: next } = await vi.waitFor(() => openOn(full, site.url), patience);
  for (const id of [elsewhere, next]) await end(id);
  expect(notLines(full.served.stderr())).toEqual([]);
  await stop(full);
});

test("a node that can't write the file of its lease goes on, and says so", async () => {
  await using link = await linkTo(cluster.postgres.url);
  const socket = join(entry.place.root, "faults");
  const node = await cluster.add({ database: link.url, env: { ...faultyFromStart(undefined), FAULT_SOCKET: socket } });
  const plan = planFault(socket);
  for (const kind of ["ENOSPC", "EIO", "EMFILE", "EACCES"] as const) {
    await plan({ place: "service/src/data-folder.ts writeFileSync", kind });
    const before = await findEpoch(node);
    link.cut();
    await vi.waitFor(async () => expect(await findEpoch(node)).toBeUndefined(), patience);
    link.mend();
    await vi.waitFor(async () => expect(Number(await findEpoch(node))).toBeGreaterThan(Number(before)), patience);
    const { session_id: id } = await vi.waitFor(() => openOn(node, site.url), patience);
    await end(id);
    expect((await plan()).hits).toBeGreaterThan(0);
  }
  expect(node.served.stderr()).toContain("the lease can't be kept in the data folder");
  expect(notLines(node.served.stderr())).toEqual([]);
  await stop(node);
});

test("writes of a store that come when the lease is revoked change nothing, and the node goes on", async () => {
  await using link = await linkTo(cluster.postgres.url);
  const late = await cluster.add({ database: link.url, args: ["--max-sessions", "40"] });
  const { session_id: id } = await openOn(late, site.url);
  const epoch = await findEpoch(late);
  const { letGo, waiting } = link.hold();
  // Its end is under way to the database when the node loses its lease, and so is a creation.
  const ended = askNode(late, "DELETE", `/control/sessions/${id}`).then(({ status }) => status);
  const created = openOn(late, site.url).then(() => 201, String);
  await vi.waitFor(() => expect(waiting()).toBeGreaterThan(0), patience);
  await vi.waitFor(async () => expect(await findEpoch(late)).not.toBe(epoch), patience);
  await vi.waitFor(
    async () =>
      expect(await ask(entry.served, "GET", `/control/sessions/${id}`)).toMatchObject({ end_reason: "host-lost" }),
    patience,
  );
  letGo();
  expect([409, 503]).toContain(await ended);
  expect(await created).toMatch(/HTTP 503/u);
  await vi.waitFor(async () => expect(await findEpoch(late)).toBeDefined(), patience);
  expect(await ask(entry.served, "GET", `/control/sessions/${id}`)).toMatchObject({ end_reason: "host-lost" });
  const left = "SELECT session_id FROM sessions WHERE ended_ms IS NULL AND epoch = $1";
  expect(await cluster.query(left, [epoch])).toEqual([]);
  const { session_id: next } = await vi.waitFor(() => openOn(late, site.url), patience);
  await end(next);
  expect(notLines(late.served.stderr())).toEqual([]);
  await stop(late);
});

test("nodes whose database takes no writes, as one on a full disk, live on, and take sessions when it does again", async () => {
  const other = await cluster.add();
  const { session_id: id } = await openOn(other, site.url);
  const [row] = await cluster.query("SELECT current_database() AS name");
  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    const database = `"${String(row?.["name"])}"`;
    await cluster.query("SET default_transaction_read_only = off");
    await cluster.query(`ALTER DATABASE ${database} SET default_transaction_read_only = ${isReadOnly ? "on" : "off"}`);
    // It holds for new connections.
    await cluster.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cloud-browser'",
    );
  };
  await setReadOnly(true);
  for (const node of [entry, other]) {
    await vi.waitFor(async () => {
      const refused = await askNode(node, "POST", "/control/sessions", { url: site.url });
      expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("lost its lease")]);
    }, patience);
    expect(await (await fetch(`${node.served.url}/health`)).json()).toMatchObject({ status: "degraded" });
  }
  await setReadOnly(false);
  for (const node of [entry, other]) {
    const { session_id: next } = await vi.waitFor(() => openOn(node, site.url), patience);
    await end(next);
  }
  await vi.waitFor(
    async () =>
      expect(await ask(entry.served, "GET", `/control/sessions/${id}`)).toMatchObject({ end_reason: "host-lost" }),
    patience,
  );
  for (const { served } of [entry, other]) expect(notLines(served.stderr())).toEqual([]);
  await stop(other);
});
