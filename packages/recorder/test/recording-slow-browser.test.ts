import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { expect, it } from "vitest";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { systemClock } from "../src/clock.ts";
import { Recordings } from "../src/recordings/recordings.ts";

const publicUrl = (): string => "http://127.0.0.1:1";
const viewport = { width: 320, height: 180 };

/** Passes each command on to the browser after a while. */
function slow(devtools: CDPSession): CDPSession {
  const send = async (...command: Parameters<CDPSession["send"]>): Promise<unknown> => {
    await sleep(600);
    return devtools.send(...command);
  };
  return new Proxy(devtools, {
    get: (_, name) => {
      const own: unknown = name === "send" ? send : Reflect.get(devtools, name);
      return typeof own === "function" ? own.bind(devtools) : own;
    },
  });
}

it("a session that ends before a slow browser has sent its first picture has a replay all the same", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cb-slow-browser-"));
  const pool = await BrowserPool.start();
  const recordings = await Recordings.open({ folder, clock: systemClock, secret: Buffer.alloc(32, 7), publicUrl });
  try {
    const pooled = await pool.open({ viewport });
    const activePage = new ActivePage(pooled.context);
    await (await pooled.context.newPage()).setContent("<html style='background:red'>");
    const context: typeof pooled.context = Object.create(pooled.context, {
      newCDPSession: { value: async (page: Page) => slow(await pooled.context.newCDPSession(page)) },
    });
    const recorder = await recordings.begin({ id: "short", startedAtMs: Date.now(), context, activePage, viewport });
    await recorder.end();
    await pooled.close();
    expect((await recordings.replay("short", 20_000)).video_duration_ms).toBeGreaterThan(0);
  } finally {
    await recordings.close();
    await pool.close();
    await rm(folder, { recursive: true });
  }
});
