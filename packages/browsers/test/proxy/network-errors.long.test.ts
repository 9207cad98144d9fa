import { createServer as createTlsServer } from "node:https";
import { type Socket } from "node:net";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findChromium } from "../../src/chromium/chromium-binary.ts";
import { type ChromiumProcess, startChromium } from "../../src/chromium/chromium-process.ts";
import { EgressProxy } from "../../src/proxy/egress-proxy.ts";
import { listen, serve, serveRaw } from "./servers.ts";

let guard: EgressProxy;
let local: ChromiumProcess;
let guarded: ChromiumProcess;
let browsers: { readonly local: Browser; readonly guarded: Browser };

beforeAll(async () => {
  guard = await EgressProxy.start({
    allow: ["127.0.0.1"],
    limits: { idleMs: 60_000 },
    resolve: async (name) => {
      if (name === "inside.test") return ["10.0.0.1"];
      throw new Error("ENOTFOUND");
    },
  });
  const binary = await findChromium();
  [local, guarded] = await Promise.all([
    startChromium({ binary }),
    startChromium({
      binary,
      proxyServer: guard.proxyServer,
      renameError: (url, reported) => guard.renameError(url, reported),
    }),
  ]);
  browsers = { local: await connect(local), guarded: await connect(guarded) };
}, 60_000);

afterAll(async () => {
  for (const browser of Object.values(browsers ?? {})) await browser.close();
  await Promise.all([local?.end(), guarded?.end()]);
  await guard?.close();
});

const connect = async (to: ChromiumProcess): Promise<Browser> =>
  chromium.connectOverCDP(to.devtools.driver, { isLocal: true });

const readError = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => /net::ERR_\w+/.exec(String(error))?.[0] ?? String(error),
  );

/** Reads the errors that a page and its client learn of an address: opened, fetched, as an image, and as a WebSocket. */
async function readErrors(browser: Browser, address: string, home: string): Promise<unknown> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const opened = await readError(page.goto(address));
    const client = await context.newPage();
    await client.goto(home);
    const failed: string[] = [];
    client.on("requestfailed", (request) => failed.push(`${request.resourceType()} ${request.failure()?.errorText}`));
    const readLog = collectErrors(client);
    const socket = client.waitForEvent("websocket").then((one) => one.waitForEvent("socketerror"));
    const fetched = await client.evaluate(`fetch(${JSON.stringify(address)}, { mode: "no-cors" }).catch(String)`);
    await client.evaluate(
      `new Promise((resolve) => { new WebSocket(${JSON.stringify(address.replace("http", "ws"))}).onerror = resolve; }).then(() => 0)`,
    );
    return {
      opened,
      fetched,
      failed,
      socket: await socket,
      log: readLog(),
      reason: await readPauseReason(client, address),
    };
  } finally {
    await context.close();
  }
}

/** Reads the reason that the domain Fetch gives for a response that did not come. */
async function readPauseReason(page: Page, address: string): Promise<unknown> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Fetch.enable", { patterns: [{ requestStage: "Response" }] });
  const reason = new Promise((resolve) => {
    devtools.once("Fetch.requestPaused", ({ responseErrorReason }) => resolve(responseErrorReason));
  });
  await page.evaluate(`void fetch(${JSON.stringify(address)}, { mode: "no-cors" }).catch(String)`);
  return reason;
}

/** Collects the errors in the log of a page, without the addresses. */
function collectErrors(page: Page): () => readonly string[] {
  const names: string[] = [];
  page.on("console", (message) => {
    const name = /net::ERR_\w+/.exec(message.text())?.[0];
    if (name !== undefined) names.push(name);
  });
  return () => names.toSorted();
}

const findFreeAddress = async (): Promise<string> => {
  const server = createTlsServer();
  const port = await listen(server, "127.0.0.1");
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
};
const serveEach = (listener: (socket: Socket) => void) => async (): Promise<string> =>
  `127.0.0.1:${await serveRaw((socket) => void socket.once("data", () => listener(socket)))}`;

test.each<readonly [what: string, address: () => Promise<string>]>([
  ["a host that has no address", async () => "http://no-such-host.invalid/"],
  ["a host that has no address, with TLS", async () => "https://no-such-host.invalid/"],
  ["a port where nothing listens", async () => `http://${await findFreeAddress()}/`],
  ["a port where nothing listens, with TLS", async () => `https://${await findFreeAddress()}/`],
  ["a site that closes the connection", async () => `http://${await serveEach((socket) => socket.destroy())()}/`],
  [
    "a site that resets the connection",
    async () => `http://${await serveEach((socket) => socket.resetAndDestroy())()}/`,
  ],
  ["a site that is no web site", async () => `http://${await serveEach((socket) => socket.end("220 mail\r\n"))()}/`],
  ["a site that has no TLS", async () => `https://${await serveEach((socket) => socket.end("220 mail\r\n"))()}/`],
  ["a site that closes within TLS", async () => `https://${await serveEach((socket) => socket.destroy())()}/`],
  ["a site that resets within TLS", async () => `https://${await serveEach((socket) => socket.resetAndDestroy())()}/`],
  [
    "a site with two lengths",
    async () =>
      `http://${await serveEach((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"))()}/`,
  ],
  [
    "a site with headers of 300 KB",
    async () =>
      `http://${await serveEach((socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(300_000)}\r\n\r\n`))()}/`,
  ],
])("%s is the error of a local Chromium, for all that report it", async (_what, address) => {
  const home = `http://127.0.0.1:${await serve((_request, response) => response.setHeader("content-type", "text/html").end("<p>home"))}/`;
  const to = await address();
  const [expected, errors] = [await readErrors(browsers.local, to, home), await readErrors(browsers.guarded, to, home)];
  expect(errors).toEqual(expected);
  expect(JSON.stringify(errors)).not.toContain("no error");
});

test.each(["http://10.0.0.1/", "https://10.0.0.1/", "http://inside.test/", "https://inside.test/"])(
  "a blocked address (%s) is an error that says so, for all that report it",
  async (address) => {
    const home = `http://127.0.0.1:${await serve((_request, response) => response.setHeader("content-type", "text/html").end("<p>home"))}/`;
    const name = "net::ERR_BLOCKED_BY_ADMINISTRATOR";
    expect(await readErrors(browsers.guarded, address, home)).toEqual({
      opened: name,
      fetched: "TypeError: Failed to fetch",
      failed: [`fetch ${name}`],
      socket: `Error in connection establishment: ${name}`,
      log: [name, name],
      reason: "Failed",
    });
  },
);
