import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Recordings } from "../src/recordings/recordings.ts";
import { serveRecording } from "../src/recordings/serve-recording.ts";
import { playReplay, ways, type Moment } from "./playing/player.ts";
import { leaveShape, shapes, type Color, type Shape } from "./playing/shapes.ts";

/** A Chromium that decodes H.264, which npm's doesn't: Debian's does. */
const executablePath = process.env["H264_CHROMIUM"];
const colorCodes: Readonly<Record<Color, string>> = { red: "100", lime: "010", blue: "001" };
/** Pictures of an animation that are looked at. */
const mostMoments = 30;

let folder: string;
let recordings: Recordings;
let server: Server;
let origin: string;
let browser: Browser | undefined;
const playlists = new Map<string, string>();

beforeAll(async () => {
  if (executablePath === undefined) return;
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  folder = await mkdtemp(join(tmpdir(), "cb-playing-"));
  for (const [index, shape] of Object.values(shapes).entries()) {
    await leaveShape(folder, `shape-${index}`, shape, Date.now());
  }
  server = createServer((request, response) => {
    void answer(new URL(request.url ?? "/", origin), request.headers.range).then(async (answered) => {
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      response.end(await answered.bytes());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It listens on a port.");
  origin = `http://127.0.0.1:${address.port}`;
  const secret = crypto.getRandomValues(new Uint8Array(32));
  recordings = await Recordings.open({ folder, secret, publicUrl: () => origin });
  await recordings.recover();
});
afterAll(async () => {
  if (!browser) return;
  await browser.close();
  server.close();
  await recordings.close();
  await rm(folder, { recursive: true });
});

async function answer(url: URL, range: string | undefined): Promise<Response> {
  if (url.pathname.startsWith("/recordings/")) {
    return serveRecording(recordings, new Request(url, range === undefined ? {} : { headers: { range } }));
  }
  const playlist = playlists.get(url.pathname);
  if (playlist === undefined) {
    return new Response("<!doctype html><title>Player</title>", { headers: { "content-type": "text/html" } });
  }
  return new Response(playlist, { headers: { "content-type": "application/vnd.apple.mpegurl" } });
}

/** The middle of the time that each picture shows, from the last one to the first. */
function findMoments({ changes, endMs }: Shape): Moment[] {
  const ends = [...changes.slice(1).map(([atMs]) => atMs), endMs];
  return changes
    .map(([atMs, color], index) => ({
      seconds: (atMs + (ends[index] ?? endMs)) / 2_000,
      color: colorCodes[color],
    }))
    .slice(-mostMoments)
    .toReversed();
}

describe.each(Object.entries(shapes).map(([name, shape], index) => ({ name, shape, id: `shape-${index}` })))(
  "$name",
  ({ shape, id }) => {
    it.for(ways)("plays to its end and from each moment as %s", async (way, { skip }) => {
      if (!browser) return skip("no Chromium with H.264: set H264_CHROMIUM to the path of one");
      const replay = await recordings.replay(id);
      playlists.set(`/${id}.m3u8`, replay.playlist_content);
      const address = way === "MP4" ? replay.mp4_url : `${origin}/${id}.m3u8`;
      const moments = findMoments(shape);
      const played = await playReplay(browser, origin, { way, address, moments });
      expect(played).toMatchObject({ end: "ended", colors: moments.map(({ color }) => color) });
      expect(Math.abs(played.duration * 1_000 - replay.video_duration_ms)).toBeLessThanOrEqual(200);
      expect(Math.abs(played.endedAt * 1_000 - replay.video_duration_ms)).toBeLessThanOrEqual(200);
    });
  },
);
