import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { expect, it, vi } from "vitest";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { systemClock } from "../src/clock.ts";
import { Recordings } from "../src/recordings/recordings.ts";

vi.setConfig({ testTimeout: 60_000 });

const publicUrl = (): string => "http://127.0.0.1:1";
const viewport = { width: 320, height: 180 };

/** A browser that draws no frames for a screencast, and answers what it is asked for when the gate is open. */
function starved(devtools: CDPSession, gate: Promise<void>): CDPSession {
  const own: Readonly<Record<string, unknown>> = {
    on: (event: "Page.screencastFrame", listener: () => void) => {
      if (event !== "Page.screencastFrame") devtools.on(event, listener);
    },
    send: async (...command: Parameters<CDPSession["send"]>) => {
      await gate;
      return devtools.send(...command);
    },
  };
  return new Proxy(devtools, {
    get: (_, name) => {
      const value: unknown = own[String(name)] ?? Reflect.get(devtools, name);
      return typeof value === "function" ? value.bind(devtools) : value;
    },
  });
}

it("a session that is acted on and ended while the browser draws nothing has a picture, and a replay that lasts until then", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cb-starved-"));
  const pool = await BrowserPool.start();
  const recordings = await Recordings.open({ folder, clock: systemClock, secret: Buffer.alloc(32, 7), publicUrl });
  try {
    const pooled = await pool.open({ viewport });
    const activePage = new ActivePage(pooled.context);
    await (await pooled.context.newPage()).setContent("<html style='background:red'>");
    const gate = Promise.withResolvers<void>();
    const attached = Promise.withResolvers<void>();
    const context: typeof pooled.context = Object.create(pooled.context, {
      newCDPSession: {
        value: async (page: Page) => {
          // Longer than a capture that has all the time waits for it.
          await sleep(2_500);
          const session = await pooled.context.newCDPSession(page);
          attached.resolve();
          return starved(session, gate.promise);
        },
      },
    });
    const startedAtMs = Date.now();
    const recorder = await recordings.begin({ id: "starved", startedAtMs, context, activePage, viewport });
    recorder.onActivity();
    const end = recorder.end();
    await attached.promise;
    const heldUntilMs = Date.now() - startedAtMs;
    gate.resolve();
    await end;
    await pooled.close();
    const { video_start_ms, video_duration_ms } = await recordings.replay("starved", 20_000);
    expect(video_start_ms + video_duration_ms).toBeGreaterThanOrEqual(heldUntilMs);
    expect(recordings.view("starved")).toMatchObject({ state: "ready", gaps: [] });
  } finally {
    await recordings.close();
    await pool.close();
    await rm(folder, { recursive: true });
  }
});
