import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { SessionView } from "../src/control/session-view.ts";
import { ask, key, Place, runHere, type Served } from "./command-line.ts";
import { startTestService, type TestService } from "./running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

// Each is a service with its browsers.
vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

let site: Site;
beforeAll(async () => {
  site = await startSite({
    "/": "<title>Ferries</title><h1>Harbour ferries</h1><script>setInterval(() => document.body.append('.'), 100)</script>",
    "/circles": "<title>Circles</title><script>setTimeout(() => { for (;;); }, 100)</script>",
    "/forever": (_, response) => void response.writeHead(200, { "content-type": "text/html" }).write("<p>begun"),
  });
});
afterAll(() => site?.[Symbol.asyncDispose]());

interface Replay {
  readonly mp4_url: string;
  readonly video_start_ms: number;
  readonly video_duration_ms: number;
}

const open = (served: Served, path: string): Promise<SessionView> =>
  ask(served, "POST", "/control/sessions", { url: `${site.url}${path}` });

/** What a signal is sent to ends with all of its processes and temporary files. */
async function expectNothingLeft(place: Place): Promise<void> {
  await vi.waitFor(() => expect([...place.processes, ...place.temporaryFiles]).toEqual([]), { timeout: 60_000 });
}

/** The next service in the same folder. */
const next = (place: Place): Promise<TestService> => startTestService({ data: place.data, apiKey: key });

async function readRecord({ ask: request }: TestService, { session_id }: SessionView): Promise<SessionView> {
  const record: SessionView = await (await request("GET", `/control/sessions/${session_id}`)).json();
  return record;
}

/** The replay, which has to be there and to be a file. */
async function readReplay({ ask: request }: TestService, { session_id }: SessionView): Promise<Replay> {
  const read = (): Promise<Response> => request("GET", `/sessions/${session_id}/replay`);
  let response = await read();
  // What a service left that died is finished while the next one runs already.
  for (const begun = Date.now(); response.status === 409 && Date.now() - begun < 10_000;) response = await read();
  const replay: Replay = await response.json();
  expect({ status: response.status, ...replay }).toMatchObject({ status: 200 });
  const file = await fetch(replay.mp4_url);
  expect(file.status).toBe(200);
  expect(Buffer.from(await file.arrayBuffer()).toString("latin1", 4, 8)).toBe("ftyp");
  return replay;
}

describe.concurrent("SIGTERM", () => {
  test("ends the sessions, finishes their recordings, and leaves nothing", async () => {
    await using place = new Place();
    const served = await place.serving();
    const first = await open(served, "/");
    const second = await open(served, "/");
    await delay(1_500);
    served.process.kill("SIGTERM");
    const { code, stdout } = await served.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain(key);
    await expectNothingLeft(place);
    expect(existsSync(join(place.data, "service.json"))).toBe(false);

    await using after = await next(place);
    for (const session of [first, second]) {
      expect(await readRecord(after, session)).toMatchObject({
        state: "ended",
        end_reason: "shutdown",
        title: "Ferries",
      });
      const { video_duration_ms: duration } = await readReplay(after, session);
      expect(duration).toBeGreaterThan(1_000);
    }
  });

  test("ends a service whose pages run in circles or never end to load, and whose streams are read", async () => {
    await using place = new Place();
    const served = await place.serving();
    const [circles] = await Promise.all([open(served, "/circles"), ask(served, "POST", "/control/sessions", {})]);
    const loading = open(served, "/forever").catch(() => undefined);
    await vi.waitUntil(() => site.requests.includes("/forever"), { timeout: 60_000 });
    const scrape = ask(served, "POST", `/sessions/${circles.session_id}/page/scrape`, {}).catch(() => undefined);
    const begun = performance.now();
    served.process.kill("SIGTERM");
    expect(await served.ended).toMatchObject({ code: 0 });
    expect(performance.now() - begun).toBeLessThan(60_000);
    await Promise.all([loading, scrape]);
    await expectNothingLeft(place);
    await using after = await next(place);
    expect(await readRecord(after, circles)).toMatchObject({ state: "ended", end_reason: "shutdown" });
  });
});

