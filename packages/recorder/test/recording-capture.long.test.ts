import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { systemClock } from "../src/clock.ts";
import { Recordings } from "../src/recordings/recordings.ts";
import type { Replay } from "../src/recordings/replay.ts";
import type { Recorder } from "../src/recordings/session-recorder.ts";
import { colors, lookMs, probe, type Probe } from "./recording/video.ts";

// Their looks take turns: many at once on a busy machine would be late.
vi.setConfig({ maxConcurrency: 2 });

const viewport = { width: 320, height: 180 };
/** An action shows within this time, in milliseconds: 200 where nothing else happens (the bench tells), and what a busy machine adds. */
const shownMs = 500;
/** Longer than that. */
const pauseMs = 700;

let folder: string;
let pool: BrowserPool;
let recordings: Recordings;
const warnings: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-recording-"));
  pool = await BrowserPool.start();
  recordings = await Recordings.open({
    folder,
    clock: systemClock,
    secret: Buffer.alloc(32, 7),
    publicUrl: () => "http://127.0.0.1:1",
    onWarning: (_, what) => warnings.push(what),
  });
});

afterAll(async () => {
  await recordings.close();
  await pool.close();
  await rm(folder, { recursive: true, force: true });
});

interface Recorded {
  readonly replay: Replay;
  readonly probe: Probe;
  /** Colour of the video at a moment of the session. */
  readonly colorAt: (sessionMs: number) => string | undefined;
  /** When each step began and when it was done, in milliseconds from the start of the session. */
  readonly steps: readonly Step[];
  /** Length of the session, in milliseconds. */
  readonly wallMs: number;
}

interface Step {
  readonly color: string;
  readonly fromMs: number;
  readonly doneMs: number;
}

interface Session {
  readonly page: Page;
  readonly active: ActivePage;
  readonly recorder: Recorder;
  /** Does what turns the screen to a colour. */
  readonly step: (color: string, act: () => unknown) => Promise<void>;
  /** Paints a page. */
  readonly paint: (color: string, page?: Page) => Promise<void>;
}

let count = 0;

/** Records what is done to a page. */
async function record(act: (session: Session) => Promise<void>): Promise<Recorded> {
  const id = `session-${(count += 1)}`;
  const space = await pool.open({ viewport });
  const startedAtMs = Date.now();
  const active = new ActivePage(space.context);
  const recorder = await recordings.begin({ id, startedAtMs, context: space.context, activePage: active, viewport });
  const steps: Step[] = [];
  const page = await space.context.newPage();
  const step: Session["step"] = async (color, does) => {
    const fromMs = Date.now() - startedAtMs;
    await does();
    steps.push({ color, fromMs, doneMs: Date.now() - startedAtMs });
  };
  const paint: Session["paint"] = (color, target = page) =>
    step(color, () => {
      recorder.onActivity();
      return target.evaluate((value) => void (document.documentElement.style.background = value), color);
    });
  await act({ page, active, recorder, step, paint });
  const wallMs = Date.now() - startedAtMs;
  await recorder.end();
  await space.close();
  const replay = await recordings.replay(id, 20_000);
  const path = join(folder, id, "replay", "replay.mp4");
  const seen = await colors(path);
  const colorAt = (sessionMs: number): string | undefined =>
    seen[Math.round((sessionMs - replay.video_start_ms) / lookMs)];
  return { replay, probe: await probe(path), colorAt, steps, wallMs };
}

/** What holds of every recording. */
function expectTrueTimes({ replay, probe: file, wallMs }: Recorded): void {
  expect(Math.abs(replay.video_duration_ms + replay.video_start_ms - wallMs)).toBeLessThanOrEqual(300);
  expect(Math.abs(file.durationMs - replay.video_duration_ms)).toBeLessThanOrEqual(1);
  expect(replay.video_start_ms).toBeLessThan(1_500);
}

