/** Faults of recordings. */
import { onFile, onReplay, type PageFault } from "./page-fault.ts";
import { media, type FileAnswer, type Replay, type Twist } from "../site-server.ts";

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

/** The same recording for every session, whatever its address says. */
const sameMovie = onFile(/mp4$/, (answer) => ({ ...answer, body: media("movie.mp4") }));

/** The movie with a number in a box that players skip. */
const boxed = (count: number): Uint8Array =>
  Buffer.concat([
    media("movie.mp4"),
    Buffer.from(`0000000966726565${(count % 256).toString(16).padStart(2, "0")}`, "hex"),
  ]);

const otherMovie = (name: string): Twist =>
  onReplay(({ mp4_url: url }) => ({ mp4_url: url.replace("movie.mp4", name) }));

/** The movie with another duration in the header of its track. */
function trackLasting({ body }: FileAnswer, durationMs: number): Uint8Array | string {
  if (typeof body === "string" || body === undefined) return "";
  const bytes = Buffer.from(body);
  const at = bytes.indexOf("mdhd") + 4;
  bytes.writeUInt32BE((durationMs / 1000) * bytes.readUInt32BE(at + 12), at + 16);
  return bytes;
}

/** The movie whose frames last another time, each. */
function framesLasting({ body }: FileAnswer, factor: number): Uint8Array | string {
  if (typeof body === "string" || body === undefined) return "";
  const bytes = Buffer.from(body);
  const at = bytes.indexOf("stts") + 4;
  bytes.writeUInt32BE(bytes.readUInt32BE(at + 12) * factor, at + 12);
  return bytes;
}

