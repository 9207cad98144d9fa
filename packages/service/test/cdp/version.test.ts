import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
let session: SessionView;
let other: SessionView;
beforeAll(async () => {
  running = await startTestService();
  [session, other] = [await running.open(), await running.open()];
});
afterAll(async () => running?.[Symbol.asyncDispose]());

const readWebSocket = (one: SessionView): string => one.cdp_url ?? "";
/** The address of a session, as one of http. */
const getAddress = (one: SessionView): string => readWebSocket(one).replace(/^ws/, "http");
const below = (address: string, path: string): string => {
  const url = new URL(address);
  url.pathname += path;
  return url.href;
};
const getToken = (one: SessionView): string => new URL(getAddress(one)).search;

describe("a driver that has an address of http finds the WebSocket", () => {
  it.each([
    ["below of it", () => below(getAddress(session), "/json/version")],
    ["below of it, with a slash", () => below(getAddress(session), "/json/version/")],
    ["behind its token, as old versions of Playwright write it", () => `${getAddress(session)}/json/version/`],
    ["at the root of the service, by the token", () => `${running.service.url}/json/version${getToken(session)}`],
    ["at the root, with a slash", () => `${running.service.url}/json/version/${getToken(session)}`],
  ])("%s", async (_, address) => {
    const response = await fetch(address());
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toStrictEqual({
      Browser: expect.stringMatching(/^Chrome\/\d+\./u),
      "Protocol-Version": "1.3",
      webSocketDebuggerUrl: readWebSocket(session),
    });
  });

  it("by the API key", async () => {
    const address = below(getAddress(session), "/json/version");
    const headers = { authorization: `Bearer ${running.service.apiKey}` };
    const response = await fetch(address.replace(/\?.*/u, ""), { headers });
    expect(await readAnswer<object>(response)).toMatchObject({ webSocketDebuggerUrl: readWebSocket(session) });
  });

  it("with Playwright", async () => {
    const browser = await chromium.connectOverCDP(getAddress(session));
    expect(browser.contexts()).toHaveLength(1);
    await browser.close();
  });
});

describe("nobody else does", () => {
  it.each([
    ["without a token", () => below(getAddress(session), "/json/version").replace(/\?.*/u, "")],
    [
      "with that of another session",
      () => below(getAddress(session), "/json/version").replace(/\?.*/u, getToken(other)),
    ],
    ["with one that is none", () => `${running.service.url}/json/version?token=x`],
    ["at the root without one", () => `${running.service.url}/json/version`],
    ["at the root with the API key, which fits any session", () => `${running.service.url}/json/version`, true],
  ])("%s", async (_, address, withKey = false) => {
    const headers: Record<string, string> = withKey ? { authorization: `Bearer ${running.service.apiKey}` } : {};
    const response = await fetch(address(), { headers });
    expect(response.status).toBe(401);
    expect(await response.text()).not.toContain("ws://");
  });

  it("when the session has ended", async () => {
    const ended = await running.open();
    await running.end(ended.session_id);
    expect((await fetch(below(getAddress(ended), "/json/version"))).status).toBe(409);
    expect((await fetch(`${running.service.url}/json/version${getToken(ended)}`)).status).toBe(409);
  });
});

it.each([
  ["with the token", () => getAddress(session)],
  ["without one", () => getAddress(session).replace(/\?.*/u, "")],
  ["of a session that is not there", () => `${running.service.url}/control/sessions/none/cdp`],
])("a plain GET of the WebSocket %s explains how to connect", async (_, address) => {
  const response = await fetch(address());
  expect(response.status).toBe(426);
  expect(response.headers.get("upgrade")).toBe("websocket");
  expect(await response.text()).toMatch(/connectOverCDP\(cdp_url\)/u);
});
