import { BrowserPool } from "@cloud-browser/browsers";
import { extractStructured, PageScraper } from "@cloud-browser/page-content";

const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const page = await context.newPage();
await page.setContent(
  `<h1>Ticket</h1><script type="application/ld+json">{ "@type": "Product", "name": "Day ticket", "offers": { "price": 12.5 } }</script>`,
);

await using scraper = new PageScraper();
const { declared, markdown } = await scraper.scrape(page, {}, { timeoutMs: 15_000, declared: true });
const responseFormat = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
if (declared) console.log((await extractStructured({ declared, markdown, responseFormat })).data); // { name: 'Day ticket', price: 12.5 }
await pool.close();
