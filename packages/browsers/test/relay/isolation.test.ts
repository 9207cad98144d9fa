import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { patient, RawClient, type Relayed } from "./relayed-session.ts";
import type { Site } from "@cloud-browser/testing/site.ts";
import { startTickingPages, type TickingPages } from "./ticking-pages.ts";

let relayed: Relayed;
let site: Site;
let client: RawClient;
let session: string;
let ownTarget: string;
let foreignTarget: string;

let pages: TickingPages;

beforeAll(async () => {
  pages = await startTickingPages();
  ({ relayed, site, client, session, ownTarget, foreignTarget } = pages);
});
afterAll(() => pages?.[Symbol.asyncDispose]());

const contextId = (): string => relayed.own.contextId;
const getForeignPage = () => {
  const [page] = relayed.foreign.context.pages();
  if (!page) throw new Error("the other session has lost its page");
  return page;
};

describe("a page of another session", () => {
  it.each([
    ["Target.getTargetInfo", {}],
    ["Target.attachToTarget", { flatten: true }],
    ["Target.activateTarget", {}],
    ["Target.closeTarget", {}],
    ["Browser.getWindowForTarget", {}],
    ["Target.exposeDevToolsProtocol", {}],
    ["Target.autoAttachRelated", { waitForDebuggerOnStart: true }],
    ["Target.openDevTools", {}],
    ["Target.sendMessageToTarget", { message: "{}" }],
    ["Target.detachFromTarget", {}],
  ])("is answered as one that does not exist: %s", async (method, params) => {
    for (const sessionId of [undefined, session]) {
      const foreign = await client.ask(method, { ...params, targetId: foreignTarget }, sessionId);
      const unknown = await client.ask(method, { ...params, targetId: "0".repeat(32) }, sessionId);
      expect(foreign).toStrictEqual(unknown);
      expect(foreign.error?.message).toMatch(/./u);
    }
    expect(getForeignPage().isClosed()).toBe(false);
  });

  it("is in no list and no event, nor what opens there", async () => {
    await using watcher = await RawClient.open(relayed.url());
    for (const method of ["Target.setDiscoverTargets", "Target.setAutoAttach"]) {
      const params = { discover: true, autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{}] };
      expect(await watcher.ask(method, params)).toStrictEqual({ result: {} });
    }
    const foreign = await relayed.foreign.context.newPage();
    await foreign.goto(`${site.url}/more`);
    const mine = await relayed.own.context.newPage();
    await expect
      .poll(() => watcher.events.filter(({ method }) => method === "Target.targetCreated").length, patient)
      .toBe(5);
    const { result } = await watcher.ask("Target.getTargets", { filter: [{}] });
    const targets = [...result.targetInfos, ...watcher.events.map(({ params }) => params.targetInfo)];
    const contexts = new Set(targets.map((info) => info.browserContextId ?? info.type));
    expect(contexts).toStrictEqual(new Set([contextId(), "browser"]));
    // The watcher asked for targets to wait and resumes none: the other session has loaded its page all the same.
    expect(await foreign.evaluate(() => document.title)).toBe("Ticks");
    await Promise.all([foreign.close(), mine.close()]);
  });

  it("keeps running while clients connect and disconnect", async () => {
    for (let round = 0; round < 10; round += 1) {
      await using visitor = await RawClient.open(relayed.url());
      await visitor.ask("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
      // A page that waits for a debugger does not get here before its visitor has gone.
      expect(await getForeignPage().evaluate(() => new Promise((resolve) => setTimeout(resolve, 0, "on")))).toBe("on");
    }
  });

  it("keeps its cookies and its storage", async () => {
    await relayed.foreign.context.addCookies([{ name: "theirs", value: "1", url: site.url }]);
    await client.ask("Storage.setCookies", { cookies: [{ name: "mine", value: "1", url: site.url }] });
    for (const sessionId of [undefined, session]) {
      const { result } = await client.ask("Storage.getCookies", {}, sessionId);
      expect(result.cookies).toMatchObject([{ name: "mine" }]);
      const foreign = { browserContextId: relayed.foreign.contextId, cookies: [] };
      for (const method of ["Storage.getCookies", "Storage.setCookies", "Storage.clearCookies"]) {
        expect((await client.ask(method, foreign, sessionId)).error).toBeDefined();
      }
    }
    await getForeignPage().evaluate(() => localStorage.setItem("theirs", "1"));
    for (const method of ["Storage.clearDataForOrigin", "Network.clearBrowserCache"]) {
      expect(await client.ask(method, { origin: site.url, storageTypes: "all" }, session)).toMatchObject({
        result: {},
      });
    }
    expect(await getForeignPage().evaluate(() => localStorage.getItem("theirs"))).toBe("1");
    await client.ask("Storage.clearCookies", {}, session);
    await client.ask("Network.clearBrowserCookies", {}, session);
    await client.ask("Storage.clearCookies");
    expect(await relayed.own.context.cookies()).toStrictEqual([]);
    expect(await relayed.foreign.context.cookies()).toMatchObject([{ name: "theirs" }]);
  });

  it("keeps its clipboard: there is no way to paste", async () => {
    await getForeignPage().locator("#text").fill("secret");
    await getForeignPage().locator("#text").press("Control+A");
    await getForeignPage().locator("#text").press("Control+C");
    await client.value("document.querySelector('#text').focus()", session);
    const key = { type: "rawKeyDown" };
    for (const params of [
      { ...key, modifiers: 2, key: "v", code: "KeyV", windowsVirtualKeyCode: 86 },
      { ...key, modifiers: 2, windowsVirtualKeyCode: 86 },
      { ...key, modifiers: 10, key: "V" },
      { ...key, modifiers: 8, windowsVirtualKeyCode: 45 },
      { ...key, commands: ["paste"] },
      { ...key, commands: ["PasteAndMatchStyle"] },
    ]) {
      expect((await client.ask("Input.dispatchKeyEvent", params, session)).error?.message).toMatch(/clipboard/u);
    }
    for (const params of [
      { permissions: ["clipboardReadWrite"] },
      { permission: { name: "clipboard-read" }, setting: "granted" },
    ]) {
      const method = "permissions" in params ? "Browser.grantPermissions" : "Browser.setPermission";
      expect((await client.ask(method, params)).error?.message).toMatch(/permission/u);
    }
    expect(await client.value("document.execCommand('paste')", session)).toBe(false);
    expect(await client.value("document.querySelector('#text').value", session)).toBe("");
  });
});

