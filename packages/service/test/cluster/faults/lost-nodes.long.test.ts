import { once } from "node:events";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { SessionView } from "../../../src/control/session-view.ts";
import { ask } from "../../command-line.ts";
import { askNode, openOn, startCluster, type TestCluster, type TestNode } from "../cluster.ts";
import { linkTo } from "./cuttable-link.ts";

/** Longer than any lease. */
const patience = { timeout: 120_000, interval: 200 };

let site: Site;
let cluster: TestCluster;
/** The one that is asked, and another that is not harmed. */
let entry: TestNode;
let other: TestNode;
/** What pages have asked the site for, and when. */
const requests: { readonly path: string; readonly ms: number }[] = [];

beforeAll(async () => {
  site = await startSite({
    "/": "<title>Harbour</title><h1>Ferries</h1>",
    "/beating": "<title>Beating</title><script>setInterval(() => fetch('/beat?' + Math.random()), 100)</script>",
    "/beat": (_, response) => {
      requests.push({ path: "/beat", ms: Date.now() });
      response.end();
    },
    "/clicked": (_, response) => {
      requests.push({ path: "/clicked", ms: Date.now() });
      response.end();
    },
  });
  cluster = await startCluster(2);
  const [first, second] = cluster.nodes;
  if (!first || !second) throw new Error("There are no nodes.");
  [entry, other] = [first, second];
  // Every change of a session's end is written down, and every lease that is revoked.
  await cluster.query(`
    CREATE TABLE ends (session_id text, reason text, was text);
    CREATE FUNCTION note_end() RETURNS trigger AS $$ BEGIN
      INSERT INTO ends VALUES (NEW.session_id, NEW.end_reason, OLD.end_reason); RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER note_end AFTER UPDATE ON sessions FOR EACH ROW
      WHEN (NEW.ended_ms IS DISTINCT FROM OLD.ended_ms OR NEW.end_reason IS DISTINCT FROM OLD.end_reason)
      EXECUTE FUNCTION note_end();
    CREATE TABLE revocations (epoch bigint, ms float8);
    CREATE FUNCTION note_revocation() RETURNS trigger AS $$ BEGIN
      INSERT INTO revocations VALUES (NEW.epoch, extract(epoch FROM clock_timestamp()) * 1000); RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER note_revocation AFTER UPDATE ON leases FOR EACH ROW
      WHEN (NEW.revoked AND NOT OLD.revoked) EXECUTE FUNCTION note_revocation()`);
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

const open = (at: TestNode, path = "/"): Promise<SessionView> => openOn(at, `${site.url}${path}`);

/** Reads a session through a node until it has ended there. */
async function ended(at: TestNode, id: string): Promise<SessionView> {
  return vi.waitFor(async () => {
    const view = await ask<SessionView>(at.served, "GET", `/control/sessions/${id}`);
    expect(view.state).toBe("ended");
    return view;
  }, patience);
}

/** How often sessions have ended, and how. */
function readEnds(ids: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  return cluster.query("SELECT reason, was FROM ends WHERE session_id = ANY ($1)", [ids]);
}

async function readEpoch({ name }: TestNode): Promise<number> {
  const [row] = await cluster.query("SELECT epoch FROM leases WHERE name = $1 AND NOT revoked", [name]);
  return Number(row?.["epoch"]);
}

async function holders(): Promise<readonly unknown[]> {
  return (await cluster.query("SELECT name FROM leases WHERE NOT revoked ORDER BY name")).map(({ name }) => name);
}

test("sessions of a killed node end once, as host-lost, and all others continue", async () => {
  const victim = await cluster.add();
  const [one, two, theirs] = [await open(victim), await open(victim), await open(other)];
  const query = `Open ${site.url}/, wait 100 seconds`;
  const run = await askNode(victim, "POST", "/api/automation/start", { query });
  expect(run.status).toBe(200);
  const thread = await vi.waitFor(async () => {
    const { runs } = await ask<{ runs: readonly { thread_id: string; session_id: string | null }[] }>(
      victim.served,
      "GET",
      "/control/runs",
    );
    expect(runs[0]?.session_id).toEqual(expect.any(String));
    return runs[0]?.thread_id ?? "";
  }, patience);
  victim.served.process.kill("SIGKILL");
  await victim.served.ended;
  const early = await askNode(entry, "GET", `/sessions/${one.session_id}/cookies`);
  expect(early.status).toBe(503);
  expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(0);
  const { key: stranger } = await ask<{ key: string }>(entry.served, "POST", "/control/keys", { name: "stranger" });
  const version = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${entry.served.url}/control/sessions/${one.session_id}/cdp/json/version`, { headers })).status;
  expect([await version({ authorization: `Bearer ${stranger}` }), await version({})]).toEqual([404, 401]);
  expect((await ended(entry, one.session_id)).end_reason).toBe("host-lost");
  expect((await ended(other, two.session_id)).end_reason).toBe("host-lost");
  expect((await askNode(entry, "POST", `/sessions/${one.session_id}/page/scrape`, {})).status).toBe(409);
  expect((await askNode(entry, "GET", `/sessions/${one.session_id}/replay`)).status).toBe(503);
  await vi.waitFor(
    async () => expect(await ask(entry.served, "GET", `/control/runs/${thread}`)).toMatchObject({ end: "host-lost" }),
    patience,
  );
  expect(await readEnds([one.session_id, two.session_id])).toEqual([
    { reason: "host-lost", was: null },
    { reason: "host-lost", was: null },
  ]);
  expect(await holders()).toEqual([entry.name, other.name]);
  expect((await askNode(entry, "POST", `/sessions/${theirs.session_id}/page/scrape`, {})).status).toBe(200);
  await vi.waitFor(() => expect(victim.place.processes).toEqual([]), patience);

  const { place, name } = victim;
  const back = await cluster.add({ place, name });
  expect((await askNode(back, "GET", `/control/sessions/${one.session_id}`)).status).toBe(200);
  // What it had recorded is in its folder.
  await vi.waitFor(
    async () => expect((await askNode(entry, "GET", `/sessions/${one.session_id}/replay`)).status).toBe(200),
    patience,
  );
  back.served.process.kill("SIGTERM");
  await back.served.ended;
  expect(await holders()).toEqual([entry.name, other.name]);
  await ask(entry.served, "DELETE", `/control/sessions/${theirs.session_id}`);
});

test("a node that was paused for longer than its lease acts no more for its former sessions", async () => {
  const paused = await cluster.add();
  const { session_id: id, cdp_url } = await open(paused);
  const driver = new WebSocket(cdp_url ?? "");
  await once(driver, "open");
  const answers: string[] = [];
  driver.on("message", (data: Buffer) => answers.push(data.toString()));
  driver.send(JSON.stringify({ id: 1, method: "Target.getTargets" }));
  await vi.waitFor(() => expect(answers.join()).toContain("targetInfos"), patience);
  const [, targetId] = /"targetId":"(\w+)","type":"page"/.exec(answers.join("\n")) ?? [];
  driver.send(JSON.stringify({ id: 2, method: "Target.attachToTarget", params: { targetId, flatten: true } }));
  const sessionId = await vi.waitFor(() => {
    const [, found] = /"id":2.*"sessionId":"(\w+)"/.exec(answers.join("\n")) ?? [];
    expect(found).toBeDefined();
    return found;
  }, patience);
  const before = await readEpoch(paused);

  paused.served.process.kill("SIGSTOP");
  // These reach the machine, and nobody takes them up.
  const expression = `fetch(${JSON.stringify(`${site.url}/clicked`)})`;
  driver.send(JSON.stringify({ id: 3, method: "Runtime.evaluate", params: { expression }, sessionId }));
  const late = askNode(paused, "GET", `/sessions/${id}/cookies`).then(
    ({ status }) => status,
    () => "hung up on",
  );
  const through = askNode(entry, "GET", `/sessions/${id}/cookies`);
  expect((await ended(entry, id)).end_reason).toBe("host-lost");
  expect([409, 503]).toContain((await through).status);
  const closed = once(driver, "close");
  paused.served.process.kill("SIGCONT");
  await closed;
  expect([409, 503, "hung up on"]).toContain(await late);
  expect(answers.join("\n")).not.toContain('"id":3,"result"');
  expect(requests.filter(({ path }) => path === "/clicked")).toEqual([]);

  const next = await vi.waitFor(() => open(paused), patience);
  expect(await readEpoch(paused)).toBeGreaterThan(before);
  expect((await askNode(entry, "GET", `/sessions/${next.session_id}/cookies`)).status).toBe(200);
  expect(await readEnds([id])).toEqual([{ reason: "host-lost", was: null }]);
  paused.served.process.kill("SIGTERM");
  await paused.served.ended;
});

test("a node without a connection to the database closes its browsers before another node may end its sessions", async () => {
  await using link = await linkTo(cluster.postgres.url);
  const cut = await cluster.add({ database: link.url });
  const { session_id: id } = await open(cut, "/beating");
  const epoch = await readEpoch(cut);
  await vi.waitFor(() => expect(requests.some(({ path }) => path === "/beat")).toBe(true), patience);
  link.cut();
  await vi.waitFor(async () => {
    const refused = await askNode(cut, "POST", "/control/sessions", {});
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain("lost its lease");
  }, patience);
  expect(await (await fetch(`${cut.served.url}/health`)).json()).toMatchObject({ status: "degraded" });
  expect((await ended(entry, id)).end_reason).toBe("host-lost");
  const [revoked] = await cluster.query("SELECT ms FROM revocations WHERE epoch = $1", [epoch]);
  const lastBeat = Math.max(...requests.filter(({ path }) => path === "/beat").map(({ ms }) => ms));
  expect(lastBeat).toBeLessThan(Number(revoked?.["ms"]));
  link.mend();
  const { session_id: next } = await vi.waitFor(() => open(cut), patience);
  expect((await askNode(entry, "GET", `/sessions/${next}/cookies`)).status).toBe(200);
  expect(await readEnds([id])).toEqual([{ reason: "host-lost", was: null }]);
  cut.served.process.kill("SIGTERM");
  await cut.served.ended;
});

test("sessions end when the database dies, and nodes accept new ones when it is back", async () => {
  const { session_id: id } = await open(other);
  await cluster.postgres.kill();
  await vi.waitFor(async () => {
    expect(await (await fetch(`${other.served.url}/health`)).text()).toContain("lost its lease");
  }, patience);
  await cluster.postgres.restart();
  const { session_id: next } = await vi.waitFor(() => open(other), patience);
  expect((await ended(entry, id)).end_reason).toBe("host-lost");
  expect((await askNode(entry, "GET", `/sessions/${next}/cookies`)).status).toBe(200);
  expect(await readEnds([id])).toEqual([{ reason: "host-lost", was: null }]);
  for (const { served } of [entry, other]) {
    served.process.kill("SIGTERM");
    await served.ended;
  }
  expect(await holders()).toEqual([]);
  expect(await cluster.query("SELECT session_id FROM sessions WHERE ended_ms IS NULL")).toEqual([]);
});
