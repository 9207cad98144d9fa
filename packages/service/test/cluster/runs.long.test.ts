import { readAutomationStream } from "@cloud-browser/stream";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deriveClusterSecrets } from "../../src/cluster/cluster-secrets.ts";
import type { RunView } from "../../src/control/run-view.ts";
import { readAnswer } from "../running-service.ts";
import { ask, key } from "../command-line.ts";
import { allEvents, sentEvents, type SentEvent } from "../runs/reading.ts";
import { askNode, startCluster, type TestCluster, type TestNode } from "./cluster.ts";
import { linkTo } from "./faults/cuttable-link.ts";

const patience = { timeout: 120_000, interval: 200 };

let site: Site;
let cluster: TestCluster;
/** The one that is asked, and has no run. */
let entry: TestNode;
let owner: TestNode;
let clicks = 0;

beforeAll(async () => {
  site = await startSite({
    "/": `<title>Shop</title><button onclick="fetch('/bought', { method: 'POST' })">Buy</button>`,
    "/bought": (_, response) => {
      clicks += 1;
      response.end();
    },
  });
  cluster = await startCluster(2);
  const [first, second] = cluster.nodes;
  if (!first || !second) throw new Error("There are no nodes.");
  [entry, owner] = [first, second];
  // Every change of a run's end is written down.
  await cluster.query(`
    CREATE TABLE run_ends (thread_id text, ending text, was text);
    CREATE FUNCTION note_run_end() RETURNS trigger AS $$ BEGIN
      INSERT INTO run_ends VALUES (NEW.thread_id, NEW."end", OLD."end"); RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER note_run_end AFTER UPDATE ON runs FOR EACH ROW
      WHEN (NEW.ended_ms IS DISTINCT FROM OLD.ended_ms OR NEW."end" IS DISTINCT FROM OLD."end"
        OR OLD.outcome IS NOT NULL AND NEW.outcome IS DISTINCT FROM OLD.outcome)
      EXECUTE FUNCTION note_run_end()`);
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** Starts a run on a node, with nobody who reads it. */
async function detached({ served }: TestNode, query: string): Promise<string> {
  const response = await fetch(`${served.url}/api/automation/start`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", prefer: "respond-async" },
    body: JSON.stringify({ query }),
  });
  expect(response.status).toBe(202);
  return (await readAnswer<RunView>(response)).thread_id;
}

function follow({ served }: TestNode, id: string, after = "0"): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "last-event-id": after };
  return fetch(`${served.url}/control/runs/${id}/events`, { headers });
}

const health = async ({ served }: TestNode): Promise<unknown> => (await fetch(`${served.url}/health`)).json();

const listed = async (at: TestNode): Promise<readonly string[]> =>
  (await ask<{ runs: readonly RunView[] }>(at.served, "GET", "/control/runs")).runs.map(({ thread_id }) => thread_id);

test("a run of another node is listed, read, followed and cancelled", async () => {
  const id = await detached(owner, "wait 100 seconds");
  const following = follow(entry, id);
  const live = allEvents(await following);
  const own = allEvents(await follow(owner, id));
  expect(await listed(entry)).toEqual([id]);
  await vi.waitFor(
    async () => expect((await ask<RunView>(entry.served, "GET", `/control/runs/${id}`)).session_id).toBeTruthy(),
    patience,
  );
  expect(await ask(entry.served, "POST", `/control/runs/${id}/cancel`)).toEqual({ cancelled: true });
  const events = await live;
  expect(events.at(-1)).toMatchObject({ id: "end", event: { type: "cancelled", reason: "requested" } });
  expect(await own).toEqual(events);
  expect(await allEvents(await follow(entry, id))).toEqual(events);
  expect(await allEvents(await follow(entry, id, "1"))).toEqual(events.slice(1));
  expect((await askNode(entry, "POST", `/control/runs/${id}/cancel`)).status).toBe(404);
  expect(await listed(entry)).toEqual([]);
});

