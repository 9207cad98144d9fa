import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

/** With what a scrape can extract. */
const page = `<!doctype html><title>Teas</title><link rel="icon" href="/icon.png"><h1>Teas</h1><img src="/tea.png" alt="Tea">
<script type="application/ld+json">{"@type": "Product", "name": "Green tea"}</script>`;

const cookies = [
  "plain=a; Path=/",
  "lasting=b; Path=/; Max-Age=3600; SameSite=Lax",
  "hidden=c; Path=/; HttpOnly; SameSite=Strict",
];

/** Starts a site whose page has a cookie of each kind, so that their fields can be judged. */
export function startConformanceSite(): Promise<Site> {
  return startSite({
    "/": (_, response) => response.writeHead(200, { "content-type": "text/html", "set-cookie": cookies }).end(page),
  });
}

/** Decodes recordings, so that it can be told what they show. */
export const ffmpeg = fileURLToPath(new URL("../../ffmpeg-linux-x64/ffmpeg", import.meta.url));

/** Checks that pass on a service that conforms, and that is seen to do so. */
export const pages = [
  "event/done-metadata-present",
  "stream/closes-after-done",
  ...(existsSync(ffmpeg) ? ["recording/shows-the-page", "recording/keeps-time"] : []),
];
