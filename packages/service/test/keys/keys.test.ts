import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readAutomationStream } from "@cloud-browser/stream";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { pino } from "pino";
import { Keys, noQuota } from "../../src/keys/keys.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import { SqlKeyStore } from "../../src/storage/sql/sql-key-store.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let site: Site;
let names = 0;

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({ "/": "<title>Teas</title><h1>Teas</h1>" });
});
afterAll(async () => {
  await Promise.all([running[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
});

interface Holder {
  readonly name: string;
  readonly key: string;
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Response>;
  readonly status: (method: string, path: string, body?: unknown) => Promise<number>;
}

/** Makes a key, and asks with it. */
async function holder(options: object = {}): Promise<Holder> {
  names += 1;
  const name = `holder-${names}`;
  const answer = await running.ask("POST", "/control/keys", { name, ...options });
  expect(answer.status).toBe(201);
  const { key } = await readAnswer<{ key: string }>(answer);
  const ask: Holder["ask"] = (method, path, body) =>
    fetch(`${running.service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const status: Holder["status"] = async (...request) => {
    const response = await ask(...request);
    await response.body?.cancel();
    return response.status;
  };
  return { name, key, ask, status };
}

const open = async ({ ask }: Holder): Promise<SessionView> =>
  readAnswer(await ask("POST", "/control/sessions", { url: `${site.url}/` }));
const listed = async ({ ask }: Pick<Holder, "ask">): Promise<readonly string[]> => {
  const { sessions } = await readAnswer<{ sessions: SessionView[] }>(await ask("GET", "/control/sessions"));
  return sessions.map(({ session_id }) => session_id);
};

/** The status that a WebSocket is refused with, or that it opens. */
const connected = (url: string, key?: string): Promise<number | "open"> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });
    socket.once("open", () => {
      socket.once("close", () => resolve("open"));
      socket.close();
    });
    socket.once("unexpected-response", (_, { statusCode = 0 }) => resolve(statusCode));
    socket.on("error", () => undefined);
  });

describe("a session is seen by its key only", () => {
  test("other keys can't list, read, scrape, end or replay it: they get what they get for an unknown one", async () => {
    const [one, other] = [await holder(), await holder()];
    const { session_id: id } = await open(one);
    const unknown = "00000000-0000-4000-8000-000000000000";
    const requests = [
      ["GET", "/control/sessions/ID"],
      ["DELETE", "/control/sessions/ID"],
      ["POST", "/sessions/ID/page/scrape", {}],
      ["GET", "/sessions/ID/cookies"],
      ["GET", "/sessions/ID/replay"],
      ["GET", "/control/sessions/ID/cdp/json/version"],
    ] as const;
    for (const asks of [other.ask, running.ask]) {
      // The key that the service was started with has the role operate, too.
      const refused = asks === running.ask ? requests.filter(([, path]) => path !== "/control/sessions/ID") : requests;
      for (const [method, path, body] of refused) {
        const answers = [
          await asks(method, path.replace("ID", id), body),
          await asks(method, path.replace("ID", unknown), body),
        ];
        const [its, unknowns] = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]));
        expect(its).toEqual([404, `{"detail":"there is no such session"}`]);
        expect(its).toEqual(unknowns);
      }
      expect(await listed({ ask: asks })).not.toContain(id);
    }
    expect(await listed(one)).toEqual([id]);
    expect(await one.status("POST", `/sessions/${id}/page/scrape`, {})).toBe(200);
    expect(await one.status("GET", `/control/sessions/${id}/cdp/json/version`)).toBe(200);
    expect(await one.status("DELETE", `/control/sessions/${id}`)).toBe(200);
    expect(await one.status("GET", `/control/sessions/${id}`)).toBe(200);
    expect(await other.status("GET", `/sessions/${id}/replay`)).toBe(404);
  });

  test("another key does not drive it; its own does, and so does the token in its address", async () => {
    const [one, other] = [await holder(), await holder()];
    const { session_id: id, cdp_url } = await open(one);
    const bare = `${running.service.url.replace("http", "ws")}/control/sessions/${id}/cdp`;
    expect(await connected(bare, other.key)).toBe(404);
    expect(await connected(bare)).toBe(401);
    expect(await connected(bare, one.key)).toBe("open");
    expect(await connected(String(cdp_url))).toBe("open");
    await one.ask("DELETE", `/control/sessions/${id}`);
  });

  test("runs and their functions are their key's, too", async () => {
    const [one, other] = [await holder(), await holder()];
    const answer = await one.ask("POST", "/api/automation/start", { query: `Open ${site.url}/` });
    let functionId = "";
    for await (const event of readAutomationStream(answer))
      if (event.type === "function_uploaded") functionId = event.function_id ?? "";
    const { runs } = await readAnswer<{ runs: { thread_id: string; session_id: string }[] }>(
      await one.ask("GET", "/control/runs?state=ended"),
    );
    expect(runs).toHaveLength(1);
    expect(await listed(one)).toEqual([runs[0]?.session_id]);
    const paths = [`/control/runs/${runs[0]?.thread_id}`, `/control/functions/${functionId}`];
    for (const path of paths) expect([path, await one.status("GET", path)]).toEqual([path, 200]);
    for (const { ask } of [other, running]) {
      // The key that the service was started with has the role operate, too: it may read runs.
      const unseen = ask === running.ask ? paths.slice(1) : paths;
      for (const path of unseen) expect((await ask("GET", path)).status).toBe(404);
      expect((await ask("POST", `/control/functions/${functionId}/run`, {})).status).toBe(404);
      expect((await ask("DELETE", `/control/functions/${functionId}`)).status).toBe(404);
      const text = `${await (await ask("GET", "/control/runs?state=ended")).text()}${await (await ask("GET", "/control/functions")).text()}`;
      expect(text).not.toContain(runs[0]?.thread_id);
      expect(text).not.toContain(functionId);
    }
    const again = await one.ask("POST", `/control/functions/${functionId}/run`, {});
    expect((await again.text()).includes('"done"')).toBe(true);
  });

  test("an active run is listed and cancelled by its key only", async () => {
    const [one, other] = [await holder(), await holder()];
    const stream = await one.ask("POST", "/api/automation/start", { query: `Open ${site.url}/ and wait 60 seconds` });
    const { runs } = await readAnswer<{ runs: { thread_id: string }[] }>(await one.ask("GET", "/control/runs"));
    expect(runs).toHaveLength(1);
    const cancel = `/control/runs/${runs[0]?.thread_id}/cancel`;
    expect(await (await other.ask("GET", "/control/runs")).json()).toEqual({ runs: [] });
    expect(await other.status("POST", cancel)).toBe(404);
    expect(await one.status("POST", cancel)).toBe(200);
    expect(await stream.text()).toContain('"cancelled"');
  });
});

describe("roles", () => {
  test.each([
    ["use", [201, 403, 403]],
    ["control", [403, 200, 403]],
    ["metrics", [403, 403, 200]],
  ] as const)("%s is good for that alone", async (role, statuses) => {
    const { status, ask, name } = await holder({ roles: [role] });
    const views = [
      await status("POST", "/control/sessions", {}),
      await status("GET", "/control/keys"),
      await status("GET", "/metrics"),
    ];
    expect(views).toEqual(statuses);
    if (role === "use") return;
    const refused = await ask("POST", "/api/automation/start", { query: "x" });
    expect([refused.status, await refused.json()]).toEqual([403, { error: `the API key ${name} lacks the role use` }]);
  });

  test("a key without the role use drives no session, not even by a WebSocket", async () => {
    const { status } = await holder({ roles: ["control"] });
    const { session_id: id } = await running.open();
    expect(await status("GET", `/control/sessions/${id}/cdp/json/version`)).toBe(401);
    await running.end(id);
  });
});

test("a key is shown once, and nothing that is stored or shown contains it", async () => {
  const { key, name, ask } = await holder({ roles: ["use", "control"] });
  expect(key).toMatch(/^cb_[\w-]{43}$/u);
  const list = await (await ask("GET", "/control/keys")).text();
  expect(list).toContain(name);
  expect(list).not.toContain(key);
  for (const file of ["records.sqlite", "records.sqlite-wal"])
    expect((await readFile(join(running.data, file))).includes(key)).toBe(false);
});

test("a key that is revoked is good for nothing, and its sessions end", async () => {
  const one = await holder();
  const { session_id: id, cdp_url } = await open(one);
  const socket = new WebSocket(String(cdp_url));
  await new Promise((resolve) => socket.once("open", resolve));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  expect((await running.ask("DELETE", `/control/keys/${one.name}`)).status).toBe(200);
  await closed;
  expect(await one.status("GET", `/control/sessions/${id}`)).toBe(401);
  expect((await running.ask("DELETE", `/control/keys/${one.name}`)).status).toBe(404);
  expect((await running.ask("POST", "/control/keys", { name: one.name })).status).toBe(422);
});

describe("a key can be", () => {
  test("changed, from the next request on", async () => {
    const { name, status } = await holder();
    expect(await status("GET", "/metrics")).toBe(403);
    const changed = await running.ask("PATCH", `/control/keys/${name}`, {
      roles: ["use", "metrics"],
      quota: { sessions: 1 },
    });
    expect([changed.status, await changed.json()]).toEqual([
      200,
      expect.objectContaining({ name, roles: ["use", "metrics"], quota: { ...noQuota, sessions: 1 } }),
    ]);
    expect(await status("GET", "/metrics")).toBe(200);
    expect(await status("POST", "/control/sessions", {})).toBe(201);
    expect(await status("POST", "/control/sessions", {})).toBe(429);
    expect((await running.ask("PATCH", `/control/keys/${name}`, { quota: { sessions: null } })).status).toBe(200);
    expect(await status("POST", "/control/sessions", {})).toBe(201);
    for (const body of [
      {},
      { name: "other" },
      { roles: [] },
      { expires_at: "tomorrow" },
      { expires_at: "2000-01-01" },
    ]) {
      expect([body, (await running.ask("PATCH", `/control/keys/${name}`, body)).status]).toEqual([body, 422]);
    }
    expect((await running.ask("PATCH", "/control/keys/nobody", { roles: ["use"] })).status).toBe(404);
  });

  test("replaced, at once or after an overlap, and keeps its sessions", async () => {
    const one = await holder();
    const { session_id: id } = await open(one);
    const rotate = async (body?: object): Promise<{ readonly key: string; readonly overlap_until: string }> =>
      readAnswer(await running.ask("POST", `/control/keys/${one.name}/rotate`, body));
    const read = async (key: string): Promise<number> => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${running.service.url}/control/sessions/${id}`, { headers })).status;
    };
    const { key: second, overlap_until } = await rotate({ overlap_s: 3_600 });
    expect(Date.parse(overlap_until)).toBeGreaterThan(Date.now());
    expect([await read(one.key), await read(second)]).toEqual([200, 200]);
    const { key: third } = await rotate();
    // The one before is gone at once, and the one before that with it.
    expect([await read(one.key), await read(second), await read(third)]).toEqual([401, 401, 200]);
    expect((await running.ask("POST", `/control/keys/${one.name}/rotate`, { overlap_s: -1 })).status).toBe(422);
    expect((await running.ask("POST", "/control/keys/nobody/rotate")).status).toBe(404);
  });

  test("made for a time only: then it is good for nothing, and its sessions end", async () => {
    const store = new SqlKeyStore(new SqliteDatabase(openDatabase(":memory:")));
    const keys = new Keys(store);
    const key = await keys.create({ name: "a", roles: ["use"], quota: noQuota, expires_ms: 100 }, 1);
    expect(await keys.find(key, 99)).toMatchObject({ name: "a" });
    expect(await keys.find(key, 100)).toBeUndefined();
    const ended: string[] = [];
    const session = { key: "a", end: async (why: string): Promise<void> => void ended.push(why) };
    await keys.endRevoked([session], 99);
    expect(ended).toEqual([]);
    await keys.endRevoked([session], 100);
    expect(ended).toEqual(["requested"]);

    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { name, status } = await holder({ expires_at: until });
    expect(await status("GET", "/control/sessions")).toBe(200);
    const { keys: views } = await readAnswer<{ keys: { name: string }[] }>(await running.ask("GET", "/control/keys"));
    expect(views.find((view) => view.name === name)).toMatchObject({ state: "active", expires_at: until });
  });
});

