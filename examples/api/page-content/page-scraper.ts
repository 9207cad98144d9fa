import { BrowserPool } from "@cloud-browser/browsers";
import { PageScraper } from "@cloud-browser/page-content";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const page = await context.newPage();
await page.setContent("<main><h1>Ferry</h1><p>Leaves at <b>9:30</b>.</p></main>");

await using scraper = new PageScraper();
const { markdown } = await scraper.scrape(page, { only_main_content: true }, { timeoutMs: 15_000 });
console.log(markdown); // # Ferry Leaves at **9:30**.
await pool.close();
