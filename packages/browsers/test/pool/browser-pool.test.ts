import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { BrowserPoolOptions } from "../../src/pool/browser-pool-options.ts";
import { BrowserPool } from "../../src/pool/browser-pool.ts";
import { GuardedBrowsers } from "../../src/guarded-browsers.ts";
import { listProcessesNaming } from "@cloud-browser/testing/browser-processes.ts";

let scratch = "";
let site: Server;
let siteUrl = "";
let requestsOfCached = 0;
let warnings: string[] = [];
let pools: BrowserPool[] = [];

/** Everything temporary of this file is in a folder of its own, so that what is left over can be seen. */
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "browsers-test-"));
  vi.stubEnv("TMPDIR", scratch);
  site = createServer((request, response) => {
    if (request.url === "/cached") {
      requestsOfCached += 1;
      response.setHeader("cache-control", "max-age=3600").end("cached");
    } else if (request.url === "/file") {
      response.setHeader("content-disposition", "attachment; filename=a.bin").end("bytes");
    } else {
      response.setHeader("content-type", "text/html").end("<p>page</p>");
    }
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const address = site.address();
  siteUrl = `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
});

afterEach(async () => {
  await Promise.all(pools.map(async (pool) => pool.close()));
  pools = [];
  warnings = [];
  // A process that was killed is gone as soon as the system has come to it.
  await vi.waitFor(
    async () => {
      const remains = [...listProcessesNaming(scratch), ...(await readdir(scratch))];
      if (remains.length > 0) throw new Error(`left over after the pools were closed: ${remains.join(", ")}`);
    },
    { timeout: 20_000 },
  );
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await rm(scratch, { recursive: true, force: true });
});

async function startPool(options: BrowserPoolOptions = {}): Promise<BrowserPool> {
  const pool = await BrowserPool.start({ onWarning: (message) => warnings.push(message), ...options });
  pools.push(pool);
  return pool;
}

async function readPids(pool: BrowserPool): Promise<number[]> {
  return (await pool.browsers()).map(({ pid }) => pid);
}

/** Resolves to "open" when a context is not lost. */
async function readState(pooled: { readonly lost: Promise<string> }): Promise<string> {
  return Promise.race([pooled.lost, Promise.resolve("open")]);
}

async function readTwice(): Promise<void> {
  await (await fetch("/cached")).text();
  await (await fetch("/cached")).text();
}

test("contexts of one browser share no cookie, no storage and no cache", async () => {
  const pool = await startPool();
  const [one, other] = [await pool.open(), await pool.open()];
  expect(one.browserPid).toBe(other.browserPid);
  expect(one.contextId).not.toBe(other.contextId);

  const page = await one.context.newPage();
  await page.goto(siteUrl);
  const before = requestsOfCached;
  await page.evaluate(() => {
    document.cookie = "who=one";
    localStorage.setItem("who", "one");
  });
  await page.evaluate(readTwice);
  expect(requestsOfCached).toBe(before + 1);

  const foreign = await other.context.newPage();
  await foreign.goto(siteUrl);
  expect(await foreign.evaluate(() => [document.cookie, localStorage.length])).toEqual(["", 0]);
  expect(await other.context.cookies()).toEqual([]);
  await foreign.evaluate(readTwice);
  expect(requestsOfCached).toBe(before + 2);
});

test("a context has the size and the language that it was opened with, a mouse, no downloads and no permissions", async () => {
  const pool = await startPool();
  const { context } = await pool.open({ viewport: { width: 700, height: 500 }, locale: "de-DE" });
  const page = await context.newPage();
  await page.goto(siteUrl);
  const settings = await page.evaluate(async () => ({
    size: [innerWidth, innerHeight],
    language: navigator.language,
    hover: matchMedia("(hover: hover)").matches,
    geolocation: (await navigator.permissions.query({ name: "geolocation" })).state,
  }));
  expect(settings).toEqual({ size: [700, 500], language: "de-DE", hover: true, geolocation: "denied" });
  const downloading = page.waitForEvent("download");
  await page.evaluate(() => location.assign("/file"));
  expect(await (await downloading).failure()).not.toBeNull();
});

test("what is done on a page is told once: typing as one fill, without what a password field holds", async () => {
  const pool = await startPool();
  const pooled = await pool.open({});
  const events: string[] = [];
  pooled.watchPages((event) => {
    if (event.kind === "tab-opened" || event.kind === "navigation") events.push(event.kind);
    if (event.kind !== "act") return;
    const { kind, target, value, isGoingOn } = event.act;
    if (isGoingOn) return;
    events.push(`${kind} ${target?.role} ${target?.name}${value === undefined ? "" : `: ${value}`}`);
  });
  const page = await pooled.context.newPage();
  await page.goto(siteUrl);
  await page.setContent("<label>Name <input></label><label>Password <input type=password></label><button>Go</button>");
  await page.getByLabel("Name").pressSequentially("Ada");
  await page.getByLabel("Password").pressSequentially("hunter2");
  await page.getByRole("button", { name: "Go" }).click();
  await vi.waitFor(() => expect(events.at(-1)).toBe("click button Go"));
  expect(events).toEqual([
    "tab-opened",
    "navigation",
    "fill textbox Name: Ada",
    "fill textbox Password: null",
    "click button Go",
  ]);
});

test("a browser crash ends its own contexts only, and the pool continues", async () => {
  const pool = await startPool({ contextsPerBrowser: 2 });
  const doomed = [await pool.open(), await pool.open()];
  const spared = await pool.open();
  const page = await spared.context.newPage();
  const crashed = (await pool.browsers()).find(({ contexts }) => contexts === 2);
  if (!crashed) throw new Error("no browser has two contexts");
  process.kill(crashed.pid, "SIGKILL");

  expect(await Promise.all(doomed.map(async ({ lost }) => lost))).toEqual(["crashed", "crashed"]);
  expect(await readState(spared)).toBe("open");
  expect(await page.evaluate(() => 6 * 7)).toBe(42);
  expect(warnings).toContain("A browser crashed; 2 sessions ended with it.");
  await doomed[0]?.close();
  const next = [await pool.open(), await pool.open()];
  await Promise.all(next.map(async ({ context }) => context.newPage()));
  expect(await readPids(pool)).not.toContain(crashed.pid);
});

test("a context is lost as closed, whether it, its Playwright context or the pool was closed", async () => {
  const pool = await startPool();
  const [one, two, three] = [await pool.open(), await pool.open(), await pool.open()];
  await one.close();
  await one.close();
  expect(await one.lost).toBe("closed");
  await two.context.close();
  expect(await two.lost).toBe("closed");
  expect(await readState(three)).toBe("open");
  await expect.poll(async () => (await pool.browsers()).map(({ contexts }) => contexts)).toContain(1);
  await pool.close();
  expect(await three.lost).toBe("closed");
});

test("a pool is full when all its browsers are, and has room again when a context is closed", async () => {
  const pool = await startPool({ contextsPerBrowser: 1, maxBrowsers: 2 });
  const contexts = await Promise.all([pool.open(), pool.open()]);
  await expect(pool.open()).rejects.toMatchObject({ code: "busy", message: expect.stringContaining("end a session") });
  await contexts[0].close();
  await expect(pool.open()).resolves.toBeDefined();
  await pool.close();
  await expect(pool.open()).rejects.toMatchObject({ code: "busy" });
});

test("the memory of the heaviest page is reported besides that of its browser, and it can be killed alone", async () => {
  const pool = await startPool({ maxBrowsers: 1 });
  const [light, heavy] = [await pool.open(), await pool.open()];
  await light.context.newPage();
  const page = await heavy.context.newPage();
  await page.evaluate(() => Object.assign(globalThis, { kept: new Float64Array(20e6).fill(1) }));
  const [facts] = await pool.browsers();
  const { all, heaviestPage } = facts?.memory ?? { all: 0, heaviestPage: 0 };
  expect(heaviestPage).toBeGreaterThan(160e6);
  expect(heaviestPage).toBeLessThan(260e6);
  expect(all).toBeGreaterThan(heaviestPage + 50e6);

  const crashed: string[] = [];
  light.context.pages()[0]?.on("crash", () => crashed.push("light"));
  page.on("crash", () => crashed.push("heavy"));
  expect(await pool.killHeaviest(facts?.pid ?? 0, "renderer", 300e6)).toBe(false);
  expect(await pool.killHeaviest(facts?.pid ?? 0, "renderer", 160e6)).toBe(true);
  await vi.waitUntil(() => crashed.length > 0);
  expect(await light.context.pages()[0]?.evaluate(() => 1)).toBe(1);
  expect(crashed).toEqual(["heavy"]);
});

test("the GPU process is started again however often it is killed, and contexts stay open", async () => {
  const pool = await startPool();
  const { context } = await pool.open();
  const page = await context.newPage();
  const [facts] = await pool.browsers();
  for (let ends = 0; ends < 8; ends += 1) {
    await vi.waitUntil(() => pool.killHeaviest(facts?.pid ?? 0, "gpu-process", 0));
    expect(await page.screenshot()).not.toHaveLength(0);
  }
  expect(await page.evaluate(() => 1)).toBe(1);
});

test("a browser is replaced after it has had enough contexts, or keeps too much memory", async () => {
  for (const worn of [{ contextsPerLife: 2 }, { emptyMemoryLimit: 1 }]) {
    const pool = await startPool({ ...worn, maxBrowsers: 2 });
    const first = await readPids(pool);
    for (const pooled of [await pool.open(), await pool.open()]) await pooled.close();
    await expect.poll(async () => readPids(pool)).not.toEqual(expect.arrayContaining(first));
    await pool.close();
  }
});

test("a spare browser is started before the last is full, unless the limit of contexts is reached", async () => {
  const startHalfFull = async (maxContexts: number): Promise<BrowserPool> => {
    const pool = await startPool({ contextsPerBrowser: 4, maxContexts });
    await pool.open();
    expect(await readPids(pool)).toHaveLength(1);
    await pool.open();
    return pool;
  };
  const [growing, bounded] = [await startHalfFull(5), await startHalfFull(4)];
  await vi.waitFor(async () => expect(await readPids(growing)).toHaveLength(2), { timeout: 60_000 });
  expect(await readPids(bounded)).toHaveLength(1);
});

test("GuardedBrowsers limits the contexts that share a browser", async () => {
  await using closing = new AsyncDisposableStack();
  const log = pino({ level: "silent" });
  const options = { allow: [], chromium: undefined, contexts: 2, contextsPerBrowser: 1, ownPort: 1, log };
  const browsers = await GuardedBrowsers.start(options, closing);
  await Promise.all([browsers.open({}), browsers.open({})]);
  expect((await browsers.running()).map(({ contexts }) => contexts)).toEqual([1, 1]);
});

test("of two browsers without spaces one is ended after a while", async () => {
  const pool = await startPool({ idleMs: 50, contextsPerBrowser: 1 });
  const pooled = await pool.open();
  await vi.waitFor(async () => expect(await readPids(pool)).toHaveLength(2), { timeout: 60_000 });
  await pooled.close();
  await expect.poll(async () => readPids(pool)).toHaveLength(1);
});

test("a browser that hangs does not keep the pool from closing", async () => {
  const pool = await startPool();
  const pooled = await pool.open();
  for (const pid of await readPids(pool)) process.kill(pid, "SIGSTOP");
  const closing = pooled.close();
  await pool.close();
  await closing;
  expect(await pooled.lost).toBe("closed");
});
