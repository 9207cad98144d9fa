/** Targets whose cookies or recording are not of the form that they should have. */
import { json, type Fields, type Json } from "../messages.ts";
import { cookies, recording } from "../content.ts";
import { listBreaking, type FaultyTarget } from "../faulty-target.ts";
import type { Service } from "../service.ts";
import { film, revise, status, text } from "../parts.ts";

const readsAs = (value: Json): Partial<Service> => ({ cookies: () => value });
const cookie = (fields: Fields): Partial<Service> =>
  readsAs({ cookies: cookies.with(1, { ...cookies[1], ...fields }) });
/** A playlist with one more line in front of its segment. */
const playlistWith = (line: string): string =>
  `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:10\n${line}\n#EXTINF:10.0,\nhttps://recordings.example/7c1d/0.ts?signature=b6f0\n#EXT-X-ENDLIST\n`;

/** A value of another type for each field of a cookie. */
const wrongCookies: Readonly<Record<string, Json>> = {
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

const cookieFaults: readonly FaultyTarget[] = [
  ...Object.entries(wrongCookies).flatMap(([field, value]) =>
    listBreaking(`cookies.cookie.${field}.type`, {
      [`cookie-${field}-is-of-another-type`]: cookie({ [field]: value }),
    }),
  ),
  ...listBreaking("cookies.body", {
    "cookies-is-an-object-by-name": readsAs({ cookies: { sid: "a1b2" } }),
    "cookies-is-a-header": readsAs({ cookies: "sid=a1b2" }),
  }),
  ...listBreaking("cookies.items", {
    "cookie-is-a-string": readsAs({ cookies: ["sid=a1b2"] }),
    "cookie-is-a-pair": readsAs({ cookies: [["sid", "a1b2"]] }),
  }),
  ...listBreaking("cookies.body-is-json", {
    "cookies-are-in-the-form-of-netscape": revise(
      "cookies",
      200,
      text(() => "ferries.example\tTRUE\t/\tFALSE\t0\tsid\ta1b2\n"),
    ),
    "cookies-are-cut-off": revise(
      "cookies",
      200,
      text((body) => body.slice(0, -3)),
    ),
    "cookies-are-not-utf-8": {
      revises: (answer, request) =>
        request.path.endsWith("/cookies") && answer.status === 200
          ? { ...answer, pieces: ['{"cookies":[{"name":"', Uint8Array.of(0xe9), '"}]}'] }
          : answer,
    },
  }),
  ...listBreaking("cookies.status-200", {
    "cookies-answers-203": revise("cookies", 200, status(203)),
    "cookies-answers-500": revise("cookies", 200, status(500)),
    "cookies-answers-304": revise("cookies", 200, status(304)),
  }),
  ...listBreaking("cookies.method-and-path", {
    "cookies-are-served-for-post": {
      revises: (answer, { path }) => (path.endsWith("/cookies") && answer.status === 200 ? json(405, {}) : answer),
    },
  }),
];

const texts = ["mp4_url", "playlist_content", "expires_at"];
const numbers = ["video_start_ms", "video_duration_ms"];
const slug = (field: string): string => field.replaceAll("_", "-");

/** Has another length with each read, as if the recording went on. */
function growing(): Partial<Service> {
  let reads = 0;
  return {
    recording: () => {
      reads += 1;
      const { video_duration_ms: durationMs = 0 } = recording;
      return { ...recording, video_duration_ms: Number(durationMs) + reads };
    },
  };
}

const replayFaults: readonly FaultyTarget[] = [
  { id: "recordings-grow-from-read-to-read", requirement: "replay.same-recording", how: growing },
  ...texts.flatMap((field) =>
    listBreaking(`replay.${field}.type`, { [`${slug(field)}-is-an-object`]: film({ [field]: { value: "" } }) }),
  ),
  ...numbers.flatMap((field) =>
    listBreaking(`replay.${field}.type`, {
      [`${slug(field)}-is-a-string`]: film({ [field]: "240" }),
      [`${slug(field)}-is-a-fraction`]: film({ [field]: 240.5 }),
    }),
  ),
  ...listBreaking("replay.expires_at.type", { "expires-at-is-a-number": film({ expires_at: 2_111_131_800 }) }),
  ...listBreaking("replay.playlist_content.meaning", {
    "playlist-lists-playlists": film({
      playlist_content: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nhttps://recordings.example/7c1d.m3u8\n",
    }),
    "playlist-lists-nothing": film({ playlist_content: "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-ENDLIST\n" }),
    "playlist-has-relative-addresses": film({ playlist_content: "#EXTM3U\n#EXTINF:10.0,\n0.ts\n#EXT-X-ENDLIST\n" }),
    "playlist-has-a-relative-section": film({ playlist_content: playlistWith('#EXT-X-MAP:URI="init.mp4"') }),
    "playlist-has-a-relative-key": film({ playlist_content: playlistWith('#EXT-X-KEY:METHOD=AES-128,URI="/key"') }),
  }),
  ...listBreaking("replay.video_duration_ms.meaning", { "duration-is-in-seconds": film({ video_duration_ms: 10 }) }),
  ...listBreaking("replay.expires_at.time-of-day", { "expires-at-is-a-day": film({ expires_at: "2036-11-21" }) }),
  ...listBreaking("replay.expires_at.letters", {
    "expires-at-has-a-space": film({ expires_at: "2036-11-21 09:30:00+00:00" }),
    "expires-at-has-small-letters": film({ expires_at: "2036-11-21t09:30:00z" }),
  }),
  ...listBreaking("replay.body-is-json", {
    "replay-is-the-playlist": revise(
      "replay",
      200,
      text(() => "#EXTM3U\n"),
    ),
  }),
  ...listBreaking("replay.status-200", {
    "replay-answers-202": revise("replay", 200, status(202)),
    "replay-answers-206": revise("replay", 200, status(206)),
  }),
];

export const readFaults: readonly FaultyTarget[] = [...cookieFaults, ...replayFaults];
