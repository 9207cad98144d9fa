// Crawlee crawls with Playwright or Puppeteer, on the browser that a launcher gives it.
import { PlaywrightCrawler, PuppeteerCrawler, Configuration, LogLevel } from "crawlee";
import { chromium } from "playwright-1.65";
import { connect } from "puppeteer-25";
import { folder, has, http, isFile, name, run, same, site, ws } from "./steps.mjs";

process.env.CRAWLEE_STORAGE_DIR = folder;
process.env.CRAWLEE_DISABLE_BROWSER_SANDBOX = "1";
const launchers = {
  playwright: (address) => ({
    name: () => "chromium",
    launch: () => chromium.connectOverCDP(address),
    launchPersistentContext: async () => (await chromium.connectOverCDP(address)).contexts()[0],
  }),
  puppeteer: () => ({
    product: "chrome",
    // Crawlee closes its browser when it is done, and with Puppeteer that ends the session.
    launch: async () => {
      const browser = await connect({ browserWSEndpoint: ws, defaultViewport: null });
      return Object.assign(browser, { close: () => browser.disconnect() });
    },
  }),
};
const kind = name.endsWith("puppeteer") ? "puppeteer" : "playwright";

/** Crawls one address with a handler; throws what that threw. */
async function crawl(handler, { path = "/", address = ws } = {}) {
  const Crawler = kind === "puppeteer" ? PuppeteerCrawler : PlaywrightCrawler;
  let fault = new Error("nothing was crawled");
  const options = {
    launchContext: { launcher: launchers[kind](address), useIncognitoPages: false },
    browserPoolOptions: { useFingerprints: false },
    maxRequestRetries: 0,
    requestHandler: async (context) => {
      await handler(context);
      fault = undefined;
    },
    failedRequestHandler: (_, error) => void (fault = error),
  };
  const crawler = new Crawler(options, new Configuration({ persistStorage: false }));
  crawler.log.setLevel(LogLevel.OFF);
  await crawler.run([`${site}${path}`]);
  if (fault) throw fault;
}
const visit = (work, options) => crawl(({ page }) => work(page), options);

await run({
  connect: async () => visit((page) => page.title()),
  ...(kind === "playwright" ? { "by http": async () => visit((page) => page.title(), { address: http }) } : {}),
  navigate: async () => visit(async (page) => same(await page.title(), "Start")),
  "click, fill": async () =>
    visit(async (page) => {
      await page.type("#name", "Ada");
      await page.click("button");
      same(await page.title(), "Hello Ada");
    }),
  evaluate: async () => visit(async (page) => same(await page.evaluate(() => 1 + 1), 2)),
  screenshot: async () => visit(async (page) => isFile(await page.screenshot({ fullPage: true }), "PNG")),
  "new tab": async () => {
    const titles = [];
    await crawl(async ({ page, enqueueLinks }) => {
      titles.push(await page.title());
      if (titles.length === 1) await enqueueLinks({ selector: "#open" });
    });
    has(titles.join(), "Second");
  },
});
