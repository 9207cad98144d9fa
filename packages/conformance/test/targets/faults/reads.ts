/** Servers whose cookies or recording are not of the form that they should have. */
import { instead, listStatuses, send, set, text } from "../changes.ts";
import { recording } from "../content.ts";
import { breakAnswers, breakService, dash, type Fault } from "../fault.ts";
import { json, type Json } from "../messages.ts";
import type { Parts } from "../service.ts";

/** A playlist with one more line in front of its segment. */
const playlistWith = (line: string): string =>
  `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:10\n${line}\n#EXTINF:10.0,\nhttps://recordings.example/7c1d/0.ts?signature=b6f0\n#EXT-X-ENDLIST\n`;

/** A value of another type for each field of a cookie. */
const wrongCookieFields: Readonly<Record<string, Json>> = {
  name: 7,
  value: { secret: true },
  domain: ["ferries.example"],
  path: false,
  httpOnly: "true",
  expirationDate: "2036-11-21T09:30:00Z",
  hostOnly: 1,
  sameSite: 1,
  secure: "yes",
  session: 0,
  storeId: 0,
  expires: "Session",
  partitionKey: { topLevelSite: "https://ferries.example" },
};

const cookieFaults = breakAnswers("cookies", [
  ...Object.entries(wrongCookieFields).map(([field, value]) => ({
    [`cookies.cookie.${field}.type`]: { [`cookie-${field}-is-of-another-type`]: set(`cookies/1/${field}`, value) },
  })),
  {
    "cookies.body": {
      "cookies-is-an-object-by-name": set("cookies", { sid: "a1b2" }),
      "cookies-is-a-header": set("cookies", "sid=a1b2"),
    },
    "cookies.items": {
      "cookie-is-a-string": set("cookies", ["sid=a1b2"]),
      "cookie-is-a-pair": set("cookies", [["sid", "a1b2"]]),
    },
    "cookies.body-is-json": {
      "cookies-are-in-the-form-of-netscape": send("ferries.example\tTRUE\t/\tFALSE\t0\tsid\ta1b2\n"),
      "cookies-are-cut-off": text((body) => body.slice(0, -3)),
      "cookies-are-not-utf-8": send('{"cookies":[{"name":"', Uint8Array.of(0xe9), '"}]}'),
    },
    "cookies.status-200": listStatuses("cookies", [203, 500, 304]),
    "cookies.method-and-path cookies-are-served-for-post": instead(json(405, {})),
  },
]);

/** Has another length with each read, as if the recording went on. */
function grow(): Parts {
  let reads = 0;
  return {
    recording: () => ({ ...recording, video_duration_ms: Number(recording["video_duration_ms"]) + (reads += 1) }),
  };
}

const replayFaults = breakAnswers("replay", [
  ...["mp4_url", "playlist_content", "expires_at"].map((field) => ({
    [`replay.${field}.type`]: { [`${dash(field)}-is-an-object`]: set(field, { value: "" }) },
  })),
  ...["video_start_ms", "video_duration_ms"].map((field) => ({
    [`replay.${field}.type`]: {
      [`${dash(field)}-is-a-string`]: set(field, "240"),
      [`${dash(field)}-is-a-fraction`]: set(field, 240.5),
    },
  })),
  {
    "replay.expires_at.type expires-at-is-a-number": set("expires_at", 2_111_131_800),
    "replay.playlist_content.meaning": {
      "playlist-lists-playlists": set(
        "playlist_content",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nhttps://recordings.example/7c1d.m3u8\n",
      ),
      "playlist-lists-nothing": set("playlist_content", "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-ENDLIST\n"),
      "playlist-has-relative-addresses": set("playlist_content", "#EXTM3U\n#EXTINF:10.0,\n0.ts\n#EXT-X-ENDLIST\n"),
      "playlist-has-a-relative-section": set("playlist_content", playlistWith('#EXT-X-MAP:URI="init.mp4"')),
      "playlist-has-a-relative-key": set("playlist_content", playlistWith('#EXT-X-KEY:METHOD=AES-128,URI="/key"')),
    },
    "replay.video_duration_ms.meaning duration-is-in-seconds": set("video_duration_ms", 10),
    "replay.expires_at.time-of-day expires-at-is-a-day": set("expires_at", "2036-11-21"),
    "replay.expires_at.letters": {
      "expires-at-has-a-space": set("expires_at", "2036-11-21 09:30:00+00:00"),
      "expires-at-has-small-letters": set("expires_at", "2036-11-21t09:30:00z"),
    },
    "replay.body-is-json replay-is-the-playlist": send("#EXTM3U\n"),
    "replay.status-200": listStatuses("replay", [202, 206]),
  },
]);

export const readFaults: readonly Fault[] = [
  ...cookieFaults,
  ...breakService({ "replay.same-recording": { "recordings-grow-from-read-to-read": grow } }),
  ...replayFaults,
];
