import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;

beforeAll(async () => {
  running = await startTestService({ limits: { count: 4 } });
  site = await startSite({
    "/": "<title>Ferries</title><h1>Harbour ferries</h1>",
    "/cookies": (request, response) => response.end(`<pre>${request.headers.cookie ?? "none"}</pre>`),
    "/language": "<script>document.title = navigator.language + ' ' + innerWidth + 'x' + innerHeight</script>",
  });
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
});

async function status(method: string, path: string, body?: unknown): Promise<number> {
  return (await running.ask(method, path, body)).status;
}

describe("a session", () => {
  test("is on the page that it was created on, and returns its address", async () => {
    const session = await running.open({ url: `${site.url}/` });
    expect(session).toMatchObject({
      state: "active",
      url: `${site.url}/`,
      title: "Ferries",
      ended_at: null,
      end_reason: null,
    });
    expect(session.session_id).toMatch(/^[0-9a-f-]{36}$/);
    const response = await running.ask("GET", `/control/sessions/${session.session_id}`);
    expect(await response.json()).toMatchObject({ session_id: session.session_id, title: "Ferries" });
    await running.end(session.session_id);
  });

  test("without anything begins on a blank page", async () => {
    const session = await running.open();
    expect(session.url).toBe("about:blank");
    await running.end(session.session_id);
  });

  test("has the viewport, the language and the cookies that it was created with", async () => {
    const session = await running.open({
      url: `${site.url}/language`,
      viewport: { width: 640, height: 480 },
      locale: "de-CH",
      cookies: [{ name: "tray", value: "tea", domain: "127.0.0.1" }],
    });
    expect(session.title).toBe("de-CH 640x480");
    const { cookies } = await readAnswer<{
      cookies: unknown[];
    }>(await running.ask("GET", `/sessions/${session.session_id}/cookies`));
    expect(cookies).toMatchObject([{ name: "tray", value: "tea", path: "/", session: true }]);
    await running.end(session.session_id);
  });

  test("that has ended says why, takes no more, and can be ended again", async () => {
    const { session_id: id } = await running.open();
    const ended = await running.end(id);
    expect(ended).toMatchObject({ state: "ended", end_reason: "requested", cdp_url: null });
    expect(Date.parse(ended.ended_at ?? "")).toBeGreaterThanOrEqual(Date.parse(ended.created_at));
    expect(await status("POST", `/sessions/${id}/page/scrape`, {})).toBe(409);
    expect(await status("GET", `/sessions/${id}/cookies`)).toBe(409);
    expect(await running.end(id)).toEqual(ended);
  });

  test("ends when idle, and at its time limit", async () => {
    const idle = await running.open({ idle_limit_s: 3 });
    const short = await running.open({ total_limit_s: 3 });
    await expect.poll(async () => (await find(idle))?.end_reason, { timeout: 60_000 }).toBe("idle");
    await expect.poll(async () => (await find(short))?.end_reason, { timeout: 60_000 }).toBe("time-limit");
  });

  test("is not recorded when it asks for that: then it has no replay", async () => {
    const { session_id: id } = await running.open({ record: false });
    expect((await find({ session_id: id }))?.recording).toBeNull();
    expect((await running.end(id)).recording).toBeNull();
    expect(await status("GET", `/sessions/${id}/replay`)).toBe(404);
    expect(await status("DELETE", `/control/sessions/${id}/recording`)).toBe(404);
  });

  test("chooses how long its recording is kept, and that can be deleted before", async () => {
    const { session_id: id } = await running.open({ keep_recording_s: 3_600 });
    expect(await status("DELETE", `/control/sessions/${id}/recording`)).toBe(409);
    const { ended_at } = await running.end(id);
    const recording = async (): Promise<SessionView["recording"]> =>
      (await find({ session_id: id }))?.recording ?? null;
    await expect.poll(async () => (await recording())?.state, { timeout: 60_000 }).toMatch(/^(?:ready|empty)$/u);
    const keptMs = Date.parse((await recording())?.delete_at ?? "") - Date.parse(ended_at ?? "");
    expect(Math.abs(keptMs - 3_600_000)).toBeLessThan(60_000);
    expect(await status("DELETE", `/control/sessions/${id}/recording`)).toBe(200);
    expect(await recording()).toMatchObject({ state: "deleted" });
    expect(await status("GET", `/sessions/${id}/replay`)).toBe(410);
    expect(await status("DELETE", `/control/sessions/${id}/recording`)).toBe(200);
    for (const wrong of [0, -1, "1"])
      expect(await status("POST", "/control/sessions", { keep_recording_s: wrong })).toBe(422);
  });

  test("counts against the limit", async () => {
    const sessions = await Promise.all([1, 2, 3, 4].map(() => running.open()));
    const refused = await running.ask("POST", "/control/sessions");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    await Promise.all(sessions.map(({ session_id }) => running.end(session_id)));
  });
});

