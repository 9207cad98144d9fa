import { EventEmitter } from "node:events";
import type { BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CaptureQueue } from "../src/capture/capture-queue.ts";
import { Capture } from "../src/capture/capture.ts";
import type { SamplingMode } from "../src/capture/sampling-interval.ts";

/** How long this browser takes to draw and send a picture, in milliseconds. */
const drawMs = 20;

/** A page whose screen is another one at each look, and its DevTools session. */
class MovingPage extends EventEmitter {
  /** How many pictures the browser was made to draw. */
  drawings = 0;
  #isWatched = false;

  async send(method: string): Promise<unknown> {
    this.#isWatched = method === "Page.startScreencast" || (this.#isWatched && method !== "Page.stopScreencast");
    if (method === "Page.startScreencast") for (const frames of [1, 2]) this.#drawIn(frames * drawMs);
    if (method === "Page.screencastFrameAck") this.#drawIn(drawMs);
    if (method === "Page.getLayoutMetrics") return { cssLayoutViewport: { clientWidth: 320, clientHeight: 180 } };
    if (method !== "Page.captureScreenshot") return {};
    await new Promise((resolve) => setTimeout(resolve, drawMs));
    return { data: this.#draw() };
  }

  async detach(): Promise<void> {}

  mainFrame(): undefined {}

  /** Chromium sends two frames before it waits for an acknowledgement. */
  #drawIn(ms: number): void {
    setTimeout(() => {
      if (!this.#isWatched) return;
      const metadata = { timestamp: Date.now() / 1_000, deviceWidth: 320, deviceHeight: 180 };
      this.emit("Page.screencastFrame", { data: this.#draw(), metadata, sessionId: this.drawings });
    }, ms);
  }

  #draw(): string {
    this.drawings += 1;
    return Buffer.from(String(this.drawings)).toString("base64");
  }
}

let mode: SamplingMode;
let page: MovingPage;
let capture: Capture;
/** When pictures were stored. */
let storedMs: number[];

beforeEach(async () => {
  vi.useFakeTimers();
  mode = "normal";
  page = new MovingPage();
  storedMs = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all of a page and a context that a capture uses
  const current = page as unknown as Page;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- likewise
  const context = { newCDPSession: async () => page } as unknown as BrowserContext;
  capture = new Capture({
    context,
    activePage: { current, onChange: () => () => {} },
    viewport: { width: 320, height: 180 },
    store: async () => void storedMs.push(performance.now()),
    mode: () => mode,
    queue: new CaptureQueue(),
  });
  // Until it is known that the page moves, and nobody has acted for long.
  await vi.advanceTimersByTimeAsync(20_000);
  storedMs.length = 0;
});
afterEach(() => void vi.useRealTimers());

/** Times between pictures, in milliseconds. */
const gaps = (): number[] => storedMs.slice(1).map((atMs, index) => atMs - (storedMs[index] ?? 0));

describe("an animated page", () => {
  it("is sampled every four seconds without actions, and drawn for nothing else", async () => {
    const { drawings } = page;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(storedMs.length).toBeGreaterThanOrEqual(14);
    expect(new Set(gaps())).toEqual(new Set([4_000 + drawMs]));
    expect(page.drawings - drawings).toBe(storedMs.length);
  });

  it("is sampled every second while it is viewed", async () => {
    mode = "live";
    capture.onActivity();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gaps()[0]).toBe(500 + drawMs);
    expect(new Set(gaps().slice(1))).toEqual(new Set([1_000 + drawMs]));
  });

  it("is sampled when the result of an action is visible, and often for a while", async () => {
    while (storedMs.length === 0) await vi.advanceTimersByTimeAsync(10);
    storedMs.length = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    const actedMs = performance.now();
    capture.onActivity();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(storedMs[0]).toBe(actedMs + 150 + drawMs);
    expect(gaps()).toEqual([1_000, 2_000, 4_000].map((ms) => ms + drawMs));
  });

  it("is captured less often when screenshots are slow", async () => {
    const send = page.send.bind(page);
    const slowMs = 300;
    vi.spyOn(page, "send").mockImplementation(async (method) => {
      if (method === "Page.captureScreenshot") await new Promise((resolve) => setTimeout(resolve, slowMs - drawMs));
      return send(method);
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gaps().at(-1)).toBe(5_000 + slowMs);
  });
});
