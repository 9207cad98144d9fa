import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findChromium } from "../../src/chromium/chromium-binary.ts";
import { type ChromiumProcess, startChromium } from "../../src/chromium/chromium-process.ts";
import { EgressProxy, type RefusedRequest } from "../../src/proxy/egress-proxy.ts";
import { startCanary, type Canary } from "./canary.ts";
import { vectors } from "./vectors.ts";

/** Fetches what a page tells it to, and says so. */
const serviceWorker = `
  self.addEventListener("install", () => self.skipWaiting());
  self.addEventListener("activate", (event) => event.waitUntil(clients.claim()));
  self.addEventListener("message", (event) => event.waitUntil(
    fetch(event.data, { mode: "no-cors" }).catch(() => 0).then(() => event.source.postMessage("done"))));
`;

let site: Canary;
/** Its address and port are on the operator's list. */
let allowed: Canary;
/** Its address is the same, its port another. */
let secret: Canary;
let guard: EgressProxy;
let process: ChromiumProcess;
let browser: Browser;
let context: BrowserContext;
/** A new one for each test. */
let page: Page;
const refusals: RefusedRequest[] = [];
const lookups: string[] = [];

beforeAll(async () => {
  [site, allowed, secret] = await Promise.all([startCanary({ "/sw.js": serviceWorker }), startCanary(), startCanary()]);
  guard = await EgressProxy.start({
    allow: [`localhost:${site.port}`, `127.0.0.2:${site.port}`, `127.0.0.1:${allowed.port}`],
    limits: { ttlMs: 0 },
    onRefused: (one) => refusals.push(one),
    resolve: async (name) => {
      lookups.push(name);
      if (name === "both.test") return ["127.0.0.1", "::1", "127.0.0.2"];
      if (name === "rebind.test") return [lookups.filter((one) => one === name).length > 1 ? "127.0.0.1" : "127.0.0.2"];
      if (name === "inside.test") return ["127.0.0.1"];
      throw new Error("ENOTFOUND");
    },
  });
  process = await startChromium({
    binary: await findChromium(),
    proxyServer: guard.proxyServer,
    renameError: (url, reported) => guard.renameError(url, reported),
  });
  browser = await chromium.connectOverCDP(process.devtools.driver, { isLocal: true });
  context = await browser.newContext();
});

beforeEach(async () => {
  page = await context.newPage();
});

afterEach(async () => {
  for (const open of context.pages()) await open.close();
});

afterAll(async () => {
  await browser?.close();
  await process?.end();
  await guard?.close();
  for (const canary of [site, allowed, secret]) await canary?.[Symbol.asyncDispose]();
});

const home = (): string => `http://localhost:${site.port}/`;
/** Waits until it is true, or fails at the end of the test's time. */
const until = async (isTrue: () => boolean): Promise<void> => expect.poll(isTrue, { timeout: 60_000 }).toBe(true);
const countRefusals = (port: number): number => refusals.filter((one) => one.port === port).length;

describe.each(vectors)("$name of a page", ({ name, act, goesThroughProxy, reaches }) => {
  test("reaches a listed port, and no other of the same address", async () => {
    const word = name.replaceAll(" ", "-");
    await page.goto(home());
    const [allowedBefore, refusedBefore] = [allowed.paths.length, countRefusals(secret.port)];
    allowed.takeTouches();
    await page.evaluate(act(`127.0.0.1:${secret.port}`, word));
    if (goesThroughProxy) await until(() => countRefusals(secret.port) > refusedBefore);
    expect(secret.takeTouches()).toBe(0);

    const another = await context.newPage();
    await another.goto(home());
    await another.evaluate(act(`127.0.0.1:${allowed.port}`, word));
    const hasReached = {
      path: () => allowed.paths.slice(allowedBefore).some((path) => path.includes(word)),
      port: () => allowed.takeTouches() > 0,
      nothing: () => allowed.takeTouches() === 0,
      "what it likes": () => true,
    };
    await until(hasReached[reaches]);
    expect(secret.takeTouches()).toBe(0);
  });
});