test.for(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
  "%s that comes twice at once, in two ways, ends it in order",
  async (signal) => {
    await using place = new Place();
    const served = await place.serving();
    const session = await open(served, "/");
    served.process.kill(signal);
    served.process.kill(signal);
    expect(await served.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('"msg":"stopped"') });
    await using after = await next(place);
    expect(await readRecord(after, session)).toMatchObject({ state: "ended", end_reason: "shutdown" });
  },
);

test("an error that nobody expected is logged with its stack, ends the service with code 70, and its sessions are lost", async () => {
  await using place = new Place();
  const hook = 'process.on("SIGUSR2", () => Promise.reject(new Error("nobody expected this")))';
  const served = await place.serving([], { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` });
  const session = await open(served, "/");
  served.process.kill("SIGUSR2");
  const { code, stderr } = await served.ended;
  expect(code).toBe(70);
  const err = { message: "nobody expected this", stack: expect.stringContaining("at ") };
  const lines = stderr
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines).toContainEqual(expect.objectContaining({ level: "fatal", err: expect.objectContaining(err) }));
  await expectNothingLeft(place);
  await using after = await next(place);
  expect(await readRecord(after, session)).toMatchObject({ state: "ended", end_reason: "service-died" });
});

test("SIGTERM twice ends a service at once that drains", async () => {
  await using place = new Place();
  const served = await place.serving(["--drain-s", "600"]);
  await open(served, "/");
  served.process.kill("SIGTERM");
  await vi.waitFor(
    async () => expect(await (await fetch(`${served.url}/health`)).json()).toMatchObject({ status: "draining" }),
    { timeout: 60_000 },
  );
  expect(served.stderr()).toContain("stopping: draining sessions for 600 s, then ending sessions");
  await vi.waitUntil(() => served.stderr().includes("another signal"), { timeout: 60_000 });
  const begun = performance.now();
  served.process.kill("SIGTERM");
  expect(await served.ended).toMatchObject({ code: 130 });
  expect(performance.now() - begun).toBeLessThan(5_000);
  await expectNothingLeft(place);
});

test("SIGINT twice ends at once, and the next start finishes the rest", async () => {
  await using place = new Place();
  const served = await place.serving();
  const session = await open(served, "/");
  await open(served, "/circles");
  await delay(3_500);
  served.process.kill("SIGINT");
  await vi.waitUntil(() => served.stderr().includes("another signal, such as a second Ctrl-C, stops it at once"), {
    timeout: 60_000,
    interval: 2,
  });
  const begun = performance.now();
  served.process.kill("SIGINT");
  expect(await served.ended).toMatchObject({ code: 130 });
  expect(performance.now() - begun).toBeLessThan(5_000);
  await expectNothingLeft(place);

  await using after = await next(place);
  expect(await readRecord(after, session)).toMatchObject({ state: "ended" });
  expect((await readReplay(after, session)).video_duration_ms).toBeGreaterThan(1_000);
});

test("kill -9 leaves no process, and the next start has the replay within 5 s", async () => {
  await using place = new Place();
  const served = await place.serving();
  const session = await open(served, "/");
  await delay(3_500);
  served.process.kill("SIGKILL");
  await served.ended;
  await expectNothingLeft(place);

  await using after = await next(place);
  const begun = performance.now();
  const { video_start_ms: start, video_duration_ms: duration } = await readReplay(after, session);
  expect(performance.now() - begun).toBeLessThan(5_000);
  // That the session goes on is noted every half a second.
  expect(start + duration).toBeGreaterThan(2_700);
  const record = await readRecord(after, session);
  expect(record).toMatchObject({ state: "ended", end_reason: "service-died", cdp_url: null });
  expect(Date.parse(record.ended_at ?? "")).toBeGreaterThan(Date.parse(record.created_at));
});

describe("a service that can't start says why in a sentence, and leaves nothing:", () => {
  test("its folder is another's, which goes on", async () => {
    await using place = new Place();
    const served = await place.serving();
    const address = readFileSync(join(place.data, "service.json"), "utf8");
    const { code, stderr } = await place.serve().ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^cloud-browser: .+locked by another service.+--data.*\n$/);
    expect(await ask(served, "GET", "/health")).toMatchObject({ status: "ok" });
    expect(readFileSync(join(place.data, "service.json"), "utf8")).toBe(address);
  });

  test("its port is another's", async () => {
    await using place = new Place();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const { code, stderr } = await place.serve(["--port", String(port)]).ended;
    other.close();
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^cloud-browser: .+127\\.0\\.0\\.1:${port}.+--port.*\n$`));
    await expectNothingLeft(place);
  });

  const cases: readonly [string, readonly string[], Record<string, string>, number, RegExp][] = [
    ["a port that is none", ["--port", "http"], {}, 2, /--port.+Give a whole number from 0 to 65535/],
    ["a port beyond the last", ["--port", "65536"], {}, 2, /Give a whole number from 0 to 65535/],
    [
      "a port of the environment that is none",
      [],
      { CLOUD_BROWSER_PORT: "x" },
      2,
      /CLOUD_BROWSER_PORT.+Give a whole number from 0 to 65535/,
    ],
    [
      "an address that is not this machine's",
      ["--host", "203.0.113.1"],
      {},
      2,
      /can't listen on 203\.0\.113\.1.+--host/,
    ],
    ["no sessions", ["--max-sessions", "0"], {}, 2, /--max-sessions.+whole number from 1 to 10000/],
    ["a public address that is none", ["--public-url", "nonsense"], {}, 2, /public URL.+nonsense/],
    ["a public address without a scheme", ["--public-url", "localhost:9795"], {}, 2, /public URL.+localhost:9795/],
    [
      "a switch of the environment that is none",
      [],
      { CLOUD_BROWSER_RUNS_OUTLIVE_READERS: "maybe" },
      2,
      /RUNS_OUTLIVE_READERS.+Give true or false/,
    ],
    ["no time to drain", ["--drain-s", "-1"], {}, 2, /--drain-s.+seconds from 0 to 604800 \(7 days\)/],
    ["no time", ["--idle-limit", "-1"], {}, 2, /--idle-limit.+seconds from 1 to/],
    ["an unknown level of the log", ["--log-level", "loud"], {}, 2, /--log-level.+silent/],
    ["an allowed address that is none", ["--allow", "http://a b/"], {}, 2, /allow/],
    [
      "an API key of two words",
      [],
      { CLOUD_BROWSER_API_KEY: "two words" },
      2,
      /malformed API key.+CLOUD_BROWSER_API_KEY/,
    ],
    ["a folder that is a file", ["--data", import.meta.filename], {}, 2, /is not writable.+--data/],
    ["a Chromium that is not there", ["--chromium", "/nowhere/chromium"], {}, 3, /chromium/i],
  ];
  test.each(cases)("%s", async (_, args, env, code, expected) => {
    await using place = new Place();
    const ended = await runHere(["serve", "--data", place.data, ...args], {
      CLOUD_BROWSER_API_KEY: key,
      CLOUD_BROWSER_PORT: "0",
      ...env,
    });
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(expected);
    expect(ended.stderr).not.toMatch(/two words|\bat .+:\d+:\d+/);
    expect(ended.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
    expect(existsSync(join(place.data, "service.json"))).toBe(false);
  });

  test("a record file that is none, which is kept", async () => {
    await using place = new Place();
    const file = join(place.root, "records.sqlite");
    writeFileSync(file, "these are no records, but somebody's words".repeat(100));
    const { code, stderr } = await runHere(["serve", "--data", place.root, "--port", "0"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^cloud-browser: .+records\.sqlite: it can't be used.+--data.*\n$/);
    expect(readFileSync(file, "utf8")).toContain("somebody's words");
  });
});