describe("commands that reach beyond a session are refused", () => {
  it.each([
    "Browser.crash",
    "Browser.crashGpuProcess",
    "Browser.getBrowserCommandLine",
    "Browser.getHistograms",
    "Browser.executeBrowserCommand",
    "SystemInfo.getInfo",
    "SystemInfo.getProcessInfo",
    "Tracing.requestMemoryDump",
    "Tracing.recordClockSyncMarker",
    "Memory.simulatePressureNotification",
    "Memory.getBrowserSamplingProfile",
    "Tethering.bind",
    "Extensions.loadUnpacked",
    "Extensions.getStorageItems",
    "PWA.install",
    "DeviceAccess.enable",
    "Cast.enable",
    "HeadlessExperimental.beginFrame",
    "BluetoothEmulation.enable",
    "FileSystem.getDirectory",
    "Emulation.addScreen",
    "Page.startScreenRecording",
    "Page.crash",
    "Target.createBrowserContext",
    "Target.disposeBrowserContext",
    "Target.setRemoteLocations",
    "Target.exposeDevToolsProtocol",
  ])("%s", async (method) => {
    for (const sessionId of [undefined, session]) {
      const { error } = await client.ask(method, { ignore: true }, sessionId);
      expect(error?.message).toMatch(/session|context/u);
      // Says which command, why, and more than that.
      expect(error?.message.length).toBeGreaterThan(60);
    }
  });

  it.each(["Unheard.of", "nonsense", "__proto__.toString", "Browser.unheardOf", "Target.unheardOf", "Page.unheardOf"])(
    "as one that does not exist, with the code of Chromium: %s",
    async (method) => {
      for (const sessionId of [undefined, session]) {
        const { error } = await client.ask(method, {}, sessionId);
        expect(error).toMatchObject({ code: -32_601, message: expect.stringContaining(`'${method}' wasn't found`) });
      }
    },
  );

  it("but for the extensions that the browser has: none", async () => {
    for (const sessionId of [undefined, session]) {
      expect(await client.ask("Extensions.getExtensions", {}, sessionId)).toMatchObject({ result: { extensions: [] } });
    }
  });

  it("IO and ignored certificates, but on a page", async () => {
    expect((await client.ask("IO.read", { handle: "1" })).error?.message).toMatch(/not available/u);
    const ignore = { ignore: true };
    expect((await client.ask("Security.setIgnoreCertificateErrors", ignore)).error?.message).toMatch(/whole browser/u);
    expect(await client.ask("Security.setIgnoreCertificateErrors", ignore, session)).toMatchObject({ result: {} });
  });

  it("messages that are not in the flat form, which nothing could read", async () => {
    for (const [method, params] of [
      ["Target.attachToTarget", { targetId: ownTarget }],
      ["Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true }],
    ] as const) {
      expect((await client.ask(method, params)).error?.message).toMatch(/flatten/u);
    }
    const onPage = { autoAttach: true, waitForDebuggerOnStart: false };
    expect((await client.ask("Target.setAutoAttach", onPage, session)).error?.message).toMatch(/flatten/u);
  });
});

describe("its own session", () => {
  beforeEach(() => void (relayed.calls.activated.length = 0));

  it("can be acted on, which the service hears of", async () => {
    const before = relayed.calls.actions;
    await client.value("1", session);
    expect(relayed.calls.actions).toBeGreaterThanOrEqual(before);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const now = relayed.calls.actions;
    for (let count = 0; count < 5; count += 1) void client.value("1", session);
    await client.value("1", session);
    expect(relayed.calls.actions).toBeGreaterThan(now);
    expect(relayed.calls.actions).toBeLessThan(now + 6);
    await client.ask("Page.bringToFront", {}, session);
    await client.ask("Target.activateTarget", { targetId: ownTarget });
    expect(relayed.calls.activated).toStrictEqual([ownTarget, ownTarget]);
  });

  it("has a window of its own, and no other one", async () => {
    const { result } = await client.ask("Browser.getWindowForTarget", { targetId: ownTarget });
    expect(await client.ask("Browser.getWindowForTarget", {}, session)).toMatchObject({
      result: { windowId: result.windowId },
    });
    expect(await client.ask("Browser.getWindowBounds", { windowId: result.windowId })).toMatchObject({ result: {} });
    expect((await client.ask("Browser.getWindowBounds", { windowId: result.windowId + 1 })).error).toBeDefined();
  });

  it("opens pages in its context, whatever is asked for", async () => {
    for (const params of [{}, { browserContextId: contextId() }]) {
      const { result } = await client.ask("Target.createTarget", { url: "about:blank", ...params });
      const { result: info } = await client.ask("Target.getTargetInfo", { targetId: result.targetId });
      expect(info.targetInfo.browserContextId).toBe(contextId());
      await client.ask("Target.closeTarget", { targetId: result.targetId });
    }
    const foreign = { url: "about:blank", browserContextId: relayed.foreign.contextId };
    expect((await client.ask("Target.createTarget", foreign)).error).toBeDefined();
  });

  it("ends when the client closes the browser, which lives on", async () => {
    const { closes } = relayed.calls;
    expect(await client.ask("Browser.close")).toStrictEqual({ result: {} });
    expect(relayed.calls.closes).toBe(closes + 1);
    expect(await getForeignPage().evaluate(() => document.title)).toBe("Ticks");
  });
});
