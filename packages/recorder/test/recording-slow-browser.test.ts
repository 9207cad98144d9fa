import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ActivePage, BrowserPool, type PooledContext } from "@cloud-browser/browsers";
import { systemClock } from "../src/clock.ts";
import { Recordings } from "../src/recordings/recordings.ts";

vi.setConfig({ testTimeout: 60_000 });

const publicUrl = (): string => "http://127.0.0.1:1";
const viewport = { width: 320, height: 180 };
let folder: string;
let pool: BrowserPool;
let recordings: Recordings;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-slow-browser-"));
  pool = await BrowserPool.start();
  recordings = await Recordings.open({ folder, clock: systemClock, secret: Buffer.alloc(32, 7), publicUrl });
});
afterAll(async () => {
  await recordings?.close();
  await pool?.close();
  await rm(folder, { recursive: true });
});

/** Opens a context with a red page, whose recorder gets the connections with the browser that `connect` returns. */
async function openRed(
  connect: (page: Page) => Promise<CDPSession>,
): Promise<Pick<PooledContext, "context" | "close"> & { readonly activePage: ActivePage }> {
  const pooled = await pool.open({ viewport });
  const activePage = new ActivePage(pooled.context);
  await (await pooled.context.newPage()).setContent("<html style='background:red'>");
  const context: typeof pooled.context = Object.create(pooled.context, { newCDPSession: { value: connect } });
  return { context, activePage, close: () => pooled.close() };
}

/** Returns a connection with the browser of which some methods are others. */
function replaceMethods(devtools: CDPSession, methods: Readonly<Record<string, unknown>>): CDPSession {
  return new Proxy(devtools, {
    get: (_, name) => {
      const value: unknown = methods[String(name)] ?? Reflect.get(devtools, name);
      return typeof value === "function" ? value.bind(devtools) : value;
    },
  });
}

it("a session that ends before a slow browser has sent its first picture has a replay all the same", async () => {
  const { context, activePage, close } = await openRed(async (page) => {
    const devtools = await page.context().newCDPSession(page);
    return replaceMethods(devtools, {
      send: async (...command: Parameters<CDPSession["send"]>) => {
        await sleep(600);
        return devtools.send(...command);
      },
    });
  });
  const recorder = await recordings.begin({ id: "short", startedAtMs: Date.now(), context, activePage, viewport });
  await recorder.end();
  await close();
  expect((await recordings.replay("short", 20_000)).video_duration_ms).toBeGreaterThan(0);
});

it("a session that is acted on and ended while the browser draws nothing has a picture, and a replay that lasts until then", async () => {
  const gate = Promise.withResolvers<void>();
  const attached = Promise.withResolvers<void>();
  const { context, activePage, close } = await openRed(async (page) => {
    // Longer than a capture that has all the time waits for it.
    await sleep(2_500);
    const devtools = await page.context().newCDPSession(page);
    attached.resolve();
    // It draws no frames for a screencast, and answers what it is asked for when the gate is open.
    return replaceMethods(devtools, {
      on: (event: "Page.screencastFrame", listener: () => void) => {
        if (event !== "Page.screencastFrame") devtools.on(event, listener);
      },
      send: async (...command: Parameters<CDPSession["send"]>) => {
        await gate.promise;
        return devtools.send(...command);
      },
    });
  });
  const startedAtMs = Date.now();
  const recorder = await recordings.begin({ id: "starved", startedAtMs, context, activePage, viewport });
  recorder.onActivity();
  const ending = recorder.end();
  await attached.promise;
  const heldUntilMs = Date.now() - startedAtMs;
  gate.resolve();
  await ending;
  await close();
  const { video_start_ms, video_duration_ms } = await recordings.replay("starved", 20_000);
  expect(video_start_ms + video_duration_ms).toBeGreaterThanOrEqual(heldUntilMs);
  expect(recordings.view("starved")).toMatchObject({ state: "ready", gaps: [] });
});
