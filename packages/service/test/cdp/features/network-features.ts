import type { BrowserContext, Page } from "playwright-core";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { readError, type Feature } from "./feature.ts";

/** Uploads random bytes from a page; gives how many arrived. */
async function upload(page: Page, bytes: number): Promise<string> {
  return page.evaluate(async (size) => {
    const body = new Uint8Array(size);
    for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(body.subarray(at, Math.min(size, at + 65_536)));
    return (await fetch("/length", { method: "POST", body })).text();
  }, bytes);
}

/** Opens a popup by a link. */
async function waitForPopup(context: BrowserContext, page: Page, rel: string): Promise<Page> {
  await page.setContent(`<a target=_blank rel="${rel}" href="/echo">go</a>`);
  const [popup] = await Promise.all([context.waitForEvent("page"), page.click("a")]);
  await popup.waitForLoadState();
  return popup;
}

const nowhere = "http://no-such-host.invalid/";

/** The first request of a context that fails, once a page was told to do something. */
async function failureAfter(context: BrowserContext, page: Page, site: Site, script: string): Promise<unknown> {
  await page.goto(site.url);
  const failed = context.waitForEvent("requestfailed");
  await page.evaluate(script);
  return (await failed).failure();
}

/** Features of requests, responses and storage. */
export const networkFeatures: readonly Feature[] = [
  ["a status", async ({ page, site }) => (await page.goto(`${site.url}/missing`))?.status()],
  [
    "the body of a response",
    async ({ page, site }) => (await page.goto(`${site.url}/echo`))?.text().then((text) => text.includes("GET")),
  ],
  [
    "extra headers",
    async ({ page, site }) => (
      await page.setExtraHTTPHeaders({ "x-mine": "1" }),
      (await page.goto(`${site.url}/echo`))?.text()
    ),
  ],
  [
    "a fulfilled request",
    async ({ page, site }) => (
      await page.route("**/echo", (route) => route.fulfill({ body: "mock" })),
      (await page.goto(`${site.url}/echo`))?.text()
    ),
  ],
  [
    "an aborted request",
    async ({ page, site }) => (
      await page.route("**/echo", (route) => route.abort()),
      readError(page.goto(`${site.url}/echo`))
    ),
  ],
  [
    "a changed request",
    async ({ page, site }) => {
      await page.route("**/echo", (route) =>
        route.continue({ headers: { ...route.request().headers(), "x-mine": "2" } }),
      );
      return (await page.goto(`${site.url}/echo`))?.text();
    },
  ],
  [
    "the body of a request",
    async ({ page, site }) => {
      await page.goto(site.url);
      const [request] = await Promise.all([page.waitForRequest("**/length"), upload(page, 1_000)]);
      return request.postDataBuffer()?.length;
    },
  ],
  ["an upload of 3 MB", async ({ page, site }) => (await page.goto(site.url), upload(page, 3 * 2 ** 20))],
  [
    "an upload of 5 MB through a route",
    async ({ page, site }) => {
      await page.route("**/length", (route) => route.continue());
      await page.goto(site.url);
      return upload(page, 5 * 2 ** 20);
    },
  ],
  [
    "headers of a popup of a link",
    async ({ page, context, site }) => {
      await context.setExtraHTTPHeaders({ "x-mine": "3" });
      await page.goto(site.url);
      return (await waitForPopup(context, page, "")).textContent("body");
    },
  ],
  [
    "a route of a popup of a link",
    async ({ page, context, site }) => {
      await context.route("**/echo", (route) => route.fulfill({ contentType: "text/html", body: "mock" }));
      await page.goto(site.url);
      return (await waitForPopup(context, page, "noreferrer")).textContent("body");
    },
  ],
  [
    "events of a popup of a link",
    async ({ page, context, site }) => {
      await page.goto(site.url);
      const urls: string[] = [];
      context.on("request", (request) => void urls.push(new URL(request.url()).pathname));
      await waitForPopup(context, page, "noopener");
      return urls.filter((path) => path === "/echo");
    },
  ],
  ["offline", async ({ page, context, site }) => (await context.setOffline(true), readError(page.goto(site.url)))],
  [
    "cookies",
    async ({ page, context, site }) => {
      await context.addCookies([{ name: "a", value: "b", url: site.url }]);
      await page.goto(site.url);
      return page.evaluate(() => document.cookie);
    },
  ],
  [
    "stored state",
    async ({ page, context, site }) => {
      await page.goto(site.url);
      await page.evaluate(() => localStorage.setItem("a", "b"));
      return (await context.storageState()).origins.map((origin) => origin.localStorage);
    },
  ],
  [
    "a mocked WebSocket",
    async ({ page, site }) => {
      await page.routeWebSocket("**/socket", (socket) =>
        socket.onMessage((message) => socket.send(`re: ${String(message)}`)),
      );
      await page.goto(site.url);
      return page.evaluate(
        () =>
          new Promise((resolve) => {
            const socket = new WebSocket("ws://a.test/socket");
            socket.addEventListener("open", () => socket.send("hi"));
            socket.addEventListener("message", ({ data }) => resolve(data));
          }),
      );
    },
  ],
  [
    "a redirect",
    async ({ page, site }) => {
      const response = await page.goto(`${site.url}/away`);
      return new URL(response?.request().redirectedFrom()?.url() ?? "http://none").pathname;
    },
  ],
  [
    "timing of a request",
    async ({ page, site }) => ((await page.goto(site.url))?.request().timing().responseStart ?? -1) >= 0,
  ],
  [
    "sizes of a response",
    async ({ page, site }) => (await (await page.goto(`${site.url}/missing`))?.request().sizes())?.responseBodySize,
  ],
  ["an unknown host", async ({ page }) => readError(page.goto("http://no-such-host.invalid/"))],
  ["an unknown host with TLS", async ({ page }) => readError(page.goto("https://no-such-host.invalid/"))],
  [
    "a redirect to an unknown host",
    async ({ page, site }) => {
      const failed = page.waitForEvent("requestfailed");
      const error = await readError(page.goto(`${site.url}/to-nowhere`));
      return [error, (await failed).url(), (await failed).failure()];
    },
  ],
  [
    "the log of a request that failed",
    async ({ page, site }) => {
      await page.goto(site.url);
      const logged = page.waitForEvent("console");
      await page.evaluate(() => fetch("/drop").catch(() => 0));
      return (await logged).text();
    },
  ],
  [
    "a frame that can't be loaded",
    ({ page, context, site }) =>
      failureAfter(
        context,
        page,
        site,
        `document.body.append(Object.assign(document.createElement("iframe"), { src: "${nowhere}" }))`,
      ),
  ],
  [
    "a popup that can't be loaded",
    ({ page, context, site }) => failureAfter(context, page, site, `void window.open("${nowhere}")`),
  ],
  [
    "a link that can't be followed",
    ({ page, context, site }) => failureAfter(context, page, site, `location.href = "${nowhere}"`),
  ],
  [
    "a request of a worker that fails",
    ({ page, context, site }) =>
      failureAfter(
        context,
        page,
        site,
        `void new Worker(URL.createObjectURL(new Blob(["fetch('${nowhere}').catch(() => 0)"])))`,
      ),
  ],
  [
    "a WebSocket that can't be opened",
    async ({ page, site }) => {
      await page.goto(site.url);
      const socket = page.waitForEvent("websocket").then((one) => one.waitForEvent("socketerror"));
      await page.evaluate(() => void new WebSocket("ws://no-such-host.invalid/"));
      return socket;
    },
  ],
  [
    "a refused connection",
    async ({ page }) => {
      const gone = await startSite({});
      await gone[Symbol.asyncDispose]();
      return (await readError(page.goto(gone.url))).replace(gone.url, "");
    },
  ],
  ["a closed connection", async ({ page, site }) => readError(page.goto(`${site.url}/drop`))],
  ["a file address", async ({ page }) => readError(page.goto("file:///etc/hostname"))],
  [
    "the address of the server",
    async ({ page, site }) => {
      const response = await page.goto(site.url);
      return (await response?.serverAddr())?.port === Number(new URL(site.url).port);
    },
  ],
];
