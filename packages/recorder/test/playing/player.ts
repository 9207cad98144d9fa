import { readFile } from "node:fs/promises";
import type HlsPlayer from "hls.js";
import type { Browser } from "playwright-core";

declare global {
  /** What the script of hls.js leaves in a page. */
  var Hls: typeof HlsPlayer; // oxlint-disable-line no-var -- only `var` declares a property of the global object
}

/** Ways to play a replay: the MP4, or the playlist by hls.js or by the browser itself. */
export const ways = ["MP4", "hls.js", "native HLS"] as const;

/** A moment of a video, in seconds, and the colour of its middle then: red, green and blue, each 0 or 1. */
export interface Moment {
  readonly seconds: number;
  readonly color: string;
}

/** A replay to play. */
export interface PlayInput {
  readonly way: (typeof ways)[number];
  /** Address of the MP4 or of the playlist. */
  readonly address: string;
  /** Moments that are looked at: the first one before it has played, the others afterwards. */
  readonly moments: readonly Moment[];
}

/** What a player made of a replay. */
export interface Played {
  /** How it ended: `ended`, or what went wrong. */
  readonly end: string;
  /** Duration as the player has it at the end, in seconds. */
  readonly duration: number;
  /** Where it was at its end, in seconds. */
  readonly endedAt: number;
  /** The colour at each moment. */
  readonly colors: readonly string[];
}

/** Plays a replay in a page of its own: from its first moment, then from its start to its end, then from the other moments. */
export async function playReplay(browser: Browser, origin: string, input: PlayInput): Promise<Played> {
  const page = await browser.newPage();
  try {
    await page.goto(origin);
    const script = await readFile(new URL(import.meta.resolve("hls.js/dist/hls.min.js")), "utf8");
    await page.addScriptTag({ content: script });
    return await page.evaluate(play, input);
  } finally {
    await page.close();
  }
}

/** Runs in the page. */
async function play({ way, address, moments: [first, ...others] }: PlayInput): Promise<Played> {
  const video = document.createElement("video");
  video.muted = true;
  document.body.append(video);
  const failed = new Promise<string>((resolve) => {
    video.addEventListener("error", () => resolve(`error ${video.error?.code}: ${video.error?.message}`));
    if (way !== "hls.js") return void (video.src = address);
    const { Events } = globalThis.Hls;
    const hls = new globalThis.Hls({ enableWorker: false });
    hls.on(Events.ERROR, (_, { details, error, fatal }) => {
      if (fatal) resolve(`${details}: ${error.message}`);
    });
    hls.attachMedia(video);
    hls.loadSource(address);
  });
  const until = (event: string): Promise<string> => {
    const happened = new Promise<string>((resolve) =>
      video.addEventListener(event, () => resolve(event), { once: true }),
    );
    return Promise.race([failed, happened]);
  };

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const look = async ({ seconds, color }: Moment): Promise<string> => {
    let result = "";
    // A busy Chromium may paint the key frame alone, and leaves it at that while it is paused: it is asked again.
    for (let attempt = 0; attempt < 10 && result !== color; attempt += 1) {
      const seeked = until("seeked");
      video.currentTime = seconds;
      result = await seeked;
      for (let frame = 0; frame < 60 && result !== color; frame += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        canvas?.drawImage(video, video.videoWidth / 2, video.videoHeight / 2, 1, 1, 0, 0, 1, 1);
        const [...rgb] = canvas?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [];
        result = rgb.map((value) => (value < 70 ? "0" : value > 185 ? "1" : "?")).join("");
      }
    }
    return result;
  };

  const colors: string[] = [];
  let end = await until("loadedmetadata");
  if (end === "loadedmetadata") {
    if (first) colors.push(await look(first));
    const seeked = until("seeked");
    video.currentTime = 0;
    await seeked;
    const ending = until("ended");
    video.playbackRate = 8;
    await video.play().catch(() => undefined);
    end = await ending;
  }
  const { duration, currentTime: endedAt } = video;
  if (end === "ended") for (const moment of others) colors.push(await look(moment));
  return { end, duration, endedAt, colors };
}
