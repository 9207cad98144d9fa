/** Faults of the segments of recordings, and of files that end too early. */
import { breaking, onFile, onReplay, type PageFault } from "./faulty-server.ts";
import { media, playlist, type FileAnswer } from "../site-server.ts";

const meaning = "replay.playlist_content.meaning";

const addressesIn = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("http"));

const countBytes = ({ body }: FileAnswer): Buffer => Buffer.from(body ?? "");

const emptyPacket = Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]);

/** As many packets as a segment has, none of which holds anything. */
const emptied = (answer: FileAnswer): Buffer =>
  Buffer.concat(Array.from({ length: Math.floor(countBytes(answer).length / emptyPacket.length) }, () => emptyPacket));

/** Servers with one fault each. */
export const segmentFaults: readonly PageFault[] = [
  ...breaking("recording/segments-follow", meaning, {
    "gives the same file for both segments": onFile(/seg1/, (answer) => ({ ...answer, body: media("seg0.mpegts") })),
    "lists the segments from the last to the first": onReplay(({ playlist_content: text }) => ({
      playlist_content: playlist(addressesIn(text).toReversed()),
    })),
  }),
  ...breaking("recording/segments-are-media", meaning, {
    "cuts a segment within a packet": onFile(/seg/, (answer) => ({
      ...answer,
      body: countBytes(answer).subarray(0, -50),
    })),
    "gives a segment whose packets hold nothing": onFile(/seg/, (answer) => ({ ...answer, body: emptied(answer) })),
  }),
  ...breaking("recording/segments-have-no-sound", "recording.excludes-audio", {
    "has sound in the segments alone": onFile(/seg0/, (answer) => ({ ...answer, body: media("sound.mpegts") })),
  }),
  ...breaking("recording/segments-have-no-sound-track", "recording.video-alone", {
    "has a stream of silence in the segments": onFile(/seg0/, (answer) => ({
      ...answer,
      body: media("silence.mpegts"),
    })),
  }),
  ...breaking("recording/playlist-has-end", "replay.playlist_content.ended", {
    "lets players wait for more segments": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace("#EXT-X-ENDLIST\n", ""),
    })),
  }),
  ...breaking("recording/mp4-is-whole", "recording.mp4-after-session", {
    "gives a piece of the MP4 that ends within its headers": onFile(/mp4$/, (answer) => ({
      ...answer,
      status: 206,
      headers: { "content-range": "bytes 0-999/5000" },
      body: countBytes(answer).subarray(0, 1_000),
    })),
  }),
  ...breaking("recording/mp4-downloads", "replay.mp4_url.presigned", {
    "leads the download of the MP4 in a circle": onFile(/mp4$/, () => ({
      status: 302,
      headers: { location: "?again" },
      body: "",
    })),
  }),
];
