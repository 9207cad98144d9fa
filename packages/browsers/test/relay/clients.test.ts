import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { connect, type Page as PuppeteerPage } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patient, startRelayed, type Relayed } from "./relayed-session.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

const pages = {
  "/": `<title>Start</title><label>Name <input id=name></label><button onclick="document.title='Hello '+document.querySelector('#name').value">Greet</button>
    <input id=file type=file><a id=open href="/second" target=_blank>open</a>`,
  "/second": `<title>Second</title><script>window.saw = typeof window.marker</script>`,
  "/frame": `<title>Frame</title><p id=inside>inside</p>`,
  "/worker.js": `onmessage = ({ data }) => postMessage(data * 2)`,
};

function getOnlyContext(browser: Browser): BrowserContext {
  const [context, ...others] = browser.contexts();
  if (!context || others.length > 0) throw new Error("not one context");
  return context;
}

const readContent = (): Promise<string> | undefined =>
  document.querySelector<HTMLInputElement>("#file")?.files?.[0]?.text();

let relayed: Relayed;
let site: Site;

beforeAll(async () => {
  [relayed, site] = await Promise.all([startRelayed(), startSite(pages)]);
  await relayed.foreign.context.newPage();
});
afterAll(async () => {
  await relayed?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

describe("Playwright, connected to a session,", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    browser = await chromium.connectOverCDP(relayed.url());
    context = getOnlyContext(browser);
    page = await context.newPage();
    await page.goto(site.url);
  });
  afterAll(async () => browser?.close());

  it("has the one context of the session and its pages", async () => {
    expect(browser.contexts()).toHaveLength(1);
    await expect.poll(() => relayed.own.context.pages().length, patient).toBe(context.pages().length);
  });

  it("fills, clicks and reads", async () => {
    await page.getByLabel("Name").fill("Ada");
    await page.getByRole("button", { name: "Greet" }).click();
    expect(await page.title()).toBe("Hello Ada");
  });

  it("takes a screenshot", async () => {
    expect((await page.screenshot()).subarray(1, 4).toString()).toBe("PNG");
  });

  it("gets a popup with its opener", async () => {
    const [popup] = await Promise.all([context.waitForEvent("page"), page.locator("#open").click()]);
    await popup.waitForLoadState();
    expect(await popup.title()).toBe("Second");
    expect(await popup.evaluate(() => "marker" in window)).toBe(false);
    await popup.close();
    expect(popup.isClosed()).toBe(true);
  });

  it("works in a frame that lives in another process", async () => {
    const src = `${site.url.replace("127.0.0.1", "localhost")}/frame`;
    await page.evaluate((address) => {
      const frame = document.createElement("iframe");
      frame.src = address;
      document.body.append(frame);
    }, src);
    await expect.poll(() => page.frames().length, patient).toBe(2);
    expect(await page.frameLocator("iframe").locator("#inside").innerText()).toBe("inside");
    expect(await page.frames()[1]?.evaluate(() => location.hostname)).toBe("localhost");
  });

  it("works in a worker", async () => {
    const [worker] = await Promise.all([
      page.waitForEvent("worker"),
      page.evaluate(() => void Object.assign(window, { worker: new Worker("/worker.js") })),
    ]);
    expect(await worker.evaluate(() => typeof onmessage)).toBe("function");
  });

  it("sets files that it brings along", async () => {
    await page
      .locator("#file")
      .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("content") });
    expect(await page.evaluate(readContent)).toBe("content");
  });

  it("answers dialogs", async () => {
    page.once("dialog", (dialog) => void dialog.accept("Ada").catch(() => {}));
    relayed.own.context.once("dialog", () => {});
    expect(await page.evaluate(() => prompt("Who?"))).toBe("Ada");
  });

  it("has cookies, of the session only", async () => {
    await context.addCookies([{ name: "mine", value: "1", url: site.url }]);
    expect((await context.cookies()).map(({ name }) => name)).toContain("mine");
    expect(await relayed.own.context.cookies()).toMatchObject([{ name: "mine" }]);
    expect(await relayed.foreign.context.cookies()).toStrictEqual([]);
    await context.clearCookies();
    expect(await relayed.own.context.cookies()).toStrictEqual([]);
  });

  it("routes requests and adds scripts to new documents", async () => {
    const other = await context.newPage();
    await other.addInitScript(() => Object.assign(window, { marker: 1 }));
    await other.route("**/routed", (route) =>
      route.fulfill({ contentType: "text/html", body: "<script>document.title = typeof marker</script>" }),
    );
    await other.goto(`${site.url}/routed`);
    expect(await other.title()).toBe("number");
    await other.close();
  });

  it("can't create another context", async () => {
    await expect(browser.newContext()).rejects.toThrow(/one browser context/u);
  });

  it("attaches by hand to a page and to the browser", async () => {
    const onPage = await context.newCDPSession(page);
    expect(await onPage.send("Runtime.evaluate", { expression: "1 + 1" })).toMatchObject({ result: { value: 2 } });
    const onBrowser = await browser.newBrowserCDPSession();
    const { targetInfos } = await onBrowser.send("Target.getTargets");
    expect(targetInfos).toHaveLength(context.pages().length + 1);
    await onPage.detach();
    await onBrowser.detach();
  });
});

it("Playwright with a slow connection drives a popup", async () => {
  const browser = await chromium.connectOverCDP(await relayed.distantUrl(40));
  const context = getOnlyContext(browser);
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(site.url);
  const [popup] = await Promise.all([context.waitForEvent("page"), page.locator("#open").click()]);
  await popup.waitForLoadState();
  expect(await popup.title()).toBe("Second");
  await popup.close();
  await browser.close();
});

it("Puppeteer attaches to its browser as to any target", async () => {
  const browser = await connect({ browserWSEndpoint: relayed.url(), defaultViewport: null });
  const onBrowser = await browser.target().createCDPSession();
  expect(await onBrowser.send("Browser.getVersion")).toHaveProperty("product");
  await onBrowser.detach();
  await browser.disconnect();
});

it("Puppeteer drives a session: pages, popups, frames, cookies, and closing it", async () => {
  const browser = await connect({ browserWSEndpoint: relayed.url(), defaultViewport: null });
  const { length } = await browser.pages();
  await expect.poll(() => relayed.own.context.pages().length, patient).toBe(length);
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.type("#name", "Grace");
  await page.click("button");
  expect(await page.title()).toBe("Hello Grace");
  const [popup] = await Promise.all([
    new Promise<PuppeteerPage | null>((resolve) => page.once("popup", resolve)),
    page.click("#open"),
  ]);
  await popup?.waitForFunction(() => document.title === "Second");
  expect(popup?.target().opener()).toBe(page.target());
  const frame = `${site.url.replace("127.0.0.1", "localhost")}/frame`;
  await page.setContent(`<iframe src="${frame}"></iframe>`, { waitUntil: "load" });
  expect(await page.frames()[1]?.evaluate(() => document.querySelector("#inside")?.textContent)).toBe("inside");
  await browser.setCookie({ name: "p", value: "1", domain: "127.0.0.1" });
  expect(await relayed.own.context.cookies()).toMatchObject([{ name: "p" }]);
  await page.close();
  const { closes } = relayed.calls;
  await browser.close();
  expect(relayed.calls.closes).toBe(closes + 1);
  expect(relayed.calls.actions).toBeGreaterThan(0);
  expect(relayed.foreign.context.pages()[0]?.isClosed()).toBe(false);
});
