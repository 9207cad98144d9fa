import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { Recordings } from "@cloud-browser/recorder";

const recordings = await Recordings.open({
  folder: await mkdtemp(join(tmpdir(), "recordings-")),
  secret: crypto.getRandomValues(new Uint8Array(32)), // signs the URLs
  publicUrl: () => "http://127.0.0.1:8000",
});
const pool = await BrowserPool.start({ maxBrowsers: 1 });
const { context } = await pool.open();
const activePage = new ActivePage(context);
const viewport = { width: 640, height: 480 };
const recorder = await recordings.begin({ id: "first", context, activePage, viewport, startedAtMs: Date.now() });

const page = await context.newPage();
await page.setContent("<h1>Recorded</h1>");
recorder.onActivity(); // samples the page soon
await page.waitForTimeout(1_000);
await recorder.end();

const { mp4_url } = await recordings.replay("first", 30_000);
console.log(new URL(mp4_url).pathname); // /recordings/first/replay.mp4
await recordings.close();
await pool.close();
