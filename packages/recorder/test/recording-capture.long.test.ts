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
import { readPictures } from "./recording/written-pictures.ts";
import { readColor, readColors, sampleMs, probe, type Probe } from "./recording/video.ts";

// Their looks take turns: many at once on a busy machine would be late.
vi.setConfig({ maxConcurrency: 2 });

const viewport = { width: 320, height: 180 };
/** How long a colour stays once it is recorded, in milliseconds. */
const pauseMs = 300;

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
  /** When each step began and when it was recorded, in milliseconds from the start of the session. */
  readonly steps: readonly Step[];
  /** Length of the session, in milliseconds. */
  readonly wallMs: number;
}

interface Step {
  readonly color: string;
  readonly fromMs: number;
  readonly recordedMs: number;
}

interface Session {
  readonly id: string;
  readonly page: Page;
  readonly active: ActivePage;
  readonly recorder: Recorder;
  /** Does what turns the screen to a colour, and waits until that is recorded. */
  readonly step: (color: string, act: () => unknown) => Promise<void>;
  /** Paints a page. */
  readonly paint: (color: string, page?: Page) => Promise<void>;
}

let count = 0;

/** Looks again and again until the state is the one that is waited for. */
async function until<State>(look: () => Promise<State>, isIt: (state: State) => boolean): Promise<void> {
  const check = async (): Promise<void> => {
    const state = await look();
    if (!isIt(state)) throw new Error(`still ${String(state)}`);
  };
  await vi.waitFor(check, { timeout: 60_000, interval: 50 });
}

/** Resolves when the newest picture of a recording has a colour. */
async function waitUntilRecorded(journals: string, color: string): Promise<void> {
  let last: { jpeg: Uint8Array; color: string } = { jpeg: new Uint8Array(), color: "" };
  const look = async (): Promise<string> => {
    const jpeg = (await readPictures(journals)).at(-1)?.jpeg;
    if (jpeg && Buffer.compare(jpeg, last.jpeg) !== 0) last = { jpeg, color: await readColor(jpeg) };
    return last.color;
  };
  await until(look, (newest) => newest === color);
}

/** Records what is done to a page. */
async function record(act: (session: Session) => Promise<void>): Promise<Recorded> {
  const id = `session-${(count += 1)}`;
  const pooled = await pool.open({ viewport });
  const startedAtMs = Date.now();
  const active = new ActivePage(pooled.context);
  const recorder = await recordings.begin({ id, startedAtMs, context: pooled.context, activePage: active, viewport });
  const steps: Step[] = [];
  const page = await pooled.context.newPage();
  const step: Session["step"] = async (color, does) => {
    const fromMs = Date.now() - startedAtMs;
    await does();
    await waitUntilRecorded(join(folder, id), color);
    steps.push({ color, fromMs, recordedMs: Date.now() - startedAtMs });
  };
  const paint: Session["paint"] = (color, target = page) =>
    step(color, () => {
      recorder.onActivity();
      return target.evaluate((value) => void (document.documentElement.style.background = value), color);
    });
  await act({ id, page, active, recorder, step, paint });
  const wallMs = Date.now() - startedAtMs;
  await recorder.end();
  await pooled.close();
  const replay = await recordings.replay(id, 20_000);
  const path = join(folder, id, "replay", "replay.mp4");
  const samples = await readColors(path);
  const colorAt = (sessionMs: number): string | undefined =>
    samples[Math.round((sessionMs - replay.video_start_ms) / sampleMs)];
  return { replay, probe: await probe(path), colorAt, steps, wallMs };
}

/** What holds of every recording. */
function expectTrueTimes({ replay, probe: file, steps, wallMs }: Recorded): void {
  expect(Math.abs(replay.video_duration_ms + replay.video_start_ms - wallMs)).toBeLessThanOrEqual(300);
  expect(Math.abs(file.durationMs - replay.video_duration_ms)).toBeLessThanOrEqual(1);
  expect(replay.video_start_ms).toBeLessThan(steps[0]?.recordedMs ?? wallMs);
}