async function find({ session_id }: Pick<SessionView, "session_id">): Promise<SessionView | undefined> {
  const { sessions } = await readAnswer<{ sessions: SessionView[] }>(await running.ask("GET", "/control/sessions"));
  return sessions.find((session) => session.session_id === session_id);
}

describe("a failed creation is reported", () => {
  const cases: readonly [string, unknown, number, string][] = [
    ["an address of the machine's files", { url: "file:///etc/passwd" }, 422, "file:"],
    ["an address of the browser itself", { url: "chrome://version" }, 422, "chrome:"],
    ["an address that is not global", { url: "http://169.254.169.254/latest/meta-data" }, 422, "global"],
    ["an address that nobody answers at", { url: "http://127.0.0.1:9/" }, 502, "127.0.0.1:9"],
    ["no address", { url: "ferries" }, 422, "uri"],
    ["an unknown option", { address: "http://127.0.0.1/" }, 422, "Extra inputs"],
    ["a viewport without a height", { viewport: { width: 640 } }, 422, "Field required"],
    [
      "a cookie that is none",
      { cookies: [{ name: "a;b", value: "secret-value", domain: "127.0.0.1" }] },
      422,
      "refuses the cookie",
    ],
    ["no object", [], 422, "object"],
  ];
  test.each(cases)("%s", async (_, body, expected, words) => {
    const response = await running.ask("POST", "/control/sessions", body);
    const text = await response.text();
    expect(text).toContain(words);
    expect(text).not.toContain("secret-value");
    expect(response.status).toBe(expected);
  });

  test("and leaves no session behind", async () => {
    const health = await readAnswer<{ sessions: number }>(await fetch(`${running.service.url}/health`));
    expect(health).toMatchObject({ sessions: 0 });
  });
});

describe("only who has the key", () => {
  const doors: readonly [string, string][] = [
    ["POST", "/control/sessions"],
    ["GET", "/control/sessions"],
    ["GET", "/control/sessions/x"],
    ["DELETE", "/control/sessions/x"],
    ["GET", "/sessions/x/cookies"],
    ["GET", "/sessions/x/replay"],
    ["POST", "/sessions/x/page/scrape"],
    ["POST", "/api/automation/start"],
  ];
  test.each(doors)("%s %s", async (method, path) => {
    for (const authorization of [
      "",
      "Bearer wrong",
      `Basic ${running.service.apiKey}`,
      `Bearer ${running.service.apiKey}x`,
    ]) {
      const response = await fetch(`${running.service.url}${path}`, { method, headers: { authorization } });
      expect(response.status).toBe(401);
    }
  });
});

describe("malformed and unknown ids are not found", () => {
  const ids: readonly [string, string][] = [
    ["a path", "..%2f..%2frecords.sqlite"],
    ["the folder above", "%2e%2e"],
    ["a long text", "x".repeat(5_000)],
    ["a null byte", "%00"],
    ["a pattern", "*"],
    ["words of SQL", "'%20OR%201=1%20--"],
    ["a name that objects inherit", "__proto__"],
  ];
  test.each(ids)("%s", async (_, id) => {
    expect(await status("GET", `/sessions/${id}/replay`)).toBe(404);
    expect(await status("GET", `/sessions/${id}/cookies`)).toBe(404);
    expect(await status("DELETE", `/control/sessions/${id}`)).toBe(404);
  });
});
