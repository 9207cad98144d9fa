import { BrowserPool } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 2, contextsPerBrowser: 10 });
const { context } = await pool.open({ locale: "en-GB" });
const page = await context.newPage();
await page.setContent("<title>Ferries</title>");
console.log(await page.title()); // Ferries
await pool.close();