/** The colours that are seen from soon after each step until the next one begins. */
function seenAfter({ steps, colorAt, wallMs }: Recorded): unknown[][] {
  return steps.map(({ doneMs }, index) => {
    const seen = new Set();
    const untilMs = (steps[index + 1]?.fromMs ?? wallMs) - 2 * lookMs;
    for (let moment = doneMs + shownMs; moment < untilMs; moment += lookMs) seen.add(colorAt(moment));
    return [...seen];
  });
}

describe.concurrent("a recording", () => {
  it("shows each colour at its time, with the idle time between", async () => {
    const result = await record(async ({ paint }) => {
      await paint("red");
      await sleep(pauseMs);
      await paint("blue");
      await sleep(2_600);
      await paint("yellow");
      await sleep(pauseMs);
      await paint("lime");
      await sleep(1_300);
    });
    expectTrueTimes(result);
    expect(seenAfter(result)).toEqual([["red"], ["blue"], ["yellow"], ["lime"]]);
  });

  it("shows an action within its time also on a page that moves by itself", async () => {
    const result = await record(async ({ page, paint }) => {
      await page.setContent(`<style>@keyframes turn { to { rotate: 1turn } } div { width: 40px; height: 40px; background: gray;
        animation: turn 1s linear infinite }</style><div></div>`);
      await sleep(2_000);
      await paint("red");
      await sleep(1_700);
      await paint("blue");
      await sleep(pauseMs);
    });
    expectTrueTimes(result);
    expect(seenAfter(result)).toEqual([["red"], ["blue"]]);
    // One a second when nobody acts, some more after actions; the page draws sixty.
    expect(result.probe.packets.length).toBeLessThan(40);
  });

  it("has few pictures of a page that moves by itself while nobody acts, and more while somebody watches", async () => {
    let watched = 0;
    const fromMs = { idle: 0, watched: 0 };
    const result = await record(async ({ page, recorder }) => {
      const bornMs = performance.now();
      await page.setContent(`<style>@keyframes turn { to { rotate: 1turn } } div { width: 40px; height: 40px; background: gray;
        animation: turn 1s linear infinite }</style><div></div>`);
      await sleep(2_000);
      fromMs.idle = performance.now() - bornMs;
      await sleep(8_000);
      fromMs.watched = performance.now() - bornMs;
      const forget = recorder.watch(() => (watched += 1));
      await sleep(3_200);
      forget();
    });
    const idle = result.probe.packets.filter(({ atMs }) => atMs > fromMs.idle && atMs < fromMs.watched);
    // After 1, 2 and then each 4 seconds; two more because segments start with a picture.
    expect(idle.length).toBeLessThanOrEqual(5);
    expect(idle.length).toBeGreaterThanOrEqual(3);
    // The newest one is told at once; then one a second.
    expect(watched).toBeGreaterThanOrEqual(3);
    expect(watched).toBeLessThanOrEqual(6);
  });

  it("of a still page lasts as long as the session", async () => {
    const result = await record(async ({ page }) => {
      await page.setContent("<h1>Nothing moves</h1>");
      await sleep(5_000);
    });
    expectTrueTimes(result);
    // Repeated every two seconds, and little more.
    expect(result.probe.packets.length).toBeLessThan(10);
    const keys = result.probe.packets.filter(({ isKey }) => isKey).map(({ atMs }) => atMs);
    expect(keys).toEqual([0, 4_000]);
  });

  it("goes on over popups, closed pages, other sites and crashes", async () => {
    const result = await record(async ({ page, active, step, paint }) => {
      await paint("red");
      await sleep(pauseMs);
      const popup = await page.context().newPage();
      await paint("blue", popup);
      await sleep(pauseMs);
      await step("red", () => popup.close());
      await sleep(pauseMs);
      await step("lime", () => page.goto("data:text/html,<html style='background:lime'>"));
      await sleep(pauseMs);
      const other = await page.context().newPage();
      await paint("yellow", other);
      await sleep(pauseMs);
      await step("lime", () => active.bringToFront(page));
      await sleep(pauseMs);
      const crashed = page.waitForEvent("crash");
      const devtools = await page.context().newCDPSession(page);
      void devtools.send("Page.crash").catch(() => undefined);
      await crashed;
      await sleep(pauseMs);
      await step("yellow", () => active.bringToFront(other));
      await sleep(pauseMs);
    });
    expectTrueTimes(result);
    const { steps, colorAt, wallMs } = result;
    expect(steps.map(({ doneMs }) => colorAt(doneMs + shownMs))).toEqual(steps.map(({ color }) => color));
    expect(colorAt(wallMs - 2 * lookMs)).toBe("yellow");
  });

  it("has the picture of the first moment and of the last one", async () => {
    const result = await record(async ({ page, paint }) => {
      await page.setContent("<html style='background:cyan'>");
      await sleep(350);
      await paint("red");
    });
    expectTrueTimes(result);
    expect(result.colorAt(result.replay.video_start_ms + result.replay.video_duration_ms - lookMs)).toBe("red");
    expect(result.replay.video_duration_ms).toBeGreaterThan(300);
  });

  it("letterboxes pages of other sizes into one", async () => {
    const result = await record(async ({ page, paint }) => {
      await paint("red");
      await sleep(pauseMs);
      await page.setViewportSize({ width: 150, height: 300 });
      await paint("blue");
      await sleep(pauseMs);
      await page.setViewportSize({ width: 640, height: 200 });
      await paint("lime");
      await sleep(pauseMs);
    });
    expectTrueTimes(result);
    expect([result.probe.width, result.probe.height]).toEqual([320, 180]);
    expect(result.steps.map(({ doneMs }) => result.colorAt(doneMs + shownMs))).toEqual(["red", "blue", "lime"]);
  });
});

