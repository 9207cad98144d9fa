import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";
import { waitForReplay } from "@cloud-browser/client/replay";
import type HlsPlayer from "hls.js";
import { expect, test } from "vitest";
import { startConsole } from "./console-fixture.ts";

declare global {
  /** What the script of hls.js leaves in a page. */
  var Hls: typeof HlsPlayer; // oxlint-disable-line no-var -- only `var` declares a property of the global object
}

const moving =
  "<!doctype html><title>Moving</title><h1>0</h1><script>setInterval(() => (document.querySelector('h1').textContent = Date.now()), 100)</script>";

/** What hls.js makes of a playlist, and of the segment at a moment of it. */
interface Played {
  readonly seconds: number;
  readonly starts: readonly number[];
  readonly parsed: number | undefined;
  readonly tracks: { readonly video?: string | undefined; readonly audio?: string | undefined };
  readonly errors: readonly string[];
}

// The browser of the tests can't decode H.264: hls.js reads playlist and segments up to where it would hand them to a decoder.
test("hls.js reads the playlist of a replay and each of its segments, from another origin", async () => {
  await using fixture = await startConsole(() => moving);
  const options = { baseUrl: fixture.service.url, apiKey: fixture.service.apiKey };
  const control = createControl(options);
  const { session_id } = await control.sessions.open({ url: fixture.site });
  await sleep(9000); // so that there are several segments
  await control.sessions.end(session_id);
  const replay = await waitForReplay(createCloudBrowser(options), session_id, { until: "playlist" });
  const page = await fixture.browser.newPage();
  await page.goto(fixture.site);
  await page.addScriptTag({ content: await readFile(new URL(import.meta.resolve("hls.js/dist/hls.min.js")), "utf8") });

  const play = async (at: number): Promise<Played> =>
    page.evaluate(playFrom, { text: replay.playlist_content ?? "", at });
  const { starts, seconds } = await play(0);
  expect(starts.length).toBeGreaterThan(1);
  expect(seconds * 1000).toBeCloseTo(replay.video_duration_ms ?? 0, -3);
  for (const [number, start] of starts.entries()) {
    const { parsed, tracks, errors } = await play(start + 0.01);
    expect({ parsed, tracks, errors }).toEqual({
      parsed: number,
      tracks: { video: expect.stringMatching(/^avc1\./) },
      errors: [],
    });
  }
});

/** Runs in the page: resolves when a segment is read, or what is fatal has happened. */
async function playFrom({ text, at }: { readonly text: string; readonly at: number }): Promise<Played> {
  const Player = globalThis.Hls;
  const hls = new Player({ startPosition: at, enableWorker: false, debug: false });
  const errors: string[] = [];
  let seconds = 0;
  let starts: number[] = [];
  let tracks: Played["tracks"] = {};
  const parsed = await new Promise<number | undefined>((resolve) => {
    hls.on(Player.Events.LEVEL_LOADED, (_, { details }) => {
      seconds = details.totalduration;
      starts = details.fragments.map(({ start }) => start);
    });
    hls.on(Player.Events.BUFFER_CODECS, (_, { video, audio }) => {
      tracks = { video: video?.codec, audio: audio?.codec };
    });
    hls.on(Player.Events.FRAG_PARSED, (_, { frag }) => resolve(Number(frag.sn)));
    hls.on(Player.Events.ERROR, (_, { details, fatal }) => {
      if (details === Player.ErrorDetails.BUFFER_ADD_CODEC_ERROR) return;
      errors.push(details);
      if (fatal) resolve(undefined);
    });
    hls.attachMedia(document.createElement("video"));
    hls.loadSource(URL.createObjectURL(new Blob([text], { type: "application/vnd.apple.mpegurl" })));
  });
  hls.destroy();
  return { seconds, starts, parsed, tracks, errors };
}
