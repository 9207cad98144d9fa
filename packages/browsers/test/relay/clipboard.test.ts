import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { patient, RawClient, startRelayed, readTargetId, type Relayed } from "./relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

const editor = `<title>Editor</title><textarea id=text style="position:absolute;left:0;top:0;width:300px;height:100px"></textarea>
  <a href="/more" style="position:absolute;left:0;top:200px">more</a>
  <script>pasted = 0; heard = []; addEventListener("paste", () => pasted++, true);
  for (const type of ["mousedown", "mouseup", "auxclick"]) addEventListener(type, ({ button }) => heard.push(type + button))</script>`;

let relayed: Relayed;
let site: Site;
let client: RawClient;
let session: string;
let foreignPage: Page;

beforeAll(async () => {
  const pages = { "/": editor, "/more": editor };
  [relayed, site] = await Promise.all([startRelayed(), startSite(pages)]);
  await (await relayed.own.context.newPage()).goto(site.url);
  foreignPage = await relayed.foreign.context.newPage();
  await foreignPage.goto(site.url);
  client = await RawClient.open(relayed.url());
  session = await client.attach(await readTargetId(relayed.own));
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** The other session selects a secret, as people do, and copies it. */
async function prepare(): Promise<void> {
  await foreignPage.locator("#text").fill("secret");
  await foreignPage.locator("#text").press("Control+A");
  await foreignPage.locator("#text").press("Control+C");
  await client.ask("Page.navigate", { url: site.url }, session);
  await vi.waitFor(async () => {
    if ((await client.value("document.title + pasted", session)) !== "Editor0") throw new Error("not loaded");
  }, patient);
  await client.value("document.querySelector('#text').focus()", session);
}

async function click(button: string, x: number, y: number): Promise<void> {
  for (const type of ["mousePressed", "mouseReleased"]) {
    expect(await client.ask("Input.dispatchMouseEvent", { type, x, y, button, clickCount: 1 }, session)).toMatchObject({
      result: {},
    });
  }
}
const readOwnText = async (): Promise<unknown> =>
  client.value("document.querySelector('#text').value + pasted", session);

describe("the middle button", () => {
  beforeEach(prepare);

  it("is pressed and released in an editor, which gets nothing of what another session has selected", async () => {
    await click("middle", 20, 20);
    expect(await client.value("heard.join()", session)).toBe("mousedown1,mouseup1,auxclick1");
    expect(await client.value("document.activeElement.id", session)).toBe("text");
    expect(await readOwnText()).toBe("0");
  });

  it.each([
    ["Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 1 }],
    ["Emulation.setEmitTouchEventsForMouse", { enabled: false }],
    ["Emulation.setEmulatedMedia", { media: "print" }],
    ["Emulation.setDeviceMetricsOverride", { width: 800, height: 600, deviceScaleFactor: 1, mobile: true }],
    ["Emulation.setAutoDarkModeOverride", { enabled: true }],
    ["Page.setFontSizes", { fontSizes: { standard: 20 } }],
    ["Page.setBypassCSP", { enabled: true }],
  ])("pastes nothing after %s either", async (method, params) => {
    expect(await client.ask(method, params, session)).toMatchObject({ result: {} });
    await click("middle", 20, 20);
    expect(await readOwnText()).toBe("0");
  });

  it("pastes nothing in a frame of another site", async () => {
    const url = `${site.url.replace("127.0.0.1", "localhost")}/`;
    await client.value(`document.body.innerHTML = "<iframe src='${url}' width=600 height=400></iframe>"`, session);
    const frame = () =>
      relayed.own.context
        .pages()[0]
        ?.frames()
        .find((one) => one.url() === url);
    await expect.poll(async () => frame()?.evaluate("document.title"), patient).toBe("Editor");
    await click("middle", 30, 30);
    await expect.poll(async () => frame()?.evaluate("heard.length"), patient).toBe(3);
    expect(await frame()?.evaluate("document.querySelector('#text').value + pasted")).toBe("0");
  });

  it("opens a link in a new page, which the client and the driver see", async () => {
    const url = `${site.url}/more`;
    const driver = relayed.own.context.waitForEvent("page");
    await client.ask("Target.setDiscoverTargets", { discover: true });
    const change = client.waitForEvent("Target.targetInfoChanged", ({ targetInfo }) => targetInfo.url === url);
    await click("middle", 10, 205);
    const { targetInfo } = (await change).params;
    expect(targetInfo).toMatchObject({ type: "page" });
    await (await driver).waitForURL(url);
    await client.ask("Target.closeTarget", { targetId: targetInfo.targetId });
  });
});

describe("a key", () => {
  beforeEach(prepare);

  const shiftInNumber = 2 ** 16;
  it.each([
    { key: "Paste" },
    { key: "Paste", code: "Paste" },
    { code: "Paste" },
    { key: "Copy" },
    { key: "Cut" },
    { modifiers: 2, windowsVirtualKeyCode: 86 + shiftInNumber },
    { windowsVirtualKeyCode: 45 + shiftInNumber },
    { windowsVirtualKeyCode: 45 - shiftInNumber },
    { modifiers: -14, windowsVirtualKeyCode: 86 },
    { modifiers: 8, key: "Insert" },
    { commands: ["PasteGlobalSelection"] },
  ])("that pastes is refused: %j", async (params) => {
    const { error } = await client.ask("Input.dispatchKeyEvent", { type: "rawKeyDown", ...params }, session);
    expect(error?.message).toMatch(/clipboard/u);
    expect(await readOwnText()).toBe("0");
  });

  it("that does not is pressed", async () => {
    for (const params of [
      { type: "rawKeyDown", modifiers: 2, key: "a", code: "KeyA", windowsVirtualKeyCode: 65 },
      { type: "keyDown", key: "v", code: "KeyV", windowsVirtualKeyCode: 86, text: "v" },
      { type: "rawKeyDown", key: "Insert", code: "Insert", windowsVirtualKeyCode: 45 },
    ]) {
      expect(await client.ask("Input.dispatchKeyEvent", params, session)).toMatchObject({ result: {} });
    }
    expect(await readOwnText()).toBe("v0");
  });
});

describe("the permission", () => {
  beforeAll(prepare);

  it.each([
    [{ name: "clipboard-write", allowWithoutSanitization: true }],
    [{ name: "clipboard-write", allowWithoutSanitization: 1 }],
    [{ name: "clipboard-write", allowWithoutGesture: true }],
    [{ name: "clipboard-write", somethingNew: true }],
    [{ name: "clipboard-read" }],
    [{ name: "clipboard-read", allowWithoutSanitization: false }],
  ])("to read the clipboard is not given: %j", async (permission) => {
    const { error } = await client.ask("Browser.setPermission", { permission, setting: "granted" });
    expect(error?.message).toMatch(/is not granted/u);
    const script = "navigator.clipboard.readText().then((text) => text, () => 'refused')";
    expect(await client.value(script, session)).toBe("refused");
  });

  it.each([["clipboardReadWrite"], ["clipboard-read"], ["clipboard-read-write"]])(
    "named in a list is not given: %s",
    async (name) => {
      for (const permissions of [[name], ["clipboardSanitizedWrite", name]]) {
        expect((await client.ask("Browser.grantPermissions", { permissions })).error?.message).toMatch(/not granted/u);
      }
    },
  );

  it("to write to it is given, and what other descriptions say is no harm", async () => {
    for (const permission of [
      { name: "clipboard-write" },
      { name: "clipboard-write", allowWithoutSanitization: false },
      { name: "push", userVisibleOnly: true },
      { name: "geolocation", panTiltZoom: true, sysex: true },
    ]) {
      expect(await client.ask("Browser.setPermission", { permission, setting: "granted" })).toMatchObject({
        result: {},
      });
    }
    const permissions = ["clipboardSanitizedWrite", "geolocation"];
    expect(await client.ask("Browser.grantPermissions", { permissions })).toMatchObject({ result: {} });
    expect(await client.ask("Browser.resetPermissions")).toMatchObject({ result: {} });
  });
});