/** Lists the colours that are shown from the moment on at which each step was recorded until the next one begins. */
function listColorsAfter({ steps, colorAt, wallMs }: Recorded): unknown[][] {
  return steps.map(({ recordedMs }, index) => {
    const shownColors = new Set();
    const untilMs = (steps[index + 1]?.fromMs ?? wallMs) - 2 * sampleMs;
    for (let moment = recordedMs + sampleMs; moment < untilMs; moment += sampleMs) shownColors.add(colorAt(moment));
    return [...shownColors];
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
    expect(listColorsAfter(result)).toEqual([["red"], ["blue"], ["yellow"], ["lime"]]);
  });

  it("shows an action in time on an animated page, too", async () => {
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
    expect(listColorsAfter(result)).toEqual([["red"], ["blue"]]);
    // One a second when nobody acts, some more after actions; the page draws sixty.
    expect(result.probe.packets.length).toBeLessThan(40);
  });

  it("samples an animated page every four seconds without actions, and more often while it is viewed", async () => {
    await record(async ({ id, page, recorder }) => {
      await page.setContent(`<style>@keyframes turn { to { rotate: 1turn } } div { width: 40px; height: 40px; background: gray;
        animation: turn 1s linear infinite }</style><div></div>`);
      const gapMs = async (): Promise<number> => {
        const [before = 0, last = before] = (await readPictures(join(folder, id))).map(({ atMs }) => atMs).slice(-2);
        return last - before;
      };
      await until(gapMs, (gap) => gap >= 4_000);
      let watched = 0;
      const forget = recorder.watch(() => (watched += 1));
      // The newest one is told at once, whatever comes next.
      expect(watched).toBe(1);
      await until(
        async () => watched,
        (times) => times >= 4,
      );
      forget();
    });
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

  it("continues over popups, closed pages, other sites and crashes", async () => {
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
    expect(listColorsAfter(result)).toEqual(result.steps.map(({ color }) => [color]));
  });

  it("has the picture of the first moment and of the last one", async () => {
    const result = await record(async ({ page, paint }) => {
      await page.setContent("<html style='background:cyan'>");
      await sleep(350);
      await paint("red");
    });
    expectTrueTimes(result);
    expect(result.colorAt(result.replay.video_start_ms + result.replay.video_duration_ms - sampleMs)).toBe("red");
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
    expect(listColorsAfter(result)).toEqual([["red"], ["blue"], ["lime"]]);
  });
});

it("ends without a page as one that is empty, and says so", async () => {
  const pooled = await pool.open({ viewport });
  const activePage = new ActivePage(pooled.context);
  const recorder = await recordings.begin({
    id: "empty",
    startedAtMs: Date.now(),
    context: pooled.context,
    activePage,
    viewport,
  });
  await recorder.end();
  await pooled.close();
  await expect(recordings.replay("empty", 5_000)).rejects.toMatchObject({ code: "recording-empty" });
  expect(await readdir(join(folder, "empty"))).toEqual(["recording.json"]);
});

it("takes no more pictures than its space allows, and lasts as long as the session all the same", async () => {
  const own = join(folder, "small");
  const limitWarnings: string[] = [];
  const small = await Recordings.open({
    folder: own,
    clock: systemClock,
    secret: Buffer.alloc(32),
    publicUrl: () => "http://127.0.0.1:1",
    maxBytes: 6_000,
    onWarning: (id, what) => limitWarnings.push(`${id} ${what}`),
  });
  const pooled = await pool.open({ viewport });
  const startedAtMs = Date.now();
  const activePage = new ActivePage(pooled.context);
  const recorder = await small.begin({ id: "one", startedAtMs, context: pooled.context, activePage, viewport });
  const page = await pooled.context.newPage();
  await page.setContent(
    "<h1></h1><script>setInterval(() => (document.querySelector('h1').textContent = Date.now()), 30)</script>",
  );
  for (let tries = 0; limitWarnings.length === 0 && tries < 100; tries += 1) {
    await sleep(100);
    recorder.onActivity();
  }
  await sleep(2_500);
  const wallMs = Date.now() - startedAtMs;
  await recorder.end();
  await pooled.close();
  expect(limitWarnings).toEqual(["one reached its limit of 6000 bytes; no more pictures are recorded"]);
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
