import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { startService } from "../../src/service.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ limits: { count: 2 }, queue: { count: 50, waitMs: 120_000 } });
});
afterAll(() => running[Symbol.asyncDispose]());

const create = (body: unknown = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${running.service.url}/control/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${running.service.apiKey}` },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

async function sample(name: string): Promise<number> {
  const text = await (await running.ask("GET", "/metrics")).text();
  const line = text.split("\n").find((one) => one.startsWith(`cloud_browser_${name} `));
  return Number(line?.split(" ")[1] ?? Number.NaN);
}

const waiting = (count: number): Promise<void> =>
  vi.waitFor(async () => expect(await sample("session_queue_length")).toBe(count), { timeout: 60_000, interval: 20 });

async function fill(): Promise<readonly string[]> {
  const opened = await Promise.all([running.open(), running.open()]);
  return opened.map(({ session_id: id }) => id);
}

async function endAll(): Promise<void> {
  const { sessions } = await readAnswer<{ sessions: readonly SessionView[] }>(
    await running.ask("GET", "/control/sessions"),
  );
  const open = sessions.filter(({ state }) => state === "active");
  await Promise.all(open.map(({ session_id: id }) => running.end(id)));
}

test("each of six waiting requests gets a session, and the limit is never exceeded", async () => {
  const counts: number[] = [];
  const ends = Array.from({ length: 6 }, async () => {
    const answer = await create({ wait_s: 120 });
    const { session_id: id } = await readAnswer<SessionView>(answer);
    const { sessions } = await readAnswer<{ sessions: number }>(await fetch(`${running.service.url}/health`));
    counts.push(sessions);
    await running.end(id);
    return answer.status;
  });
  expect(await Promise.all(ends)).toEqual(Array.from({ length: 6 }, () => 201));
  expect(Math.max(...counts)).toBe(2);
  expect(await sample('session_queue_duration_seconds_count{outcome="served"}')).toBe(4);
});

describe("a request that waits", () => {
  test("is refused with 429 when it times out, with its waiting time", async () => {
    await fill();
    const answer = await create({ wait_s: 0.5 });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "5"]);
    expect(await answer.json()).toEqual({
      detail: expect.stringMatching(/^session limit \(2\) reached; .+ \(waited for 0\.[5-9] s\)$/u),
    });
    const refused = await create({});
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { detail: "session limit (2) reached; end a session, wait, or let the operator of the service raise it" },
    ]);
    await endAll();
  });

  test("leaves the queue when its client disconnects, and the next one gets the session", async () => {
    const [first = ""] = await fill();
    const caller = new AbortController();
    const gone = create({ wait_s: 100 }, caller.signal);
    gone.catch(() => undefined);
    await waiting(1);
    expect(await sample("session_queue_age_seconds")).toBeGreaterThan(0);
    const next = create({ wait_s: 100 });
    await waiting(2);
    caller.abort();
    await waiting(1);
    await running.end(first);
    expect((await next).status).toBe(201);
    await endAll();
  });

  test("may not exceed the limits of waiting time and of waiting requests", async () => {
    const answer = await create({ wait_s: 121 });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { detail: [{ loc: ["body", "wait_s"], msg: "Input should be at most 120", type: "usage" }] },
    ]);
    expect((await create({ wait_s: -1 })).status).toBe(422);
    await expect(running.service.open({ wait_s: 121 })).rejects.toMatchObject({ code: "usage" });
  });

  test.each([
    ["wait=100", "wait=100"],
    ["respond-async, wait=9999", "respond-async, wait=120"],
  ])("may be one for a run that prefers %s", async (prefer, applied) => {
    const [first = ""] = await fill();
    const start = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${running.service.url}/api/automation/start`, {
        method: "POST",
        headers: { authorization: `Bearer ${running.service.apiKey}`, ...headers },
        body: JSON.stringify({ query: "wait 1 second" }),
      });
    const refused = await start({});
    expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining("session limit (2) reached")]);
    const expired = await start({ prefer: "wait=1" });
    expect([expired.status, await expired.text()]).toEqual([502, expect.stringMatching(/waited for \d+\.\d s/u)]);
    const starting = start({ prefer });
    await waiting(1);
    await running.end(first);
    const answer = await starting;
    expect(answer.ok).toBe(true);
    expect(answer.headers.get("preference-applied")).toBe(applied);
    const id = answer.headers.get("x-service-run-id") ?? "";
    await answer.text();
    expect(await (await running.ask("GET", `/control/runs/${id}/events`)).text()).toContain('"done"');
    await endAll();
  });

  test("may be one of a program, too", async () => {
    const [first = ""] = await fill();
    const opening = running.service.open({ wait_s: 100 });
    await waiting(1);
    await running.service.end(first);
    expect((await opening).session_id).toEqual(expect.any(String));
    await endAll();
  });
});

test("waiting requests are refused when the service drains", async () => {
  await using other = await startTestService({ limits: { count: 1 }, drainMs: 600_000 });
  const { session_id: id } = await other.open();
  const answer = other.ask("POST", "/control/sessions", { wait_s: 100 });
  await vi.waitFor(
    async () =>
      expect(await (await other.ask("GET", "/metrics")).text()).toContain("\ncloud_browser_session_queue_length 1\n"),
    { timeout: 60_000, interval: 20 },
  );
  const closed = other.service.close();
  const refused = await answer;
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.text()).toContain("is stopping");
  await other.end(id);
  await closed;
});

test.each([{ waitMs: -1 }, { waitMs: 500_001 }, { count: -1 }, { count: 1.5 }])(
  "limits of the queue that are none are refused: %j",
  async (queue) => {
    await expect(startService({ queue })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^`queue\.(?:waitMs|count)` is /u),
    });
  },
);
