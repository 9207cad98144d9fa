// Stagehand 3, without a model: what it does by itself.
import { http, isFile, isKept, run, same, site, file, until, ws } from "./steps.mjs";
import { Stagehand } from "@browserbasehq/stagehand-3";

const open = async (cdpUrl) => {
  const stagehand = new Stagehand({
    env: "LOCAL",
    verbose: 0,
    disablePino: true,
    localBrowserLaunchOptions: { cdpUrl },
  });
  await stagehand.init();
  return stagehand;
};
let context;
let page;

await run({
  connect: async () => {
    ({ context } = await open(ws));
    [page] = context.pages();
  },
  "by http": async () => void (await open(http)),
  navigate: async () => {
    await page.goto(site);
    same(await page.title(), "Start");
  },
  "click, fill": async () => {
    await page.locator("#name").fill("Ada");
    await page.locator("button").click();
    await until(async () => (await page.title()) === "Hello Ada");
  },
  evaluate: async () => same(await page.evaluate(() => 1 + 1), 2),
  screenshot: async () => isFile(await page.screenshot({ fullPage: true }), "PNG"),
  cookies: async () => {
    await context.addCookies([{ name: "mine", value: "1", url: site }]);
    same((await context.cookies()).find((cookie) => cookie.name === "mine").value, "1");
  },
  emulate: async () => {
    await page.setViewportSize(400, 700);
    same(await page.evaluate(() => innerWidth), 400);
  },
  upload: async () => {
    await page.locator("#file").setInputFiles(file);
    await until(async () => (await page.title()) === "File brought along");
  },
  download: async () => {
    await page.locator("#save").click();
    await isKept();
  },
  "new tab": async () => {
    const tab = await context.newPage(`${site}/second`);
    await until(async () => (await tab.title()) === "Second");
  },
});
