import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { ActivePage, BrowserPool, type PooledContext } from "@cloud-browser/browsers";
import { Capture } from "../src/capture/capture.ts";
import { Screencast } from "../src/capture/screencast.ts";
import { CaptureQueue } from "../src/capture/capture-queue.ts";

/** What timers may be early by, in milliseconds. */
const earlyMs = 5;

let pool: BrowserPool;
beforeAll(async () => void (pool = await BrowserPool.start()));
afterAll(() => pool.close());
afterEach(() => vi.restoreAllMocks());

/** Captures a context; tells of each picture by its size in bytes. */
function getCapture({ context }: PooledContext, queue = new CaptureQueue()): { capture: Capture; pictures: number[] } {
  const pictures: number[] = [];
  const capture = new Capture({
    context,
    activePage: new ActivePage(context),
    viewport: { width: 320, height: 180 },
    store: ({ length }) => Promise.resolve(void pictures.push(length)),
    mode: () => "normal",
    queue,
  });
  return { capture, pictures };
}

it("the capture queue lets one session in at a time, in the order in which they asked", async () => {
  const queue = new CaptureQueue();
  const log: string[] = [];
  const work = async (name: string): Promise<void> => {
    const end = await queue.acquire();
    log.push(`${name} begins`);
    await sleep(10);
    log.push(`${name} ends`);
    end();
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

it("the capture queue lets the next session in after 250 ms", async () => {
  const queue = new CaptureQueue();
  const fromMs = performance.now();
  await queue.acquire();
  const end = await queue.acquire();
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(250 - earlyMs);
  end();
});

it("ends at once while many other sessions are in the capture queue", async () => {
  const pooled = await pool.open();
  const page = await pooled.context.newPage();
  const queue = new CaptureQueue();
  const { capture, pictures } = getCapture(pooled, queue);
  await expect.poll(() => pictures.length).toBe(1);
  for (let other = 0; other < 20; other += 1) void queue.acquire();
  await page.evaluate(() => (document.body.textContent = "changed"));
  capture.onActivity();
  await sleep(400);
  const fromMs = performance.now();
  await capture.end();
  expect(performance.now() - fromMs).toBeLessThan(1_500);
  await pooled.close();
});

it("goes back to the screencast when an animated page is still", async () => {
  const screenshot = vi.spyOn(Screencast.prototype, "screenshot");
  const start = vi.spyOn(Screencast.prototype, "start");
  const pooled = await pool.open();
  const page = await pooled.context.newPage();
  const { capture, pictures } = getCapture(pooled);
  await expect.poll(() => pictures.length).toBe(1);
  await page.evaluate(async () => {
    for (let step = 0; step < 20; step += 1) {
      document.body.textContent = String(step);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  });
  await expect.poll(() => screenshot.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await sleep(6_500);
  screenshot.mockClear();
  start.mockClear();
  await sleep(2_000);
  // Neither is asked for anything: the browser tells when something changes.
  expect([screenshot.mock.calls.length, start.mock.calls.length]).toEqual([0, 0]);
  const { length } = pictures;
  await page.evaluate(() => (document.body.textContent = "late"));
  await expect.poll(() => pictures.length, { timeout: 1_000 }).toBe(length + 1);
  await capture.end();
  await pooled.close();
});
