/** Faults of cookies and recordings. */
import { onFile, onReplay, type PageFault } from "./page-fault.ts";
import { playlist, type FileAnswer } from "./site-server.ts";

const cookies = "cookies.reads-session-cookies";
const duration = "replay.video_duration_ms.meaning";
const playlistMeaning = "replay.playlist_content.meaning";

const errorPage: FileAnswer = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: `<!doctype html><title>Not found</title>${"<p>The recording could not be found.</p>".repeat(20)}`,
};

/** The movie with another duration in its header. */
function lasting({ body }: FileAnswer, durationMs: number): Uint8Array | string {
  if (typeof body === "string" || body === undefined) return "";
  const bytes = Buffer.from(body);
  const at = bytes.indexOf("mvhd") + 4;
  bytes.writeUInt32BE((durationMs / 1000) * bytes.readUInt32BE(at + 12), at + 16);
  return bytes;
}

/** Servers with one fault each. */
export const cookieFaults: readonly PageFault[] = [
  {
    name: "reads the cookies of another session",
    twist: { cookies: (own, all) => all.find(({ cookies: list }) => list !== own)?.cookies ?? own },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "reads what scripts can read alone",
    twist: { cookies: (own) => own.filter(({ httpOnly }) => !httpOnly) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "knows no cookie that a script has set",
    twist: { cookies: (own) => own.filter(({ name }) => !name.startsWith("pier_")) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "cuts the values of cookies",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.slice(0, 8) })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "reads the cookies of all sessions at once",
    twist: { cookies: (_, all) => all.flatMap(({ cookies: list }) => list) },
    check: "page/cookies-of-no-other-session",
    requirement: cookies,
  },
  {
    name: "resolves escapes in the values of cookies",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.replaceAll("%20", " ") })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "cuts the values of cookies at the equals sign",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.replace(/=.*/, "") })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "cuts the values of cookies at 1,024 characters",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, value: cookie.value.slice(0, 1024) })) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "leaves out cookies that end by themselves",
    twist: { cookies: (own) => own.filter(({ session }) => session) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "keeps one cookie of each name",
    twist: { cookies: (own) => own.filter((one, at) => own.findIndex(({ name }) => name === one.name) === at) },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "lists cookies that the page has removed",
    twist: {
      cookies: (own) => [
        ...own,
        ...own
          .filter(({ name }) => name.startsWith("pier_"))
          .map(({ name, value, path }) => ({ name: name.replace("pier", "ebb"), value, path })),
      ],
    },
    check: "page/cookies-of-session",
    requirement: cookies,
  },
  {
    name: "gives another host as the domain of every cookie",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, domain: "browser.internal" })) },
    check: "page/cookies-attributes",
    requirement: "cookies.attributes-as-set",
  },
  ...(["httpOnly", "session", "secure"] as const).map((field): PageFault => ({
    name: `says the contrary in ${field}`,
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, [field]: !cookie[field] })) },
    check: "page/cookies-attributes",
    requirement: "cookies.attributes-as-set",
  })),
  {
    name: "gives the root as the path of every cookie",
    twist: { cookies: (own) => own.map((cookie) => ({ ...cookie, path: "/" })) },
    check: "page/cookies-attributes",
    requirement: "cookies.attributes-as-set",
  },
];

/** Servers with one fault each. */
export const recordingFaults: readonly PageFault[] = [
  {
    name: "fails to read the replay of an ended session",
    twist: { replayStatus: 500 },
    check: "recording/exists",
    requirement: "recording.exists-after-session-end",
  },
  {
    name: "gives addresses that have expired",
    twist: onReplay(() => ({ expires_at: new Date(Date.now() - 86_400_000).toISOString() })),
    check: "recording/expires-later",
    requirement: "replay.expires_at.meaning",
  },
  {
    name: "asks for credentials when the MP4 is downloaded",
    twist: onFile(/mp4$/, () => ({ status: 401, body: "Unauthorized" })),
    check: "recording/mp4-downloads",
    requirement: "replay.mp4_url.presigned",
  },
  {
    name: "gives an address of the MP4 without its signature",
    twist: onReplay(({ mp4_url: url }) => ({ mp4_url: url.replace(/\?.*/, "") })),
    check: "recording/mp4-downloads",
    requirement: "replay.mp4_url.presigned",
  },
  {
    name: "answers the download of the MP4 with an error page and 200",
    twist: onFile(/mp4$/, () => errorPage),
    check: "recording/mp4-is-mp4",
    requirement: "recording.mp4-after-session",
  },
  {
    name: "cuts the MP4 before its end, and calls it complete",
    twist: onFile(/mp4$/, (answer) => ({ ...answer, body: (answer.body ?? "").slice(0, 32) })),
    check: "recording/mp4-is-mp4",
    requirement: "recording.mp4-after-session",
  },
  {
    name: "says how long the MP4 lasts in seconds, of a long recording",
    twist: { ...onFile(/mp4$/, (answer) => ({ ...answer, body: lasting(answer, 2_000_000) })) },
    check: "recording/mp4-duration",
    requirement: duration,
  },
  {
    name: "adds up segments to another length",
    twist: onReplay(({ playlist_content: text }) => ({ playlist_content: text.replaceAll("1.000", "9.500") })),
    check: "recording/playlist-duration",
    requirement: duration,
  },
  {
    name: "lists other playlists in place of segments",
    twist: onReplay((_, origin) => ({
      playlist_content: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n${origin}/files/playlist.m3u8\n`,
    })),
    check: "recording/playlist-lists-segments",
    requirement: playlistMeaning,
  },
  {
    name: "lists segments by relative addresses",
    twist: onReplay(() => ({ playlist_content: playlist(["seg0.mpegts", "seg1.mpegts"]) })),
    check: "recording/playlist-lists-segments",
    requirement: playlistMeaning,
  },
  {
    name: "asks for credentials when the second segment is downloaded",
    twist: onFile(/seg1/, () => ({ status: 403, body: "Forbidden" })),
    check: "recording/segments-download",
    requirement: "replay.playlist_content.presigned",
  },
  {
    name: "answers a segment with an error page and 200",
    twist: onFile(/seg1/, () => errorPage),
    check: "recording/segments-are-media",
    requirement: playlistMeaning,
  },
];
