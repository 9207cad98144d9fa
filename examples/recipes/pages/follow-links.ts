// Scrapes a page and the pages of its site that it links to: node follow-links.ts https://harbour.example/
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";
import { chromium } from "playwright-core";

const start = new URL(process.argv[2] ?? "");
const atMost = 20;
const client = createCloudBrowser();
const control = createControl(); // the service of this repository; others open sessions in their own way
const { session_id, cdp_url } = await control.sessions.open({ url: start.href });
const browser = await chromium.connectOverCDP(cdp_url ?? "");
const page = browser.contexts()[0]?.pages()[0];

const [queue, addresses] = [[start.href], new Set([start.href])];
for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
  await page?.goto(url);
  const { markdown } = await client.scrape(session_id);
  console.log(`${new URL(url).pathname}: ${markdown.split("\n", 1)[0]}`);
  for (const [, address = ""] of markdown.matchAll(/(?<!!)\[[^\]]*\]\((https?:[^)\s]+)\)/g)) {
    const link = new URL(address);
    link.hash = "";
    if (link.origin !== start.origin || /\.\w+$/.test(link.pathname)) continue; // other sites, and files
    if (addresses.has(link.href) || addresses.size >= atMost) continue;
    addresses.add(link.href);
    queue.push(link.href);
  }
}
await browser.close();
await control.sessions.end(session_id);
