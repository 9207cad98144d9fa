import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { ActivePage, BrowserPool, type BrowserSpace } from "@cloud-browser/browsers";
import { Capture } from "../src/capture/capture.ts";
import { Screen } from "../src/capture/screencast.ts";
import { Turns } from "../src/capture/capture-queue.ts";

/** What timers may be early by, in milliseconds. */
const earlyMs = 5;

let pool: BrowserPool;
beforeAll(async () => void (pool = await BrowserPool.start()));
afterAll(() => pool.close());
afterEach(() => vi.restoreAllMocks());

/** Captures a space; tells of each picture by its size in bytes. */
function captureOf({ context }: BrowserSpace, turns = new Turns()): { capture: Capture; pictures: number[] } {
  const pictures: number[] = [];
  const capture = new Capture({
    context,
    activePage: new ActivePage(context),
    viewport: { width: 320, height: 180 },
    keep: ({ length }) => Promise.resolve(void pictures.push(length)),
    pace: () => "full",
    turns,
  });
  return { capture, pictures };
}

it("gives one turn at a time, in the order in which they were asked for", async () => {
  const turns = new Turns();
  const said: string[] = [];
  const work = async (name: string): Promise<void> => {
    const end = await turns.take();
    said.push(`${name} begins`);
    await sleep(10);
    said.push(`${name} ends`);
    end();
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  expect(said).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

it("does not wait for who forgets to end", async () => {
  const turns = new Turns();
  const fromMs = performance.now();
  await turns.take();
  const end = await turns.take();
  expect(performance.now() - fromMs).toBeGreaterThanOrEqual(250 - earlyMs);
  end();
});

it("ends at once while many others wait to look", async () => {
  const space = await pool.open();
  const page = await space.context.newPage();
  const turns = new Turns();
  const { capture, pictures } = captureOf(space, turns);
  await expect.poll(() => pictures.length).toBe(1);
  for (let other = 0; other < 20; other += 1) void turns.take();
  await page.evaluate(() => (document.body.textContent = "changed"));
  capture.stir();
  await sleep(400);
  const fromMs = performance.now();
  await capture.end();
  expect(performance.now() - fromMs).toBeLessThan(1_500);
  await space.close();
});

it("watches a page again that has moved and stands still", async () => {
  const photograph = vi.spyOn(Screen.prototype, "photograph");
  const start = vi.spyOn(Screen.prototype, "start");
  const space = await pool.open();
  const page = await space.context.newPage();
  const { capture, pictures } = captureOf(space);
  await expect.poll(() => pictures.length).toBe(1);
  await page.evaluate(async () => {
    for (let step = 0; step < 20; step += 1) {
      document.body.textContent = String(step);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  });
  await expect.poll(() => photograph.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(0);
  await sleep(6_500);
  photograph.mockClear();
  start.mockClear();
  await sleep(2_000);
  // Neither is asked for anything: the browser tells when something changes.
  expect([photograph.mock.calls.length, start.mock.calls.length]).toEqual([0, 0]);
  const { length } = pictures;
  await page.evaluate(() => (document.body.textContent = "late"));
  await expect.poll(() => pictures.length, { timeout: 1_000 }).toBe(length + 1);
  await capture.end();
  await space.close();
});
