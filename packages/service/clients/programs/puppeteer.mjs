// Puppeteer, in the version that CLIENT names.
import { has, http, isFile, isKept, name, run, same, site, file, until, ws } from "./steps.mjs";

const module = await import(name);
const { connect } = module.default ?? module;
let browser;
let page;

await run({
  connect: async () => {
    browser = await connect({ browserWSEndpoint: ws, defaultViewport: null });
    [page] = await browser.pages();
  },
  "by http": async () => (await connect({ browserURL: http, defaultViewport: null })).disconnect(),
  navigate: async () => {
    await page.goto(site);
    same(await page.title(), "Start");
  },
  "click, fill": async () => {
    await page.type("#name", "Ada");
    await page.click("button");
    same(await page.title(), "Hello Ada");
  },
  evaluate: async () => same(await page.evaluate(() => 1 + 1), 2),
  screenshot: async () => isFile(await page.screenshot({ fullPage: true }), "PNG"),
  cookies: async () => {
    await page.setCookie({ name: "mine", value: "1", url: site });
    same((await page.cookies(site)).find((cookie) => cookie.name === "mine").value, "1");
  },
  PDF: async () => isFile(await page.pdf(), "%PDF"),
  emulate: async () => {
    await page.setViewport({ width: 400, height: 700 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await page.emulateTimezone("Asia/Tokyo");
    const emulation = await page.evaluate(() => `${innerWidth} ${matchMedia("(prefers-color-scheme: dark)").matches}`);
    same(emulation, "400 true");
  },
  upload: async () => {
    await (await page.$("#file")).uploadFile(file);
    await until(async () => (await page.title()) === "File brought along");
  },
  download: async () => {
    const session = await browser.target().createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: "/tmp", eventsEnabled: true });
    const completed = new Promise((resolve) =>
      session.on("Browser.downloadProgress", ({ state, guid }) => state === "completed" && resolve(guid)),
    );
    await page.click("#save");
    await isKept(await completed);
  },
  trace: async () => {
    await page.tracing.start({ screenshots: true });
    await page.goto(`${site}/?traced`);
    has(Buffer.from(await page.tracing.stop()).toString(), "mark of ?traced");
  },
  "new tab": async () => {
    const tab = await browser.newPage();
    await tab.goto(`${site}/second`);
    same(await tab.title(), "Second");
    await tab.close();
  },
});
