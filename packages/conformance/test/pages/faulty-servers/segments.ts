/** Faults of the segments of recordings, and of files that end too early. */
import { media, playlist } from "../site-server.ts";
import { breakPages, inFile, inPlaylist, onFile } from "./faulty-server.ts";

const listAddresses = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("http"));

const emptyPacket = Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]);

/** As many packets as a segment has, none of which holds anything. */
const emptyPackets = ({ length }: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: Math.floor(length / emptyPacket.length) }, () => emptyPacket));

/** Servers with one fault each. */
export const segmentFaults = breakPages({
  "recording/segments-follow replay.playlist_content.meaning": {
    "gives the same file for both segments": inFile(/seg1/, () => media("seg0.mpegts")),
    "lists the segments from the last to the first": inPlaylist((text) => playlist(listAddresses(text).toReversed())),
  },
  "recording/segments-are-media replay.playlist_content.meaning": {
    "cuts a segment within a packet": inFile(/seg/, (bytes) => bytes.subarray(0, -50)),
    "gives a segment whose packets hold nothing": inFile(/seg/, emptyPackets),
  },
  "recording/segments-have-no-sound recording.excludes-audio": {
    "has sound in the segments alone": inFile(/seg0/, () => media("sound.mpegts")),
  },
  "recording/segments-have-no-sound-track recording.video-alone": {
    "has a stream of silence in the segments": inFile(/seg0/, () => media("silence.mpegts")),
  },
  "recording/playlist-has-end replay.playlist_content.ended": {
    "lets players wait for more segments": inPlaylist((text) => text.replace("#EXT-X-ENDLIST\n", "")),
  },
  "recording/mp4-is-whole recording.mp4-after-session": {
    "gives a piece of the MP4 that ends within its headers": onFile(/mp4$/, (answer) => ({
      ...answer,
      status: 206,
      headers: { "content-range": "bytes 0-999/5000" },
      body: Buffer.from(answer.body ?? "").subarray(0, 1_000),
    })),
  },
  "recording/mp4-downloads replay.mp4_url.presigned": {
    "leads the download of the MP4 in a circle": onFile(/mp4$/, () => ({
      status: 302,
      headers: { location: "?again" },
      body: "",
    })),
  },
});
