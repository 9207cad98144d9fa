// A session from beginning to end, on a real browser: open, drive, scrape, take the cookies along, end, download the video.
//
//   node --conditions=@cloud-browser/source examples/live-session.ts
//
// Needs nothing: the service and the shop that it visits run within the program. The first time a browser is unpacked.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCloudBrowser } from "@cloud-browser/client";
import { toCookieHeader } from "@cloud-browser/client/cookies";
import { downloadReplay, waitForReplay } from "@cloud-browser/client/replay";
import { startService } from "@cloud-browser/service";
import { chromium } from "playwright-core";
import { z } from "zod";
import { startShop } from "./servers/shop.ts";

await using shop = await startShop();
await using service = await startService({ allow: [new URL(shop.url).host] });
const { session_id, cdp_url } = await service.open({ url: shop.url });

// Drive it: with Playwright, Puppeteer, or anything else that speaks the DevTools protocol.
const browser = await chromium.connectOverCDP(cdp_url);
const page = browser.contexts()[0]?.pages()[0];
await page?.getByRole("searchbox").fill("green tea");
await page?.getByRole("button", { name: "Search" }).click();
await page?.getByRole("heading", { name: "Green tea" }).waitFor();
await browser.close();

// Scrape it: as Markdown, and into a structure of one's own.
const client = createCloudBrowser({ baseUrl: service.url, apiKey: service.apiKey });
const { markdown } = await client.scrape(session_id, { only_main_content: true });
console.log(markdown.split("\n")[0]);
const tea = z.object({
  name: z.string(),
  sku: z.string(),
  offers: z.object({ price: z.number(), priceCurrency: z.string() }),
});
const { name, offers } = await client.extract(session_id, { response_format: tea });
console.log(`${name}: ${offers.price} ${offers.priceCurrency}`);

// Take its cookies along, to a request of one's own.
const { header } = toCookieHeader(await client.cookies(session_id), shop.url);
console.log(await (await fetch(`${shop.url}/basket`, { headers: { cookie: header } })).text());

// End it, and watch what happened.
await service.end(session_id);
const replay = await waitForReplay(client, session_id, { intervalMs: 200 });
const folder = await mkdtemp(join(tmpdir(), "live-session-"));
const video = join(folder, "replay.mp4");
await downloadReplay(client, session_id, video, { replay });
const isMp4 = (await readFile(video)).subarray(4, 8).toString() === "ftyp";
console.log(`a video of ${Math.round(replay.video_duration_ms / 1000)} s${isMp4 ? "" : ", which is no MP4"}`);
await rm(folder, { recursive: true });