test("a key that another process has revoked is found revoked, and its sessions end", async () => {
  const store = new SqlKeyStore(new SqliteDatabase(openDatabase(":memory:")));
  const keys = new Keys(store);
  await keys.create({ name: "a", roles: ["use"], quota: noQuota, expires_ms: null }, 1);
  await keys.create({ name: "b", roles: ["use"], quota: noQuota, expires_ms: null }, 1);
  const ended: (string | null)[] = [];
  const { promise: over, resolve } = Promise.withResolvers<string>();
  const owned = ["a", null, "b"].map((key) => ({
    key,
    end: async (reason: string) => {
      ended.push(key);
      resolve(reason);
    },
  }));
  await keys.endRevoked(owned, 1);
  expect(ended).toEqual([]);
  const stop = keys.watch({ open: owned }, { now: () => 2 }, 5, pino({ level: "silent" }));
  await store.revoke("b", 2);
  expect(await over).toBe("requested");
  stop();
  expect(new Set(ended)).toEqual(new Set(["b"]));
});

test.each([
  [{}, ["body", "name"]],
  [{ name: "a b" }, ["body", "name"]],
  [{ name: "-a" }, ["body", "name"]],
  [{ name: "x", roles: [] }, ["body", "roles"]],
  [{ name: "x", roles: ["root"] }, ["body", "roles", 0]],
  [{ name: "x", quota: { sessions: -1 } }, ["body", "quota", "sessions"]],
  [{ name: "x", quota: { cost_usd_per_day: "-1" } }, ["body", "quota", "cost_usd_per_day"]],
  [{ name: "x", quota: { cost_usd_per_day: "1e3" } }, ["body", "quota", "cost_usd_per_day"]],
  [{ name: "x", secret: "mine" }, ["body", "secret"]],
])("%j creates no key, and the error names the field", async (body, loc) => {
  const answer = await running.ask("POST", "/control/keys", body);
  expect([answer.status, await answer.json()]).toMatchObject([422, { detail: [{ loc }] }]);
});

test("the key that the service was started with is as it was: good for everything, and not listed", async () => {
  const { session_id: id } = await running.open();
  expect(await listed(running)).toContain(id);
  await running.end(id);
  expect((await running.ask("GET", "/metrics")).status).toBe(200);
  expect(await (await running.ask("GET", "/control/keys")).text()).not.toContain(running.service.apiKey);
});
