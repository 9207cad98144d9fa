import { ActivePage, BrowserPool } from "@cloud-browser/browsers";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const activePage = new ActivePage(context);
const first = await context.newPage();
const second = await context.newPage();
console.log(activePage.current === second); // true
activePage.bringToFront(first);
console.log(activePage.current === first); // true
await pool.close();
