// A process that records a page that changes all the time, argument: the folder of the recordings, until it is killed.
// Prints a line when it has begun.
import { writeSync } from "node:fs";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { systemClock } from "../../src/clock.ts";
import { Recordings } from "../../src/recordings/recordings.ts";

const [, , folder = ""] = process.argv;
const viewport = { width: 320, height: 180 };
const pool = await BrowserPool.start();
const { context } = await pool.open({ viewport });
const publicUrl = (): string => "http://127.0.0.1:1";
const recordings = await Recordings.open({ folder, clock: systemClock, secret: Buffer.alloc(32), publicUrl });
const activePage = new ActivePage(context);
const recorder = await recordings.begin({ id: "one", startedAtMs: Date.now(), context, activePage, viewport });
const page = await context.newPage();
await page.setContent(
  "<script>setInterval(() => (document.body.style.background = `rgb(0 0 ${Date.now() % 256})`), 30)</script>",
);
setInterval(() => recorder.onActivity(), 100);
writeSync(1, "records\n");
