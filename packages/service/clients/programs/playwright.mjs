// Playwright, in the version that CLIENT names.
import { basename } from "node:path";
import { has, http, isFile, isKept, name, run, same, site, file, ws } from "./steps.mjs";

const module = await import(name);
const { chromium } = module.default ?? module;
let browser;
let page;

await run({
  connect: async () => {
    browser = await chromium.connectOverCDP(ws);
    page = browser.contexts()[0].pages()[0];
  },
  "by http": async () => same((await chromium.connectOverCDP(http)).contexts().length, 1),
  navigate: async () => {
    await page.goto(site);
    same(await page.title(), "Start");
  },
  "click, fill": async () => {
    await page.getByLabel("Name").fill("Ada");
    await page.getByRole("button", { name: "Greet" }).click();
    same(await page.title(), "Hello Ada");
  },
  evaluate: async () => same(await page.evaluate(() => 1 + 1), 2),
  screenshot: async () => isFile(await page.screenshot({ fullPage: true }), "PNG"),
  cookies: async () => {
    const context = browser.contexts()[0];
    await context.addCookies([{ name: "mine", value: "1", url: site }]);
    same((await context.cookies()).find((cookie) => cookie.name === "mine").value, "1");
  },
  PDF: async () => isFile(await page.pdf(), "%PDF"),
  emulate: async () => {
    await page.setViewportSize({ width: 400, height: 700 });
    await page.emulateMedia({ colorScheme: "dark" });
    const emulation = await page.evaluate(() => `${innerWidth} ${matchMedia("(prefers-color-scheme: dark)").matches}`);
    same(emulation, "400 true");
  },
  upload: async () => {
    await page.setInputFiles("#file", file);
    await page.waitForFunction(() => document.title === "File brought along");
  },
  download: async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Save" }).click(),
    ]);
    same(download.suggestedFilename(), "file.bin");
    same(await download.failure(), null);
    await isKept(basename(await download.path()));
  },
  trace: async () => {
    await browser.startTracing(page);
    await page.goto(`${site}/?traced`);
    has((await browser.stopTracing()).toString(), "mark of ?traced");
  },
  "new tab": async () => {
    const tab = await browser.contexts()[0].newPage();
    await tab.goto(`${site}/second`);
    same(await tab.title(), "Second");
    await tab.close();
  },
});
