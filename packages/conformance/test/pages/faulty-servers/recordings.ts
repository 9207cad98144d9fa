/** Faults of recordings. */
import { breaking, onFile, onReplay, type PageFault } from "./faulty-server.ts";
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
  ...breaking("recording/of-its-session", "replay.fetches-session-recording", {
    "gives the same recording for every session": sameMovie,
    "gives the same recording for every session, with the session in a box that is not shown": {
      file: (name, answer, _, count) => (name.endsWith("mp4") ? { ...answer, body: boxed(count) } : answer),
    },
    "gives the playlist of the first session for every session": {
      replay: (() => {
        let first: string | undefined;
        return (replay: Replay): Replay => ({ ...replay, playlist_content: (first ??= replay.playlist_content) });
      })(),
    },
    "gives the recording of the first session for every session": {
      replay: (() => {
        let first: Replay | undefined;
        return (replay: Replay): Replay => (first ??= replay);
      })(),
    },
  }),
  ...breaking("recording/mp4-has-no-sound", "recording.excludes-audio", {
    "records sound": otherMovie("sound.mp4"),
  }),
  ...breaking("recording/mp4-has-video", "recording.mp4-after-session", {
    "gives an MP4 with a video track that has no frames": onFile(/mp4$/, (answer) => ({
      ...answer,
      body: media("init.mp4"),
    })),
  }),
  ...breaking("recording/mp4-is-whole", "recording.mp4-after-session", {
    "cuts the MP4 within its frames, and calls it complete": onFile(/mp4$/, (answer) => ({
      ...answer,
      body: (answer.body ?? "").slice(0, 2400),
    })),
    "moves the frames of the MP4 without telling its header": onFile(/mp4$/, (answer) => ({
      ...answer,
      body: Buffer.concat([Buffer.from(answer.body ?? "").subarray(0, 1094), Buffer.from(answer.body ?? "")]),
    })),
  }),
  ...breaking("recording/mp4-duration", duration, {
    "has another duration in the header of the video track": onFile(/mp4$/, (answer) => ({
      ...answer,
      body: trackLasting(answer, 60_000),
    })),
    "has frames that last ten times as long as the recording": onFile(/mp4$/, (answer) => ({
      ...answer,
      body: framesLasting(answer, 10),
    })),
    "says how long the MP4 lasts in seconds, of a long recording": {
      ...onFile(/mp4$/, (answer) => ({ ...answer, body: lasting(answer, 2_000_000) })),
    },
  }),
  ...breaking("recording/addresses-work-until-expiry", "replay.expires_at.meaning", {
    "lets an address of the MP4 be used once": {
      file: (name, answer, _, _count, times) =>
        name.endsWith("mp4") && times > 1 ? { status: 403, body: "used" } : answer,
    },
  }),
  ...breaking("recording/addresses-expire", "limits.presigned-urls-expire", {
    "lets addresses work on after they have expired": {
      ...onReplay(() => ({ expires_at: new Date(Date.now() + 1_500).toISOString() })),
    },
  }),
  ...breaking("recording/exists", "recording.exists-after-session-end", {
    "fails to read the replay of an ended session": { replayStatus: 500 },
  }),
  ...breaking("recording/expires-later", "replay.expires_at.future", {
    "gives addresses that have expired": onReplay(() => ({
      expires_at: new Date(Date.now() - 86_400_000).toISOString(),
    })),
  }),
  ...breaking("recording/mp4-has-video-alone", "recording.video-alone", {
    "has a track of silence": otherMovie("silence.mp4"),
  }),
  ...breaking("recording/mp4-downloads", "replay.mp4_url.presigned", {
    "asks for credentials when the MP4 is downloaded": onFile(/mp4$/, () => ({ status: 401, body: "Unauthorized" })),
    "gives an address of the MP4 without its signature": onReplay(({ mp4_url: url }) => ({
      mp4_url: url.replace(/signature=[^&]*/, "signature="),
    })),
  }),
  ...breaking("recording/addresses-signed-alike", "replay.addresses-signed-alike", {
    "lists a segment that anyone can download among signed ones": {
      ...onReplay(({ playlist_content: text }) => ({ playlist_content: text.replace(/(seg1\.mpegts)\?.*/, "$1") })),
      file: (name, answer) => (name.startsWith("seg1") ? { ...answer, status: 200, body: media(name) } : answer),
    },
  }),
  ...breaking("recording/addresses-expire-as-told", "replay.expires_at.of-addresses", {
    "signs the segments for a shorter time than it tells": onReplay(({ playlist_content: text, expires_at: at }) => ({
      playlist_content: text.replaceAll(/signature=.*/g, `$&&Key-Pair-Id=K7&Expires=${Date.parse(at) / 1000 - 1_800}`),
    })),
  }),
  ...breaking("recording/mp4-is-mp4", "replay.mp4_url.meaning", {
    "answers the download of the MP4 with an error page and 200": onFile(/mp4$/, () => errorPage),
    "cuts the MP4 before its end, and calls it complete": onFile(/mp4$/, (answer) => ({
      ...answer,
      body: (answer.body ?? "").slice(0, 32),
    })),
  }),
  ...breaking("recording/mp4-duration-exact", "replay.video_duration_ms.exact", {
    "has an MP4 that lasts more than a second longer": onFile(/mp4$/, (answer) => ({
      ...answer,
      body: lasting(answer, 3_400),
    })),
  }),
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
  ...breaking("recording/segments-download", "replay.playlist_content.presigned", {
    "asks for credentials when the second segment is downloaded": onFile(/seg1/, () => ({
      status: 403,
      body: "Forbidden",
    })),
  }),
  ...breaking("recording/segments-are-media", playlistMeaning, {
    "answers a segment with an error page and 200": onFile(/seg1/, () => errorPage),
  }),
];
