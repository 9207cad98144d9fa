// Scrapes many pages, a few sessions at a time: node many-sessions.ts https://harbour.example/piers/1 https://…
import { createCloudBrowser } from "@cloud-browser/client";
import pLimit from "p-limit";
import { control, type OpenedSession } from "../control.ts";

const client = createCloudBrowser();
const limit = pLimit(2); // no more than the quota of the key

async function scrape(url: string): Promise<string> {
  // A full service refuses with 429, unless the request may wait.
  const { session_id } = await control<OpenedSession>("/sessions", "POST", { url, record: false, wait_s: 60 });
  try {
    return (await client.scrape(session_id)).markdown;
  } finally {
    await control(`/sessions/${session_id}`, "DELETE"); // an open session holds a place until its idle limit
  }
}

const pages = await Promise.allSettled(process.argv.slice(2).map((url) => limit(scrape, url)));
for (const page of pages) {
  console.log(page.status === "fulfilled" ? page.value.split("\n", 1)[0] : `failed: ${page.reason.message}`);
}
