/** Faults of the segments of recordings, and of files that end too early. */
import { onFile, onReplay, type PageFault } from "./page-fault.ts";
import { media, playlist, type FileAnswer } from "../site-server.ts";

const meaning = "replay.playlist_content.meaning";

const addressesIn = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("http"));

const bytesOf = ({ body }: FileAnswer): Buffer => Buffer.from(body ?? "");

const emptyPacket = Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]);

/** As many packets as a segment has, none of which holds anything. */
const emptied = (answer: FileAnswer): Buffer =>
  Buffer.concat(Array.from({ length: Math.floor(bytesOf(answer).length / emptyPacket.length) }, () => emptyPacket));

/** Servers with one fault each. */
export const segmentFaults: readonly PageFault[] = [
  {
    name: "gives the same file for both segments",
    twist: onFile(/seg1/, (answer) => ({ ...answer, body: media("seg0.mpegts") })),
    check: "recording/segments-follow",
    requirement: meaning,
  },
  {
    name: "lists the segments from the last to the first",
    twist: onReplay(({ playlist_content: text }) => ({ playlist_content: playlist(addressesIn(text).toReversed()) })),
    check: "recording/segments-follow",
    requirement: meaning,
  },
  {
    name: "cuts a segment within a packet",
    twist: onFile(/seg/, (answer) => ({ ...answer, body: bytesOf(answer).subarray(0, -50) })),
    check: "recording/segments-are-media",
    requirement: meaning,
  },
  {
    name: "gives a segment whose packets hold nothing",
    twist: onFile(/seg/, (answer) => ({ ...answer, body: emptied(answer) })),
    check: "recording/segments-are-media",
    requirement: meaning,
  },
  {
    name: "has sound in the segments alone",
    twist: onFile(/seg0/, (answer) => ({ ...answer, body: media("sound.mpegts") })),
    check: "recording/segments-have-no-sound",
    requirement: "recording.excludes-audio",
  },
  {
    name: "has a stream of silence in the segments",
    twist: onFile(/seg0/, (answer) => ({ ...answer, body: media("silence.mpegts") })),
    check: "recording/segments-have-no-sound-track",
    requirement: "recording.video-alone",
  },
  {
    name: "lets players wait for more segments",
    twist: onReplay(({ playlist_content: text }) => ({ playlist_content: text.replace("#EXT-X-ENDLIST\n", "") })),
    check: "recording/playlist-has-end",
    requirement: "replay.playlist_content.ended",
  },
  {
    name: "gives a piece of the MP4 that ends within its headers",
    twist: onFile(/mp4$/, (answer) => ({
      ...answer,
      status: 206,
      headers: { "content-range": "bytes 0-999/5000" },
      body: bytesOf(answer).subarray(0, 1_000),
    })),
    check: "recording/mp4-is-whole",
    requirement: "recording.mp4-after-session",
  },
  {
    name: "leads the download of the MP4 in a circle",
    twist: onFile(/mp4$/, () => ({ status: 302, headers: { location: "?again" }, body: "" })),
    check: "recording/mp4-downloads",
    requirement: "replay.mp4_url.presigned",
  },
];
