import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type CDPSession, type Page } from "playwright-core";
import { connect } from "puppeteer-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Replay } from "@cloud-browser/recorder";
import { readColors } from "../../../recorder/test/recording/video.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let running: TestService;
beforeAll(async () => void (running = await startTestService()));
afterAll(() => running[Symbol.asyncDispose]());

const viewport = { width: 640, height: 360 };
/** All that the viewport shows in its middle is red; what lies below is lime, and a corner is blue. */
const html = `<style>body { margin: 0; background: lime } #top { height: 360px; background: red } #corner { width: 60px;
  height: 40px; background: blue } #below { height: 9000px } #last { height: 200px; background: yellow }</style>
  <div id="top"><div id="corner"></div></div><div id="below"></div><div id="last"></div>`;

const metrics = { ...viewport, deviceScaleFactor: 1, mobile: false };
const whole = { x: 0, y: 0, width: 640, height: 9_560, scale: 1 };

it.each<[string, (page: Page, devtools: CDPSession, cdpUrl: string) => Promise<unknown>]>([
  ["Playwright of a full page", (page) => page.screenshot({ fullPage: true })],
  ["Playwright of what shows", (page) => page.screenshot()],
  ["Playwright of an element", (page) => page.locator("#corner").screenshot()],
  [
    "Puppeteer of a full page",
    async (_page, _devtools, cdpUrl) => {
      const browser = await connect({ browserWSEndpoint: cdpUrl, defaultViewport: null });
      const [page] = await browser.pages();
      await page?.screenshot({ fullPage: true });
      await browser.disconnect();
    },
  ],
  [
    "DevTools beyond the viewport",
    (_, devtools) => devtools.send("Page.captureScreenshot", { captureBeyondViewport: true }),
  ],
  [
    "DevTools of a full page, as a clip",
    (_, devtools) => devtools.send("Page.captureScreenshot", { captureBeyondViewport: true, clip: whole }),
  ],
  [
    "DevTools of a part as large as the viewport",
    (_, devtools) =>
      devtools.send("Page.captureScreenshot", {
        captureBeyondViewport: true,
        clip: { ...whole, y: 3_000, height: 360 },
      }),
  ],
  [
    "DevTools of a small part, enlarged",
    (_, devtools) => devtools.send("Page.captureScreenshot", { clip: { x: 0, y: 0, width: 60, height: 40, scale: 2 } }),
  ],
  ["DevTools not from the surface", (_, devtools) => devtools.send("Page.captureScreenshot", { fromSurface: false })],
  ["DevTools as a PDF", (_, devtools) => devtools.send("Page.printToPDF")],
  [
    "DevTools in a viewport as large as the page, and back",
    async (_, devtools) => {
      await devtools.send("Emulation.setDeviceMetricsOverride", { ...metrics, height: 9_560 });
      await devtools.send("Page.captureScreenshot");
      await devtools.send("Emulation.setDeviceMetricsOverride", metrics);
    },
  ],
  [
    "DevTools in a viewport as large as a long page, which takes a second to be drawn, and back",
    async (_, devtools) => {
      await devtools.send("Emulation.setDeviceMetricsOverride", { ...metrics, height: 12_000 });
      await sleep(1_000);
      await devtools.send("Page.captureScreenshot");
      await devtools.send("Emulation.setDeviceMetricsOverride", metrics);
    },
  ],
])("a screenshot by a client does not show in the replay, and what follows does: %s", async (_, take) => {
  const { session_id: id, cdp_url: cdpUrl } = await running.open({ viewport });
  const browser = await chromium.connectOverCDP(cdpUrl ?? "");
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("A session has a page.");
  const devtools = await page.context().newCDPSession(page);
  await page.setContent(html);
  // Long enough for the recording to have seen it: what is judged is what is seen from then on.
  await sleep(1_500);
  for (let times = 0; times < 3; times += 1) {
    await take(page, devtools, cdpUrl ?? "");
    await sleep(300);
  }
  await sleep(500);
  await page.locator("#top").evaluate((top) => top.setAttribute("style", "background: blue"));
  await sleep(1_500);
  await browser.close();
  await running.end(id);
  const replay = await vi.waitFor(
    async () => {
      const response = await running.ask("GET", `/sessions/${id}/replay`);
      expect(response.status).toBe(200);
      return readAnswer<Replay>(response);
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(replay.video_duration_ms).toBeGreaterThan(4_000);
  const shownColors = await readColors(join(running.data, "recordings", id, "replay", "replay.mp4"));
  const inOrder = shownColors.filter((color, index) => color !== shownColors[index - 1]);
  // Before its page was there, the screen was white.
  expect(inOrder.filter((color, index) => index > 0 || color !== "white")).toEqual(["red", "blue"]);
});