test("the run of a killed node ends in one error, the same on every node, and nothing is clicked twice", async () => {
  const victim = await cluster.add();
  const query = `Open ${site.url}/, click Buy, wait 100 seconds`;
  const id = await detached(victim, query);
  const events: SentEvent[] = [];
  const reading = (async () => {
    for await (const event of sentEvents(await follow(entry, id))) events.push(event);
  })();
  const broken = reading.then(
    () => "read to its end",
    () => "broken off",
  );
  await vi.waitFor(() => expect(events.filter(({ event }) => event.type === "tool_start")).toHaveLength(3), patience);
  await vi.waitFor(async () => {
    const [row] = await cluster.query("SELECT count(*)::int AS count FROM run_events WHERE thread_id = $1", [id]);
    expect(row).toEqual({ count: events.length });
  }, patience);
  victim.served.process.kill("SIGKILL");
  await victim.served.ended;
  expect(await broken).toBe("broken off");
  // Nobody has written its end yet: this reader waits for it.
  const rest = await allEvents(await follow(entry, id, events.at(-1)?.id));
  expect(rest).toEqual([
    { id: "end", event: expect.objectContaining({ type: "error", error: "host_lost", metadata: { thread_id: id } }) },
  ]);
  for (const node of [entry, owner]) expect(await allEvents(await follow(node, id))).toEqual([...events, ...rest]);
  const { place, name } = victim;
  const back = await cluster.add({ place, name });
  expect(await allEvents(await follow(back, id))).toEqual([...events, ...rest]);
  expect(await cluster.query("SELECT ending, was FROM run_ends WHERE thread_id = $1", [id])).toEqual([
    { ending: "host-lost", was: null },
  ]);
  expect(clicks).toBe(1);
  back.served.process.kill("SIGTERM");
  await back.served.ended;
});

test("a node that was paused for longer than its lease begins no step, and sends its readers the end that others have written", async () => {
  const paused = await cluster.add();
  // There is always a step that is due before anything else is.
  const steps = Array.from({ length: 50 }, () => `wait 1 second, open ${site.url}/bought`);
  const id = await detached(paused, `Open ${site.url}/, ${steps.join(", ")}`);
  const events: SentEvent[] = [];
  const own = (async () => {
    for await (const event of sentEvents(await follow(paused, id))) events.push(event);
  })();
  await vi.waitFor(() => expect(events.some(({ event }) => event.type === "tool_result")).toBe(true), patience);
  paused.served.process.kill("SIGSTOP");
  await vi.waitFor(
    async () => expect(await ask(entry.served, "GET", `/control/runs/${id}`)).toMatchObject({ end: "host-lost" }),
    patience,
  );
  const before = clicks;
  paused.served.process.kill("SIGCONT");
  await own;
  await vi.waitFor(async () => expect(await health(paused)).toMatchObject({ status: "ok", sessions: 0 }), patience);
  expect(clicks).toBe(before);
  const [last] = (await allEvents(await follow(entry, id))).slice(-1);
  expect(last).toMatchObject({ id: "end", event: { type: "error", error: "host_lost" } });
  expect(events.at(-1)).toEqual(last);
  expect(await cluster.query("SELECT ending, was FROM run_ends WHERE thread_id = $1", [id])).toEqual([
    { ending: "host-lost", was: null },
  ]);
  paused.served.process.kill("SIGTERM");
  await paused.served.ended;
});

test("a run that ends while its node can't reach the database has one end for all readers: the stored one", async () => {
  await using link = await linkTo(cluster.postgres.url);
  const cut = await cluster.add({ database: link.url });
  const response = await askNode(cut, "POST", "/api/automation/start", { query: "wait 3 seconds" });
  const id = response.headers.get("x-service-run-id") ?? "";
  const stream = readAutomationStream(response);
  const reading = (async () => {
    for await (const { type } of stream) if (type === "tool_start") link.refuse();
    return stream.outcome();
  })();
  const readRun = async (): Promise<RunView> => ask<RunView>(entry.served, "GET", `/control/runs/${id}`);
  await vi.waitFor(async () => expect((await readRun()).end).toBe("host-lost"), patience);
  link.mend();
  const outcome = await reading;
  const [last] = await allEvents(await follow(entry, id, "1000"));
  expect(last).toMatchObject({ id: "end", event: { type: "error", error: "host_lost" } });
  expect(outcome).toMatchObject({ type: "error", event: last?.event });
  expect(await cluster.query("SELECT ending, was FROM run_ends WHERE thread_id = $1", [id])).toEqual([
    { ending: "host-lost", was: null },
  ]);
  cut.served.process.kill("SIGTERM");
  await cut.served.ended;
});