describe("a page that is sent on to a refused address", () => {
  interface Way {
    readonly way: string;
    /** Of the page, on the site. */
    readonly path?: (to: string) => string;
    /** Run by the page. */
    readonly script?: (to: string) => string;
  }
  const ways: readonly Way[] = [
    ...[301, 302, 303, 307, 308].map((status) => ({
      way: `with ${status}`,
      path: (to: string) => `redirect/${status}?${encodeURIComponent(to)}`,
    })),
    { way: "by a script", script: (to) => `void setTimeout(() => location.assign("${to}"))` },
    {
      way: "by a meta element",
      script: (to) => `document.write('<meta http-equiv="refresh" content="0;url=${to}">'), document.close()`,
    },
    {
      way: "by a form",
      script: (to) => `document.body.innerHTML = '<form method="post" action="${to}">', document.forms[0].submit()`,
    },
  ];
  test.each(ways)("$way is an error of the network, and does not reach the canary", async ({ path, script }) => {
    const to = `http://127.0.0.1:${secret.port}/sent`;
    const failed = page.waitForEvent("requestfailed", (request) => request.url() === to);
    await page.goto(home() + (path?.(to) ?? "")).catch(() => undefined);
    if (script !== undefined) await page.evaluate(script(to));
    expect((await failed).failure()?.errorText).toBe("net::ERR_BLOCKED_BY_ADMINISTRATOR");
    expect(refusals.at(-1)).toMatchObject({ reason: "not-global" });
    expect(secret.takeTouches()).toBe(0);
  });

  test.each([301, 307])("with %d inside of a fetch gets nothing", async (status) => {
    const before = countRefusals(secret.port);
    await page.goto(home());
    const to = encodeURIComponent(`http://127.0.0.1:${secret.port}/`);
    await page.evaluate(`fetch("/redirect/${status}?${to}", { mode: "no-cors" }).catch(() => 0).then(() => 0)`);
    expect(countRefusals(secret.port)).toBe(before + 1);
    expect(secret.takeTouches()).toBe(0);
  });
});

describe("a way to write a refused address", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.2",
    "0.0.0.0",
    "0",
    "localhost",
    "localhost.",
    "a.localhost",
    "inside.test",
    "both.test",
    "１２７.0.0.1",
    "127。0。0。1",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::1]",
    "169.254.169.254",
    "[fd00:ec2::254]",
  ])("%s is refused", async (host) => {
    await page.goto("about:blank");
    const before = countRefusals(secret.port);
    await expect(page.goto(`http://${host}:${secret.port}/`)).rejects.toThrow("net::ERR_");
    expect(countRefusals(secret.port)).toBeGreaterThan(before);
    expect(secret.takeTouches()).toBe(0);
  });
});

describe("a name whose address changes under a page", () => {
  test("is connected to at the checked address only", async () => {
    const url = `http://rebind.test:${site.port}/`;
    const response = await page.goto(url);
    expect(response?.status()).toBe(200);
    const before = site.paths.length;
    const again = await page.evaluate(`fetch("/again", { cache: "no-store" }).catch((error) => error.name)`);
    expect({ again, refused: refusals.at(-1) }).toEqual({
      again: "TypeError",
      refused: { host: "rebind.test", port: site.port, reason: "not-global" },
    });
    expect(site.paths.slice(before)).toEqual([]);
    expect(lookups.filter((one) => one === "rebind.test").length).toBeGreaterThan(1);
  });
});

test("a browser context of its own has no other way out", async () => {
  const another = await browser.newContext();
  const own = await another.newPage();
  await expect(own.goto(`http://127.0.0.1:${secret.port}/`)).rejects.toThrow("net::ERR_BLOCKED_BY_ADMINISTRATOR");
  await expect(own.goto(`${guard.proxyServer}/`)).rejects.toThrow("net::ERR_BLOCKED_BY_ADMINISTRATOR");
  await another.close();
  expect(secret.takeTouches()).toBe(0);
});
