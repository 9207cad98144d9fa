import { BrowserPool, titleOf } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const page = await context.newPage();
console.log(await titleOf(page)); // null
await page.setContent("<title>Ferries</title>");
console.log(await titleOf(page)); // Ferries
await pool.close();
