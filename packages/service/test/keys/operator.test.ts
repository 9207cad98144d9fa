import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunView } from "../../src/control/run-view.ts";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: Site;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({ "/": "<title>Teas</title><h1>Teas</h1>" });
});
afterAll(async () => {
  await Promise.all([running[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
});

type Ask = (method: string, path: string, body?: unknown) => Promise<Response>;

const askWith =
  (key: string): Ask =>
  (method, path, body) =>
    fetch(`${running.service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

/** Makes a key, and asks with it. */
async function readKey(name: string, options: object = {}): Promise<{ readonly key: string; readonly ask: Ask }> {
  const { key } = await readAnswer<{ key: string }>(await running.ask("POST", "/control/keys", { name, ...options }));
  return { key, ask: askWith(key) };
}

const open = async (ask: Ask): Promise<SessionView> =>
  readAnswer(await ask("POST", "/control/sessions", { url: `${site.url}/` }));

const list = async (ask: Ask, query = ""): Promise<readonly string[]> => {
  const { sessions } = await readAnswer<{ sessions: SessionView[] }>(await ask("GET", `/control/sessions${query}`));
  return sessions.map(({ session_id: id }) => id);
};

const seenBy = async (ask: Ask, query = ""): Promise<object> =>
  readAnswer(await ask("GET", `/control/handovers${query}`));

test("an operator lists, reads and ends the sessions of all keys, and gets into none", async () => {
  const [one, other] = [await readKey("one"), await readKey("other")];
  const operator = await readKey("operator", { roles: ["operate"] });
  const { session_id: ofOne, key } = await open(one.ask);
  expect(key).toBe("one");
  const { session_id: ofOther } = await open(other.ask);
  const { session_id: ofMain } = await running.open();

  expect(await list(operator.ask)).toEqual([]);
  expect(new Set(await list(operator.ask, "?key=*"))).toEqual(new Set([ofOne, ofOther, ofMain]));
  expect(await list(operator.ask, "?key=one")).toEqual([ofOne]);
  expect(await list(operator.ask, "?key=main")).toEqual([ofMain]);
  expect(await list(running.ask, "?key=other&state=active")).toEqual([ofOther]);
  expect(await list(one.ask, "?key=one")).toEqual([ofOne]);
  expect(await list(operator.ask, `?key=*&limit=1&after=${ofMain}`)).toEqual([ofOther]);
  expect(await list(operator.ask, `?key=*&limit=2&after=${ofOther}`)).toEqual([ofOne]);
  // Whether another key has a session is not told.
  for (const id of [ofOther, "unknown"])
    expect((await one.ask("GET", `/control/sessions?after=${id}`)).status).toBe(422);
  for (const name of ["other", "*", "main"]) {
    const refused = await one.ask("GET", `/control/sessions?key=${name}`);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("lacks the role operate")]);
  }

  const view = await readAnswer<SessionView>(await operator.ask("GET", `/control/sessions/${ofOne}`));
  expect(view).toMatchObject({ key: "one", title: "Teas", cdp_url: null });
  const itself = await readAnswer<SessionView>(await one.ask("GET", `/control/sessions/${ofOne}`));
  expect(itself.cdp_url).toContain(ofOne);
  for (const [method, path, body] of [
    ["POST", `/sessions/${ofOne}/page/scrape`, {}],
    ["GET", `/sessions/${ofOne}/cookies`],
    ["GET", `/sessions/${ofOne}/replay`],
    ["GET", `/control/functions`],
    ["POST", "/control/sessions", {}],
    ["GET", "/control/keys"],
  ] as const) {
    expect([path, (await operator.ask(method, path, body)).status]).toEqual([path, 403]);
  }

  const answer = await one.ask("POST", `/control/sessions/${ofOne}/handover`, { message: "log in" });
  const { handover_id } = await readAnswer<{ handover_id: string }>(answer);
  const requests = `/control/sessions/${ofOne}/handovers`;
  for (const [ask, query] of [[one.ask], [operator.ask, "?key=*"], [operator.ask, "?key=one"]] as const)
    expect(await seenBy(ask, query)).toMatchObject({ open: 1, handovers: [{ handover_id, key: "one" }] });
  for (const ask of [other.ask, operator.ask, running.ask])
    expect(await seenBy(ask)).toEqual({ open: 0, handovers: [] });
  expect((await other.ask("GET", "/control/handovers?key=one")).status).toBe(403);
  for (const [ask, status] of [
    [operator.ask, 401],
    [other.ask, 404],
  ] as const) {
    expect((await ask("GET", `${requests}/${handover_id}`)).status).toBe(status);
    expect((await ask("POST", `${requests}/${handover_id}/answer`, { answer: "done" })).status).toBe(status);
    expect((await ask("POST", `/control/sessions/${ofOne}/handover`, { message: "x" })).status).toBe(status);
  }

  const ended = await readAnswer<SessionView>(await operator.ask("DELETE", `/control/sessions/${ofOne}`));
  expect(ended).toMatchObject({ session_id: ofOne, state: "ended", end_reason: "requested" });
  expect(await list(running.ask, "?key=*&state=active")).not.toContain(ofOne);
  expect(await list(operator.ask, "?key=one&state=ended")).toEqual([ofOne]);
  expect((await other.ask("DELETE", `/control/sessions/${ofMain}`)).status).toBe(404);
  expect((await operator.ask("GET", "/control/sessions?state=open")).status).toBe(422);
});

test("an operator lists, reads and cancels the runs of all keys, and does not follow them", async () => {
  const one = await readKey("runner");
  const operator = await readKey("run-operator", { roles: ["operate"] });
  const started = await fetch(`${running.service.url}/api/automation/start`, {
    method: "POST",
    headers: { authorization: `Bearer ${one.key}`, prefer: "respond-async" },
    body: JSON.stringify({ query: "wait 30 seconds" }),
  });
  expect(started.status).toBe(202);
  const { thread_id: id, key } = await readAnswer<RunView>(started);
  expect(key).toBe("runner");
  const runs = async (query: string): Promise<readonly string[]> => {
    const listed = await readAnswer<{ runs: RunView[] }>(await operator.ask("GET", `/control/runs${query}`));
    return listed.runs.map(({ thread_id }) => thread_id);
  };
  expect((await operator.ask("GET", `/control/runs/${id}/events`)).status).toBe(403);
  expect(await readAnswer(await operator.ask("GET", `/control/runs/${id}`))).toMatchObject({ key: "runner" });
  expect(await runs("")).toEqual([]);
  expect(await runs("?key=*")).toEqual([id]);
  expect((await operator.ask("POST", `/control/runs/${id}/cancel`)).status).toBe(200);
  await expect.poll(() => runs("?key=runner&state=ended"), { timeout: 60_000 }).toEqual([id]);
  expect((await one.ask("GET", "/control/runs?key=*")).status).toBe(403);
});