test("a run begins once, even when the connection that holds the lock of its key is lost", async () => {
  const making = await askNode(owner, "POST", "/control/keys", { name: "team", quota: { runs: 5 } });
  const { key: secret } = await readAnswer<{ key: string }>(making);
  await cluster.query(`
    CREATE FUNCTION lose_turns() RETURNS trigger AS $$ BEGIN
      PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE state = 'idle in transaction' AND query LIKE 'SELECT 1 FROM keys%';
      RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER lose_turns AFTER INSERT ON runs FOR EACH ROW EXECUTE FUNCTION lose_turns()`);
  const start = async (extraHeaders: Readonly<Record<string, string>>): Promise<number> => {
    const headers = { authorization: `Bearer ${secret}`, prefer: "respond-async", ...extraHeaders };
    const body = JSON.stringify({ query: "wait 100 seconds" });
    const { status } = await fetch(`${owner.served.url}/api/automation/start`, { method: "POST", headers, body });
    return status;
  };
  const sentOn = { "x-cloud-browser-node": deriveClusterSecrets(key).credential };
  expect([await start({}), await start(sentOn)]).toEqual([202, 202]);
  await cluster.query("DROP TRIGGER lose_turns ON runs");
  const asTeam = (method: string, path: string): Promise<Response> =>
    fetch(`${owner.served.url}/control/runs${path}`, { method, headers: { authorization: `Bearer ${secret}` } });
  const { runs } = await readAnswer<{ runs: readonly RunView[] }>(await asTeam("GET", ""));
  expect(runs).toHaveLength(2);
  for (const { thread_id: id } of runs) await asTeam("POST", `/${id}/cancel`);
  for (const { thread_id: id } of runs) await allEvents(await asTeam("GET", `/${id}/events`));
});

test("a run beyond the quota of its key is refused with that reason, and not because the node is full", async () => {
  const making = await askNode(owner, "POST", "/control/keys", { name: "one", quota: { runs: 1 } });
  const { key: secret } = await readAnswer<{ key: string }>(making);
  const headers = { authorization: `Bearer ${secret}`, "x-cloud-browser-node": deriveClusterSecrets(key).credential };
  const body = JSON.stringify({ query: "wait 100 seconds" });
  const start = (): Promise<Response> =>
    fetch(`${owner.served.url}/api/automation/start`, { method: "POST", headers, body });
  const begun = await start();
  const answer = await start();
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining("run quota (1) of the key")]);
  await begun.body?.cancel();
});

test("a node that is full and has a word of its own gives a run to one that has another", async () => {
  const full = await cluster.add({ args: ["--automation-word", "acme", "--max-runs", "1"] });
  const first = await askNode(full, "POST", "/api/acme/start", { query: "wait 100 seconds" });
  const second = await askNode(full, "POST", "/api/acme/start", { query: "Open about:blank" });
  expect(await readAutomationStream(second).outcome()).toMatchObject({ type: "done" });
  const hosts = await cluster.query("SELECT thread_id FROM runs WHERE host = $1", [full.name]);
  expect(hosts).toEqual([{ thread_id: first.headers.get("x-service-run-id") }]);
  await first.body?.cancel();
});

test("the viewer URL of a run has the address of the node that was asked", async () => {
  const { credential } = deriveClusterSecrets(key);
  const headers = {
    authorization: `Bearer ${key}`,
    "x-cloud-browser-node": credential,
    "x-cloud-browser-url": "http://asked.example",
  };
  const body = JSON.stringify({ query: "wait 1 second" });
  const answer = await fetch(`${owner.served.url}/api/automation/start`, { method: "POST", headers, body });
  const viewers: string[] = [];
  for await (const event of readAutomationStream(answer))
    if (event.type === "notte_session_data") viewers.push(event.viewer_url);
  expect(viewers).toEqual([expect.stringMatching(/^http:\/\/asked\.example\/viewer\//u)]);
});

test("a function is announced once every node can read it", async () => {
  await cluster.query(`
    CREATE TABLE writes (what text, number serial);
    CREATE FUNCTION note_write() RETURNS trigger AS $$ BEGIN
      IF TG_TABLE_NAME = 'functions' THEN INSERT INTO writes VALUES ('function');
      ELSIF NEW.event LIKE '%"function_uploaded"%' THEN INSERT INTO writes VALUES ('told'); END IF;
      RETURN NULL;
    END $$ LANGUAGE plpgsql;
    CREATE TRIGGER note_function AFTER INSERT ON functions FOR EACH ROW EXECUTE FUNCTION note_write();
    CREATE TRIGGER note_event AFTER INSERT ON run_events FOR EACH ROW EXECUTE FUNCTION note_write();
    ALTER TABLE functions RENAME TO functions_elsewhere`);
  const id = await detached(owner, `Open ${site.url}/`);
  // A function waits to be written.
  await vi.waitFor(
    async () => expect(await health(owner)).toHaveProperty("checks.records", expect.stringContaining('"functions"')),
    patience,
  );
  await cluster.query("ALTER TABLE functions_elsewhere RENAME TO functions");
  const events = await allEvents(await follow(entry, id));
  const upload = events.find(({ event }) => event.type === "function_uploaded")?.event;
  expect(events.at(-1)?.event).toMatchObject({ type: "done" });
  expect((await askNode(entry, "GET", `/control/functions/${String(upload?.["function_id"])}`)).status).toBe(200);
  const writes = await cluster.query("SELECT what FROM writes ORDER BY number");
  expect(writes).toEqual([{ what: "function" }, { what: "told" }]);
});
