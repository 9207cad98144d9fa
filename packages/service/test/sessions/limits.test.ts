import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { makeGate, startSite, type Site } from "@cloud-browser/testing/site.ts";

const limit = 2;
let running: TestService;
let site: Site;
let slow: ReturnType<typeof makeGate>;

/** Statuses of the requests for sessions that the service has logged. */
const logged: number[] = [];
const note = ({ msg, method, path, status }: Readonly<Record<string, unknown>>): void => {
  if (msg === "request" && method === "POST" && path === "/control/sessions") logged.push(Number(status));
};

beforeAll(async () => {
  slow = makeGate();
  const log = pino({ level: "info" }, { write: (line: string) => note(JSON.parse(line)) });
  running = await startTestService({ limits: { count: limit }, runLimits: { count: limit }, log });
  site = await startSite({
    "/": "<title>Ferries</title>",
    "/slow": slow.page,
    "/never": () => {},
    "/file": (_, response) => response.writeHead(200, { "content-disposition": "attachment" }).end("a file"),
  });
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const create = (body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${running.service.url}/control/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${running.service.apiKey}` },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
const start = (query: string): Promise<Response> => running.ask("POST", "/api/automation/start", { query });
const health = async (): Promise<unknown> => (await fetch(`${running.service.url}/health`)).json();
const isAsked = (path: string, times: number): Promise<void> =>
  expect.poll(() => site.requests.filter((one) => one === path).length, { timeout: 120_000 }).toBe(times);

/** Creates as many sessions at once as there are bodies; gives the statuses, and ends what was created. */
async function burst(bodies: readonly object[]): Promise<number[]> {
  const answers = await Promise.all(bodies.map(async (body) => create(body)));
  for (const answer of answers) {
    if (answer.status !== 201) await answer.body?.cancel();
    else await running.end((await readAnswer<{ session_id: string }>(answer)).session_id);
  }
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

const exactly = [...Array<number>(limit).fill(201), ...Array<number>(3).fill(429)];
const many = Array.from({ length: limit + 3 }, () => ({}));

describe("concurrent requests for sessions are served up to the limit", () => {
  test("exactly the limit", async () => {
    expect(await burst(many)).toEqual(exactly);
    await expect.poll(health).toMatchObject({ status: "ok", sessions: 0 });
  });

  test("a session counts once while its first page loads", async () => {
    const loading: Promise<Response>[] = [];
    for (let count = 1; count <= limit; count += 1) {
      loading.push(create({ url: `${site.url}/slow` }));
      await Promise.race([isAsked("/slow", count), loading.at(-1)]);
      await expect.poll(health).toMatchObject({ status: "ok", sessions: count });
    }
    expect((await create({})).status).toBe(429);
    slow.open();
    const created = await Promise.all(loading);
    expect(created.map(({ status }) => status)).toEqual(Array<number>(limit).fill(201));
    for (const one of created) await running.end((await readAnswer<{ session_id: string }>(one)).session_id);
  });

  test("a session that is not created leaves its slot, whatever it is refused for", async () => {
    const refused: readonly [why: string, body: object, status: number][] = [
      ["its address", { url: "http://169.254.169.254/" }, 422],
      ["its page, a download", { url: `${site.url}/file` }, 502],
      ["its cookie", { cookies: [{ name: "a", value: "b", domain: "a/b" }] }, 422],
      ["a field that there is not", { colour: "red" }, 422],
    ];
    // Were a slot kept, the next one would be refused with 429.
    for (const [why, body, status] of refused) {
      const statuses = await burst(Array<object>(limit).fill(body));
      expect({ why, statuses }).toEqual({ why, statuses: Array<number>(limit).fill(status) });
    }
    expect(await burst(many)).toEqual(exactly);
  });

  test("a client that disconnects while its page loads frees its slot at once", async () => {
    const leaving = new AbortController();
    const left = Array.from({ length: limit }, async () => create({ url: `${site.url}/never` }, leaving.signal));
    await isAsked("/never", limit);
    logged.length = 0;
    leaving.abort();
    await Promise.allSettled(left);
    await expect.poll(health).toMatchObject({ status: "ok", sessions: 0 });
    // A service that waits for the page, which never answers, would have answered 502 in the end.
    await expect.poll(() => logged).toEqual(Array<number>(limit).fill(409));
    expect(await burst(many)).toEqual(exactly);
  });
});

describe("concurrent requests for runs", () => {
  test("the limit is reached exactly; a client that has read their ends can start as many again at once", async () => {
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(Array.from({ length: limit + 1 }, async () => start("wait 1 second")));
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 502]);
      const texts = await Promise.all(answers.map(async (answer) => answer.text()));
      expect(texts.filter((text) => text.includes('"type":"done"'))).toHaveLength(limit);
    }
    await expect.poll(health).toMatchObject({ status: "ok", sessions: 0 });
  });

  test("a run over the session limit is refused, and frees its own slot", async () => {
    const ids = await Promise.all(Array.from({ length: limit }, async () => (await running.open()).session_id));
    const refused = await start("open about:blank");
    expect(refused.status).toBe(502);
    expect(await refused.json()).toEqual({ error: expect.stringContaining("session limit (2) reached") });
    for (const id of ids) await running.end(id);
    const started = await Promise.all(Array.from({ length: limit }, async () => start("open about:blank")));
    expect(started.map(({ status }) => status)).toEqual([200, 200]);
    await Promise.all(started.map(async (answer) => answer.text()));
  });
});

test("a service that is closed while sessions are being created leaves none of them", async () => {
  await using closing = await startTestService({ limits: { count: limit } });
  const { service } = closing;
  const opened = Array.from({ length: limit }, async () => service.open({ url: `${site.url}/never` }));
  const settled = Promise.allSettled(opened);
  await isAsked("/never", 2 * limit);
  await service.close();
  expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