it("ends without a page as one that is empty, and says so", async () => {
  const space = await pool.open({ viewport });
  const activePage = new ActivePage(space.context);
  const recorder = await recordings.begin({
    id: "empty",
    startedAtMs: Date.now(),
    context: space.context,
    activePage,
    viewport,
  });
  await recorder.end();
  await space.close();
  await expect(recordings.replay("empty", 5_000)).rejects.toMatchObject({ code: "recording-empty" });
  expect(await readdir(join(folder, "empty"))).toEqual(["recording.json"]);
});

it("takes no more pictures than its space allows, and lasts as long as the session all the same", async () => {
  const own = join(folder, "small");
  const said: string[] = [];
  const small = await Recordings.open({
    folder: own,
    clock: systemClock,
    secret: Buffer.alloc(32),
    publicUrl: () => "http://127.0.0.1:1",
    maxBytes: 6_000,
    onWarning: (id, what) => said.push(`${id} ${what}`),
  });
  const space = await pool.open({ viewport });
  const startedAtMs = Date.now();
  const activePage = new ActivePage(space.context);
  const recorder = await small.begin({ id: "one", startedAtMs, context: space.context, activePage, viewport });
  const page = await space.context.newPage();
  await page.setContent(
    "<h1></h1><script>setInterval(() => (document.querySelector('h1').textContent = Date.now()), 30)</script>",
  );
  for (let tries = 0; said.length === 0 && tries < 100; tries += 1) {
    await sleep(100);
    recorder.onActivity();
  }
  await sleep(2_500);
  const wallMs = Date.now() - startedAtMs;
  await recorder.end();
  await space.close();
  expect(said).toEqual(["one reached its limit of 6000 bytes; no more pictures are recorded"]);
  const replay = await small.replay("one", 20_000);
  expect(Math.abs(replay.video_duration_ms + replay.video_start_ms - wallMs)).toBeLessThanOrEqual(300);
  const gap = { from_ms: expect.any(Number), to_ms: expect.any(Number), reason: "size-limit" };
  expect(small.view("one")).toMatchObject({ state: "ready", gaps: [gap] });
  await small.close();
  await rm(own, { recursive: true });
});

it("leaves no journal, no draft and no warning", async () => {
  for (const id of (await readdir(folder)).filter((name) => name.startsWith("session-"))) {
    expect((await readdir(join(folder, id))).sort()).toEqual(["recording.json", "replay"]);
  }
  expect(warnings).toEqual([]);
});
