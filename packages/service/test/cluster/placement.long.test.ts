import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { ask } from "../command-line.ts";
import { askNode, startCluster, type TestCluster, type TestNode } from "./cluster.ts";

let cluster: TestCluster;
let small: TestNode;
let large: TestNode;
beforeAll(async () => {
  cluster = await startCluster(0);
  small = await cluster.add({ args: ["--max-sessions", "1"] });
  large = await cluster.add({ args: ["--max-sessions", "3"] });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

/** The nodes that have sessions, for each session one. */
async function hosts(): Promise<readonly unknown[]> {
  const rows = await cluster.query("SELECT host FROM sessions WHERE ended_ms IS NULL ORDER BY host");
  return rows.map(({ host }) => host);
}

test("a node that serves has told the others how much room it has", async () => {
  const rows = await cluster.query("SELECT about::json->>'room' AS room FROM leases ORDER BY name");
  expect(rows).toEqual([{ room: "1" }, { room: "3" }]);
});

test("sessions are created on the node with the most room, through any node, until all are full", async () => {
  const opened: SessionView[] = [];
  // A node is known once the leases were looked at.
  await vi.waitFor(
    async () => {
      opened.push(await ask<SessionView>(small.served, "POST", "/control/sessions", {}));
      expect(await hosts()).toContain(large.name);
    },
    { timeout: 30_000, interval: 3_000 },
  );
  while (opened.length < 4) opened.push(await ask<SessionView>(small.served, "POST", "/control/sessions"));
  expect(await hosts()).toEqual([small.name, large.name, large.name, large.name]);
  for (const { session_id: id, cdp_url } of opened) {
    expect(cdp_url).toContain(small.served.url.replace("http", "ws"));
    expect((await askNode(small, "GET", `/sessions/${id}/cookies`)).status).toBe(200);
  }
  for (const node of [small, large]) {
    const refused = await askNode(node, "POST", "/control/sessions", {});
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
  }
  expect((await askNode(small, "POST", "/control/sessions", { url: 7 })).status).toBe(422);
  await ask(small.served, "DELETE", `/control/sessions/${opened[3]?.session_id}`);
  // Room that is free again is told with the next heartbeat.
  await vi.waitFor(() => ask(small.served, "POST", "/control/sessions", {}), { timeout: 30_000, interval: 500 });
  expect(await hosts()).toHaveLength(4);
});

/** The sessions that a node has. */
async function listOpen({ name }: TestNode): Promise<readonly string[]> {
  const rows = await cluster.query("SELECT session_id FROM sessions WHERE ended_ms IS NULL AND host = $1", [name]);
  return rows.map(({ session_id: id }) => String(id));
}

/** Asks a node for a session, and settles when that request waits. */
async function waitingAt(node: TestNode): Promise<{ readonly answer: Promise<Response> }> {
  const answer = askNode(node, "POST", "/control/sessions", { wait_s: 100 });
  const metrics = async (): Promise<string> => (await askNode(node, "GET", "/metrics")).text();
  await vi.waitFor(async () => expect(await metrics()).toContain("cloud_browser_session_queue_length 1\n"), {
    timeout: 30_000,
  });
  return { answer };
}

test.each(["small", "large"])("a request that waits gets the room that the node %s has first", async (which) => {
  const [id] = await listOpen(which === "small" ? small : large);
  const { answer } = await waitingAt(small);
  expect((await askNode(small, "POST", "/control/sessions", {})).status).toBe(429);
  await ask(small.served, "DELETE", `/control/sessions/${id}`);
  expect((await answer).status).toBe(201);
  expect(await hosts()).toEqual([small.name, large.name, large.name, large.name]);
});

test("a node whose death is not known yet is skipped", async () => {
  const end = (ids: readonly string[]): Promise<unknown> =>
    Promise.all(ids.map((id) => ask(small.served, "DELETE", `/control/sessions/${id}`)));
  await end(await listOpen(large));
  // It is chosen: what is known of it is that it has room for two more.
  await vi.waitFor(() => ask(small.served, "POST", "/control/sessions", {}), { timeout: 30_000, interval: 500 });
  expect(await listOpen(large)).toHaveLength(1);
  await end(await listOpen(small));
  large.served.process.kill("SIGKILL");
  await large.served.ended;
  const { session_id: id } = await ask<SessionView>(small.served, "POST", "/control/sessions", { url: "about:blank" });
  expect(await listOpen(small)).toEqual([id]);
  expect((await askNode(small, "GET", `/sessions/${id}/cookies`)).status).toBe(200);
});
