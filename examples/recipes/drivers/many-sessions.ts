// Scrapes many pages, a few sessions at a time: node many-sessions.ts https://harbour.example/piers/1 https://…
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";
import pLimit from "p-limit";

const client = createCloudBrowser();
const control = createControl();
const limit = pLimit(2); // no more than the quota of the key

async function scrape(url: string): Promise<string> {
  // A full service refuses with 429, unless the request may wait.
  const { session_id } = await control.sessions.open({ url, record: false, wait_s: 60 });
  try {
    return (await client.scrape(session_id)).markdown;
  } finally {
    await control.sessions.end(session_id); // an open session holds a place until its idle limit
  }
}

const pages = await Promise.allSettled(process.argv.slice(2).map((url) => limit(scrape, url)));
for (const page of pages) {
  console.log(page.status === "fulfilled" ? page.value.split("\n", 1)[0] : `failed: ${page.reason.message}`);
}
