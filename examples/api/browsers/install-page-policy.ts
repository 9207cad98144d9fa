import { BrowserPool, installPagePolicy } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
installPagePolicy(context, () => false); // nobody drives the session: dialogs are dismissed at once
const page = await context.newPage();
console.log(await page.evaluate(() => confirm("Really?"))); // false
await pool.close();