/** Servers with one fault each. */
export const recordingFaults: readonly PageFault[] = [
  {
    name: "gives the same recording for every session",
    twist: sameMovie,
    check: "recording/of-its-session",
    requirement: "replay.fetches-session-recording",
  },
  {
    name: "gives the same recording for every session, with the session in a box that is not shown",
    twist: { file: (name, answer, _, count) => (name.endsWith("mp4") ? { ...answer, body: boxed(count) } : answer) },
    check: "recording/of-its-session",
    requirement: "replay.fetches-session-recording",
  },
  {
    name: "gives the playlist of the first session for every session",
    twist: {
      replay: (() => {
        let first: string | undefined;
        return (replay: Replay): Replay => ({ ...replay, playlist_content: (first ??= replay.playlist_content) });
      })(),
    },
    check: "recording/of-its-session",
    requirement: "replay.fetches-session-recording",
  },
  {
    name: "gives the recording of the first session for every session",
    twist: {
      replay: (() => {
        let first: Replay | undefined;
        return (replay: Replay): Replay => (first ??= replay);
      })(),
    },
    check: "recording/of-its-session",
    requirement: "replay.fetches-session-recording",
  },
  {
    name: "records sound",
    twist: otherMovie("sound.mp4"),
    check: "recording/mp4-has-no-sound",
    requirement: "recording.excludes-audio",
  },
  {
    name: "gives an MP4 with a video track that has no frames",
    twist: onFile(/mp4$/, (answer) => ({ ...answer, body: media("init.mp4") })),
    check: "recording/mp4-has-video",
    requirement: "recording.mp4-after-session",
  },
  {
    name: "cuts the MP4 within its frames, and calls it complete",
    twist: onFile(/mp4$/, (answer) => ({ ...answer, body: (answer.body ?? "").slice(0, 2400) })),
    check: "recording/mp4-is-whole",
    requirement: "recording.mp4-after-session",
  },
  {
    name: "moves the frames of the MP4 without telling its header",
    twist: onFile(/mp4$/, (answer) => ({
      ...answer,
      body: Buffer.concat([Buffer.from(answer.body ?? "").subarray(0, 1094), Buffer.from(answer.body ?? "")]),
    })),
    check: "recording/mp4-is-whole",
    requirement: "recording.mp4-after-session",
  },
  {
    name: "has another duration in the header of the video track",
    twist: onFile(/mp4$/, (answer) => ({ ...answer, body: trackLasting(answer, 60_000) })),
    check: "recording/mp4-duration",
    requirement: duration,
  },
  {
    name: "has frames that last ten times as long as the recording",
    twist: onFile(/mp4$/, (answer) => ({ ...answer, body: framesLasting(answer, 10) })),
    check: "recording/mp4-duration",
    requirement: duration,
  },
  {
    name: "lets an address of the MP4 be used once",
    twist: {
      file: (name, answer, _, _count, times) =>
        name.endsWith("mp4") && times > 1 ? { status: 403, body: "used" } : answer,
    },
    check: "recording/addresses-work-until-expiry",
    requirement: "replay.expires_at.meaning",
  },
  {
    name: "lets addresses work on after they have expired",
    twist: {
      ...onReplay(() => ({ expires_at: new Date(Date.now() + 1_500).toISOString() })),
    },
    check: "recording/addresses-expire",
    requirement: "limits.presigned-urls-expire",
  },
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
    requirement: "replay.expires_at.future",
  },
  {
    name: "has a track of silence",
    twist: otherMovie("silence.mp4"),
    check: "recording/mp4-has-video-alone",
    requirement: "recording.video-alone",
  },
  {
    name: "asks for credentials when the MP4 is downloaded",
    twist: onFile(/mp4$/, () => ({ status: 401, body: "Unauthorized" })),
    check: "recording/mp4-downloads",
    requirement: "replay.mp4_url.presigned",
  },
  {
    name: "gives an address of the MP4 without its signature",
    twist: onReplay(({ mp4_url: url }) => ({ mp4_url: url.replace(/signature=[^&]*/, "signature=") })),
    check: "recording/mp4-downloads",
    requirement: "replay.mp4_url.presigned",
  },
  {
    name: "lists a segment that anyone can download among signed ones",
    twist: {
      ...onReplay(({ playlist_content: text }) => ({ playlist_content: text.replace(/(seg1\.mpegts)\?.*/, "$1") })),
      file: (name, answer) => (name.startsWith("seg1") ? { ...answer, status: 200, body: media(name) } : answer),
    },
    check: "recording/addresses-signed-alike",
    requirement: "replay.addresses-signed-alike",
  },
  {
    name: "signs the segments for a shorter time than it tells",
    twist: onReplay(({ playlist_content: text, expires_at: at }) => ({
      playlist_content: text.replaceAll(/signature=.*/g, `$&&Key-Pair-Id=K7&Expires=${Date.parse(at) / 1000 - 1_800}`),
    })),
    check: "recording/addresses-expire-as-told",
    requirement: "replay.expires_at.of-addresses",
  },
  {
    name: "answers the download of the MP4 with an error page and 200",
    twist: onFile(/mp4$/, () => errorPage),
    check: "recording/mp4-is-mp4",
    requirement: "replay.mp4_url.meaning",
  },
  {
    name: "cuts the MP4 before its end, and calls it complete",
    twist: onFile(/mp4$/, (answer) => ({ ...answer, body: (answer.body ?? "").slice(0, 32) })),
    check: "recording/mp4-is-mp4",
    requirement: "replay.mp4_url.meaning",
  },
  {
    name: "says how long the MP4 lasts in seconds, of a long recording",
    twist: { ...onFile(/mp4$/, (answer) => ({ ...answer, body: lasting(answer, 2_000_000) })) },
    check: "recording/mp4-duration",
    requirement: duration,
  },
  {
    name: "has an MP4 that lasts more than a second longer",
    twist: onFile(/mp4$/, (answer) => ({ ...answer, body: lasting(answer, 3_400) })),
    check: "recording/mp4-duration-exact",
    requirement: "replay.video_duration_ms.exact",
  },
  ...[
    {
      where: "the header of its MP4",
      twist: onFile(/mp4$/, (answer) => ({ ...answer, body: lasting(answer, 2_300) })),
    },
    {
      where: "the header of its video track",
      twist: onFile(/mp4$/, (answer) => ({ ...answer, body: trackLasting(answer, 1_200) })),
    },
  ].map(({ where, twist }) => ({
    name: `says a duration that is a little off from ${where}`,
    twist,
    check: "recording/mp4-duration-to-the-frame",
    requirement: "replay.video_duration_ms.to-the-frame",
  })),
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
