/** Measures what a recording costs beside one that encodes every frame. Run: npm run bench [-- seconds] */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import { ProcessTree } from "@cloud-browser/testing/process-tree.ts";
import { findFfmpeg } from "../src/encoding/ffmpeg.ts";
import { Recordings } from "../src/index.ts";

const seconds = Number(process.argv[2] ?? 20);
if (!(seconds >= 1)) throw new Error(`The number of seconds is ${process.argv[2]}; give 1 or more.`);
const viewport = { width: 1280, height: 720 };

const text = Array.from(
  { length: 80 },
  (_, row) => `<p>Ferry ${row} leaves for the island every ten minutes.</p>`,
).join("");
const scenes: Readonly<Record<string, { readonly html: string; readonly act?: (page: Page) => Promise<unknown> }>> = {
  still: { html: `<h1>Harbour ferries</h1>${text}` },
  "an action every 3 s": {
    html: `<h1>Harbour ferries</h1><input>${text}`,
    act: (page) => page.locator("input").fill(`Ada ${Date.now()}`),
  },
  animated: {
    html: `<style>b { display: inline-block; animation: turn 1s linear infinite } @keyframes turn { to { rotate: 1turn } }</style><b>Ferry</b>${text}`,
  },
};

/** Something that records. */
interface Recording {
  /** Somebody acts on the page. */
  readonly onActivity?: () => void;
  /** Ends it. Resolves with the bytes of the video. */
  readonly end: () => Promise<number>;
}
type Way = (context: BrowserContext, page: Page) => Promise<Recording>;

const folder = await mkdtemp(join(tmpdir(), "bench-recorder-"));
const ffmpeg = await findFfmpeg(undefined, folder);
const recordings = await Recordings.open({
  folder: join(folder, "recordings"),
  secret: crypto.getRandomValues(new Uint8Array(32)),
  publicUrl: () => "http://127.0.0.1:1",
});
let count = 0;

const ways: Readonly<Record<string, Way>> = {
  none: async () => ({ end: async () => 0 }),
  "this package": async (context) => {
    const id = `session-${(count += 1)}`;
    const activePage = new ActivePage(context);
    const recorder = await recordings.begin({ id, context, activePage, viewport, startedAtMs: Date.now() });
    const end = async (): Promise<number> => {
      await recorder.end();
      await recordings.replay(id, 120_000);
      return (await stat(join(folder, "recordings", id, "replay", "replay.mp4"))).size;
    };
    return { onActivity: () => recorder.onActivity(), end };
  },
  "every frame": async (context, page) => {
    const file = join(folder, `frames-${(count += 1)}.mp4`);
    const flags =
      "-loglevel error -use_wallclock_as_timestamps 1 -f image2pipe -c:v mjpeg -i - -r 25 -c:v libx264 -preset veryfast";
    const encoder = spawn(ffmpeg, [...flags.split(" "), file], { stdio: ["pipe", "inherit", "inherit"] });
    const devtools = await context.newCDPSession(page);
    let last = Buffer.alloc(0);
    devtools.on("Page.screencastFrame", ({ data, sessionId }) => {
      last = Buffer.from(data, "base64");
      void devtools.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
    });
    await devtools.send("Page.startScreencast", { format: "jpeg", quality: 80, maxWidth: 1280, maxHeight: 720 });
    // A video of 25 pictures a second has the last one again while nothing new comes.
    const timer = setInterval(() => last.length > 0 && encoder.stdin.write(last), 40);
    const end = async (): Promise<number> => {
      clearInterval(timer);
      await devtools.detach();
      encoder.stdin.end();
      await once(encoder, "close");
      return (await stat(file)).size;
    };
    return { end };
  },
};

/** Seconds of a processor for each second of a scene, and bytes of its video. */
async function measure(
  pool: BrowserPool,
  scene: keyof typeof scenes,
  way: Way,
): Promise<{ cpu: number; bytes: number }> {
  const { html = "", act } = scenes[scene] ?? {};
  const pooled = await pool.open({ viewport });
  const page = await pooled.context.newPage();
  await page.setContent(html);
  await sleep(1_000);
  const tree = new ProcessTree();
  const from = tree.sample();
  const sampling = setInterval(() => tree.sample(), 500);
  const recording = await way(pooled.context, page);
  for (let at = 0; at < seconds; at += 3) {
    recording.onActivity?.();
    await act?.(page);
    await sleep(Math.min(3, seconds - at) * 1_000);
  }
  const bytes = await recording.end();
  const to = tree.sample();
  clearInterval(sampling);
  await pooled.close();
  const cpuSeconds = to.own + to.encoders + to.browsers - from.own - from.encoders - from.browsers;
  return { cpu: cpuSeconds / seconds, bytes };
}

const pool = await BrowserPool.start({ maxBrowsers: 1 });
try {
  console.log(
    `Scenes of ${seconds} s at 1280 by 720; processor of this process, Chromium and ffmpeg, encoding included.\n`,
  );
  console.log(
    "| scene | way | % of a core | beyond none | KB of video a minute | of every frame's |\n|---|---|---|---|---|---|",
  );
  for (const scene of Object.keys(scenes)) {
    const results = new Map<string, { cpu: number; bytes: number }>();
    for (const [name, way] of Object.entries(ways)) results.set(name, await measure(pool, scene, way));
    const none = results.get("none")?.cpu ?? 0;
    const every = (results.get("every frame")?.cpu ?? NaN) - none;
    for (const [name, { cpu, bytes }] of results) {
      const beyond = cpu - none;
      const ratio = name === "this package" ? (beyond / every).toFixed(2) : "";
      const size = (bytes / 1_000 / seconds) * 60;
      console.log(
        `| ${scene} | ${name} | ${(100 * cpu).toFixed(1)} | ${(100 * beyond).toFixed(1)} | ${size.toFixed(0)} | ${ratio} |`,
      );
    }
  }
} finally {
  await pool.close();
  await recordings.close();
  await rm(folder, { recursive: true, force: true });
}
