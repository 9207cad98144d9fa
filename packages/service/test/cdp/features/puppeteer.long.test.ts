import { type Browser, connect, launch, type Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { findChromium } from "../../../../browsers/src/chromium/chromium-binary.ts";
import { startService, type RunningService } from "../../../src/index.ts";

let site: Site;
let service: RunningService;
let local: Browser;

beforeAll(async () => {
  site = await startSite({
    "/": "<!doctype html><title>Home</title><p>Hello<input type=file webkitdirectory>",
    "/drop": (request) => void request.socket.destroy(),
    "/to-nowhere": (_, response) => void response.writeHead(302, { location: "http://no-such-host.invalid/" }).end(),
  });
  service = await startService({ allow: ["127.0.0.1"] });
  const { executable: executablePath, env } = await findChromium();
  local = await launch({ executablePath, args: ["--no-sandbox"], env: { ...process.env, ...env } });
}, 60_000);

afterAll(async () => {
  await local?.close();
  await service?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

type Feature = readonly [name: string, attempt: (page: Page, browser: Browser) => Promise<unknown>];

const readError = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "no error",
    (error: unknown) => String(error).replaceAll(site.url, ""),
  );

const send = async (page: Page, method: string): Promise<string> => {
  const session: { readonly send: unknown } = await page.createCDPSession();
  const sending: unknown =
    typeof session.send === "function" ? Reflect.apply(session.send, session, [method]) : undefined;
  return readError(Promise.resolve(sending));
};

const readState = async (
  page: Page,
  browser: Browser,
  names: readonly ["geolocation", "camera"?],
): Promise<unknown> => {
  await page.goto(site.url);
  const permissions = names.filter((name) => name !== undefined);
  await browser
    .defaultBrowserContext()
    .overridePermissions(site.url, permissions)
    .catch(() => undefined);
  return page.evaluate(async () => (await navigator.permissions.query({ name: "geolocation" })).state);
};

const same: readonly Feature[] = [
  [
    "print media",
    async (page) => (await page.emulateMediaType("print"), page.evaluate(() => matchMedia("print").matches)),
  ],
  ["an unknown host", (page) => readError(page.goto("http://no-such-host.invalid/"))],
  ["an unknown host with TLS", (page) => readError(page.goto("https://no-such-host.invalid/"))],
  ["a redirect to an unknown host", (page) => readError(page.goto(`${site.url}/to-nowhere`))],
  ["a closed connection", (page) => readError(page.goto(`${site.url}/drop`))],
  ["a refused connection", (page) => readError(page.goto("http://127.0.0.1:1023/"))],
  [
    "a request that fails",
    async (page) => {
      await page.goto(site.url);
      const failed = new Promise((resolve) =>
        page.once("requestfailed", (request) => resolve(request.failure()?.errorText)),
      );
      await page.evaluate(() => fetch("/drop").catch(() => 0));
      return failed;
    },
  ],
  ["a permission", (page, browser) => readState(page, browser, ["geolocation"])],
  ["a permission beside one that is refused", (page, browser) => readState(page, browser, ["geolocation", "camera"])],
  ...["Page.unheardOf", "Unheard.of", "Network.unheardOf", "Input.unheardOf", "Target.unheardOf", "nonsense"].map(
    (method): Feature => [`the unknown command ${method}`, (page) => send(page, method)],
  ),
];

async function both([, attempt]: Feature): Promise<{ readonly locally: unknown; readonly inSession: unknown }> {
  const page = await local.newPage();
  const locally = await attempt(page, local);
  await page.close();
  const { session_id, cdp_url } = await service.open({});
  const browser = await connect({ browserWSEndpoint: cdp_url, defaultViewport: null });
  const [first] = await browser.pages();
  if (!first) throw new Error("the session has no page");
  const inSession = await attempt(first, browser);
  await browser.disconnect();
  await service.end(session_id);
  return { locally, inSession };
}

test.each(same)("as in a local Chromium, with Puppeteer: %s", async (...feature) => {
  const { locally, inSession } = await both(feature);
  expect(inSession).toEqual(locally);
});

test.each<readonly [...Feature, said: RegExp]>([
  [
    "the camera",
    (_page, browser) =>
      readError(browser.defaultBrowserContext().overridePermissions(site.url, ["geolocation", "camera"])),
    /'videoCapture' is not granted.*The others were granted/,
  ],
  [
    "a folder that is uploaded",
    async (page) => {
      await page.goto(site.url);
      const [chooser] = await Promise.all([page.waitForFileChooser(), page.click("input")]);
      return readError(chooser.accept(["/"]));
    },
    /uploaded to its session first/,
  ],
])("refused at once, with the reason, with Puppeteer: %s", async (name, attempt, message) => {
  const { locally, inSession } = await both([name, attempt]);
  expect(locally).toBe("no error");
  expect(inSession).toMatch(message);
});
