import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { RunView } from "../../src/control/run-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { allEvents, sentEvents } from "./reading.ts";

const patience = { timeout: 60_000 };
let running: TestService;
let site: Site;
/** Clicks that reached the site. */
let clicks = 0;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({
    "/": `<title>Shop</title><h1>Shop</h1><button onclick="fetch('/bought', { method: 'POST' })">Buy</button>`,
    "/bought": (_, response) => {
      clicks += 1;
      response.end();
    },
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
});

function request(path: string, headers: Readonly<Record<string, string>> = {}, body?: unknown): Promise<Response> {
  return fetch(`${running.service.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${running.service.apiKey}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function detached(query: string): Promise<RunView> {
  const response = await request("/api/automation/start", { prefer: "respond-async" }, { query });
  expect(response.status).toBe(202);
  expect(response.headers.get("preference-applied")).toBe("respond-async");
  const run = await readAnswer<RunView>(response);
  expect(response.headers.get("location")).toBe(`/control/runs/${run.thread_id}`);
  expect(response.headers.get("x-service-run-id")).toBe(run.thread_id);
  return run;
}

const readRun = async (id: string): Promise<RunView> => readAnswer<RunView>(await request(`/control/runs/${id}`));

test("a detached run continues without a reader, and every reader gets all its events, then and later", async () => {
  const { thread_id: id, state } = await detached(`Open ${site.url}/, click Buy, wait 1 second, extract the text`);
  expect(state).toBe("active");
  const live = await allEvents(await request(`/control/runs/${id}/events`));
  expect(live.map((one) => one.id)).toEqual([...live.slice(1).map((_, index) => String(index + 1)), "end"]);
  expect(live.map(({ event }) => event.type)).toEqual([
    "status",
    "notte_session_data",
    "status",
    "thinking_delta",
    "tool_start",
    "tool_result",
    "tool_start",
    "tool_result",
    "tool_start",
    "tool_result",
    "tool_start",
    "tool_result",
    "text_delta",
    "message_complete",
    "function_uploaded",
    "done",
  ]);
  expect(live.at(-1)?.event).toMatchObject({ metadata: { thread_id: id, data: expect.anything() } });
  expect(clicks).toBe(1);
  expect(await readRun(id)).toMatchObject({
    state: "ended",
    end: "done",
    steps: 4,
    task: expect.stringContaining("Buy"),
  });
  expect(await allEvents(await request(`/control/runs/${id}/events`))).toEqual(live);
  const { thread_id: next } = await detached("Open about:blank");
  expect(next).not.toBe(id);
});

test("a reader that reconnects continues after the last event that it has received", async () => {
  const { thread_id: id } = await detached(`Open ${site.url}/, wait 2 seconds`);
  const types: string[] = [];
  for await (const { id: last, event } of sentEvents(await request(`/control/runs/${id}/events`))) {
    types.push(last);
    if (event.type === "tool_start") break; // the connection is closed
  }
  const rest = await allEvents(await request(`/control/runs/${id}/events`, { "last-event-id": types.at(-1) ?? "" }));
  const all = await allEvents(await request(`/control/runs/${id}/events?last_event_id=0`));
  expect([...types, ...rest.map((one) => one.id)]).toEqual(all.map((one) => one.id));
  const query = await allEvents(await request(`/control/runs/${id}/events?last_event_id=${types.at(-1)}`));
  expect(query).toEqual(rest);
  // As an EventSource does, which sends the query of its address again.
  const both = await request(`/control/runs/${id}/events?last_event_id=1`, { "last-event-id": types.at(-1) ?? "" });
  expect(await allEvents(both)).toEqual(rest);
});

test("a reader that has seen the end gets 204", async () => {
  const { thread_id: id } = await detached("Open about:blank");
  await allEvents(await request(`/control/runs/${id}/events`));
  const response = await request(`/control/runs/${id}/events`, { "last-event-id": "end" });
  expect([response.status, await response.text()]).toEqual([204, ""]);
  expect(await allEvents(await request(`/control/runs/${id}/events?last_event_id=999999`))).toMatchObject([
    { id: "end" },
  ]);
});

test("a malformed event id is refused, and an unknown run is not found", async () => {
  const { thread_id: id } = await detached("Open about:blank");
  for (const last of ["-1", "x", "1.5", "12345678901"]) {
    const refused = await request(`/control/runs/${id}/events?last_event_id=${last}`);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("last_event_id");
    expect((await request(`/control/runs/${id}/events`, { "last-event-id": last })).status).toBe(422);
  }
  expect((await request(`/control/runs/${crypto.randomUUID()}/events`)).status).toBe(404);
});

test("the reader of an automation gets the id of its run, by which others follow it; the run ends when it disconnects", async () => {
  const response = await request("/api/automation/start", {}, { query: "wait 60 seconds" });
  const id = response.headers.get("x-service-run-id") ?? "";
  expect(await readRun(id)).toMatchObject({ thread_id: id, state: "active" });
  const followed = allEvents(await request(`/control/runs/${id}/events`));
  await response.body?.cancel();
  expect((await followed).at(-1)?.event).toMatchObject({ type: "cancelled", reason: "reader_gone" });
});

test.each(["wait=5", "return=minimal", "respond-asynchronously"])(
  "a client that prefers %s is answered as ever",
  async (prefer) => {
    const response = await request("/api/automation/start", { prefer }, { query: "Open about:blank" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(await response.text()).not.toContain("id: ");
  },
);

test("a function is run without a reader, too", async () => {
  const { thread_id: id } = await detached(`Open ${site.url}/, extract the text`);
  const done = (await allEvents(await request(`/control/runs/${id}/events`))).at(-1)?.event;
  const path = `/control/functions/${String(done?.["function_id"])}/run`;
  const response = await request(path, { prefer: "wait=1, respond-async" }, {});
  expect(response.status).toBe(202);
  const run = await readAnswer<RunView>(response);
  expect(run.task).toContain("extract");
  expect((await allEvents(await request(`/control/runs/${run.thread_id}/events`))).at(-1)?.event.type).toBe("done");
});

test("a run has a maximum number of readers; another one may follow when one has left", async () => {
  const { thread_id: id } = await detached("wait 60 seconds");
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${running.service.apiKey}` };
  const url = `${running.service.url}/control/runs/${id}/events`;
  const readers = await Promise.all(Array.from({ length: 16 }, () => fetch(url, { headers, signal: leaving.signal })));
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
  const refused = await fetch(url, { headers });
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain("16 readers");
  leaving.abort();
  const last = await vi.waitFor(async () => {
    const again = await fetch(url, { headers });
    expect(again.status).toBe(200);
    return again;
  }, patience);
  await request(`/control/runs/${id}/cancel`, {}, {});
  expect((await allEvents(last)).at(-1)?.event).toMatchObject({ type: "cancelled", reason: "requested" });
});

test("runs are seen by their key only", async () => {
  const created = await readAnswer<{ key: string }>(await request("/control/keys", {}, { name: "team-a" }));
  const theirs = { authorization: `Bearer ${created.key}`, prefer: "respond-async" };
  const run = await readAnswer<RunView>(await request("/api/automation/start", theirs, { query: "wait 1 second" }));
  expect((await request(`/control/runs/${run.thread_id}/events`)).status).toBe(404);
  expect((await request(`/control/runs/${run.thread_id}/events`, { "last-event-id": "end" })).status).toBe(404);
  const { runs } = await readAnswer<{ runs: RunView[] }>(await request("/control/runs", theirs));
  expect(runs.map(({ thread_id }) => thread_id)).toEqual([run.thread_id]);
  const events = await allEvents(await request(`/control/runs/${run.thread_id}/events`, theirs));
  expect(events.at(-1)?.event.type).toBe("done");
  expect((await request(`/control/runs/${run.thread_id}/events`)).status).toBe(404);
});
