import { BrowserPool, onPageCrash } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const { promise: crashed, resolve } = Promise.withResolvers<string>();
onPageCrash(context, () => resolve("crashed"));
const page = await context.newPage();
void page.goto("chrome://crash").catch(() => undefined);
console.log(await crashed); // crashed
await pool.close();
