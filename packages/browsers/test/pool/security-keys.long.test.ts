import { chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startRelayed, type Relayed } from "../relay/relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

vi.setConfig({ testTimeout: 60_000 });

let relayed: Relayed;
let site: Site;
/** Of a context that a client drives. */
let page: Page;
beforeAll(async () => {
  [relayed, site] = await Promise.all([startRelayed(), startSite({ "/": "<title>Sign in</title>" })]);
  page = await relayed.own.context.newPage();
  // Only pages of secure origins may ask; by this name it is one.
  await page.goto(`${site.url.replace("127.0.0.1", "localhost")}/`);
});
afterAll(async () => {
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

/** Runs in the page: asks for a new key, and for one that there may be. What came of it; without a key a browser waits for one. */
async function askForKeys(): Promise<string[]> {
  const challenge = new Uint8Array(16);
  const id = new Uint8Array(8);
  const creation = navigator.credentials.create({
    publicKey: {
      challenge,
      rp: { name: "Ferries" },
      user: { id, name: "ada", displayName: "Ada" },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    },
    signal: AbortSignal.timeout(1_500),
  });
  const first = await creation.then(String, (error: Error) => error.name);
  const request = navigator.credentials.get({
    publicKey: { challenge, allowCredentials: [{ type: "public-key", id }] },
    signal: AbortSignal.timeout(1_500),
  });
  return [first, await request.then(String, (error: Error) => error.name)];
}

/** The browser that looks for a key ends of it: then nothing is answered. */
const none = ["TimeoutError", "TimeoutError"];

test("a page that asks for a security key waits for one that never comes", async () => {
  expect(await page.evaluate(askForKeys)).toEqual(none);
});

test("so does a popup", async () => {
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate(() => void window.open("/"))]);
  await popup.waitForLoadState();
  expect(await popup.evaluate(askForKeys)).toEqual(none);
});

test("so does a page with which a session of the service has ended", async () => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.detach();
  expect(await page.evaluate(askForKeys)).toEqual(none);
});

test("so does a page after a CDP session with it has ended, or its client has disconnected", async () => {
  const client = await chromium.connectOverCDP(relayed.url());
  const [driven] = client.contexts()[0]?.pages() ?? [];
  if (!driven) throw new Error("the client sees no page");
  const devtools = await driven.context().newCDPSession(driven);
  await devtools.detach();
  expect(await driven.evaluate(askForKeys)).toEqual(none);
  await client.close();
  expect(await page.evaluate(askForKeys)).toEqual(none);
});

test("a virtual authenticator of a client is found", async () => {
  const client = await chromium.connectOverCDP(relayed.url());
  const [driven] = client.contexts()[0]?.pages() ?? [];
  if (!driven) throw new Error("the client sees no page");
  const devtools = await driven.context().newCDPSession(driven);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: { protocol: "ctap2", transport: "usb", automaticPresenceSimulation: true },
  });
  expect((await driven.evaluate(askForKeys))[0]).toBe("[object PublicKeyCredential]");
  await client.close();
});
