import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RawClient, startRelayed, type Relayed } from "./relayed-session.ts";

let relayed: Relayed;
beforeAll(async () => {
  relayed = await startRelayed();
  await relayed.own.context.newPage();
});
afterAll(async () => relayed?.[Symbol.asyncDispose]());

const metrics = "Emulation.setDeviceMetricsOverride";
const usual = { width: 1_280, height: 720, deviceScaleFactor: 1, mobile: false };

describe("a page, a window or a screenshot that is too large", () => {
  it.each<[method: string, params: object]>([
    [metrics, { ...usual, width: 10_000, height: 10_000, deviceScaleFactor: 4 }],
    [metrics, { ...usual, deviceScaleFactor: 50 }],
    [metrics, { ...usual, width: 0, height: 5_000_000 }],
    [metrics, { ...usual, width: 0, height: 0, deviceScaleFactor: 60 }],
    [metrics, { ...usual, width: 10, height: 10_000_000 }],
    [metrics, { ...usual, viewport: { x: 0, y: 0, width: 100_000, height: 100_000, scale: 1 } }],
    [metrics, { ...usual, viewport: { x: 0, y: 0, width: 1, height: 1, scale: 1_000_000 } }],
    [metrics, { ...usual, deviceScaleFactor: 10, viewport: { x: 0, y: 0, width: 8_000, height: 8_000, scale: 1 } }],
    ["Emulation.setVisibleSize", { width: 50_000, height: 50_000 }],
    ["Emulation.setVisibleSize", { width: 10_000_000, height: 10 }],
    ["Page.captureScreenshot", { clip: { x: 0, y: 0, width: 1_000, height: 1_000, scale: 100 } }],
    ["Page.captureScreenshot", { clip: { x: 0, y: 0, width: 50_000, height: 50_000, scale: 1 } }],
    ["Browser.setWindowBounds", { windowId: 1, bounds: { width: 50_000, height: 50_000 } }],
    ["Browser.setContentsSize", { windowId: 1, width: 50_000, height: 50_000 }],
    ["Target.createTarget", { url: "about:blank", newWindow: true, width: 50_000, height: 50_000 }],
  ])("is refused, and the browser and its sessions continue: %s %j", async (method, params) => {
    await using client = await RawClient.open(relayed.url());
    const session = await client.attach();
    // So that its number is one of the client's.
    await client.ask("Browser.getWindowForTarget", {}, session);
    const isForBrowser = /^(?:Browser|Target)\./u.test(method);
    const answer = await client.ask(method, params, isForBrowser ? undefined : session);
    expect(answer.error?.message).toMatch(/Size too large/u);
    expect(await client.value("1 + 1", session)).toBe(2);
  });
});

it.each<[method: string, params: object]>([
  [metrics, { ...usual, width: 430, height: 932, deviceScaleFactor: 3, mobile: true }],
  [metrics, { ...usual, width: 0, height: 0, deviceScaleFactor: 0 }],
  [metrics, { ...usual, width: 0, height: 0, deviceScaleFactor: 5 }],
  [metrics, { ...usual, viewport: { x: 0, y: 0, width: 800, height: 600, scale: 2 } }],
  [
    "Page.captureScreenshot",
    { clip: { x: 0, y: 0, width: 100, height: 100_000, scale: 1 }, captureBeyondViewport: true },
  ],
  [
    "Page.captureScreenshot",
    { clip: { x: 0, y: 0, width: 1_280, height: 20_000, scale: 1 }, captureBeyondViewport: true },
  ],
])("an ordinary size is accepted: %s %j", async (method, params) => {
  await using client = await RawClient.open(relayed.url());
  const session = await client.attach();
  expect(await client.ask(method, params, session)).toHaveProperty("result");
  await client.ask("Emulation.clearDeviceMetricsOverride", {}, session);
});
