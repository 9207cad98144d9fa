/** Faults of recordings. */
import { media, type FileAnswer, type Replay, type Twist } from "../site-server.ts";
import { breakPages, inAddress, inFile, inPlaylist, onFile, onReplay } from "./faulty-server.ts";

const errorPage: FileAnswer = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: `<!doctype html><title>Not found</title>${"<p>The recording could not be found.</p>".repeat(20)}`,
};

/** Writes another duration into a header of the MP4: `mvhd` is that of the movie, `mdhd` that of its track. */
const setDuration = (box: "mvhd" | "mdhd", durationMs: number): Twist =>
  inFile(/mp4$/, (bytes) => {
    const at = bytes.indexOf(box) + 4;
    bytes.writeUInt32BE((durationMs / 1000) * bytes.readUInt32BE(at + 12), at + 16);
    return bytes;
  });

/** Lets each frame of the MP4 last another time. */
const stretchFrames = (factor: number): Twist =>
  inFile(/mp4$/, (bytes) => {
    const at = bytes.indexOf("stts") + 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(at + 12) * factor, at + 12);
    return bytes;
  });

/** The movie with a number in a box that players skip. */
const addBox = (count: number): Uint8Array => {
  const box = `0000000966726565${(count % 256).toString(16).padStart(2, "0")}`;
  return Buffer.concat([media("movie.mp4"), Buffer.from(box, "hex")]);
};

const giveMovie = (name: string): Twist => inAddress((url) => url.replace("movie.mp4", name));

/** Gives a part of the first replay for every session. */
const repeatFirst = (pick: (first: Replay) => Partial<Replay>): Twist => {
  let first: Partial<Replay> | undefined;
  return onReplay((replay) => (first ??= pick(replay)));
};

/** Servers with one fault each. */
export const recordingFaults = breakPages({
  "recording/of-its-session replay.fetches-session-recording": {
    "gives the same recording for every session": inFile(/mp4$/, () => media("movie.mp4")),
    "gives the same recording for every session, with the session in a box that is not shown": {
      file: (name, answer, _, count) => (name.endsWith("mp4") ? { ...answer, body: addBox(count) } : answer),
    },
    "gives the playlist of the first session for every session": repeatFirst(({ playlist_content }) => ({
      playlist_content,
    })),
    "gives the recording of the first session for every session": repeatFirst((first) => first),
  },
  "recording/mp4-has-no-sound recording.excludes-audio": { "records sound": giveMovie("sound.mp4") },
  "recording/mp4-has-video recording.mp4-after-session": {
    "gives an MP4 with a video track that has no frames": inFile(/mp4$/, () => media("init.mp4")),
  },
  "recording/mp4-is-whole recording.mp4-after-session": {
    "cuts the MP4 within its frames, and calls it complete": inFile(/mp4$/, (bytes) => bytes.subarray(0, 2400)),
    "moves the frames of the MP4 without telling its header": inFile(/mp4$/, (bytes) =>
      Buffer.concat([bytes.subarray(0, 1094), bytes]),
    ),
  },
  "recording/mp4-duration replay.video_duration_ms.meaning": {
    "has another duration in the header of the video track": setDuration("mdhd", 60_000),
    "has frames that last ten times as long as the recording": stretchFrames(10),
    "says how long the MP4 lasts in seconds, of a long recording": setDuration("mvhd", 2_000_000),
  },
  "recording/addresses-work-until-expiry replay.expires_at.meaning": {
    "lets an address of the MP4 be used once": {
      file: (name, answer, _, _count, times) =>
        name.endsWith("mp4") && times > 1 ? { status: 403, body: "used" } : answer,
    },
  },
  "recording/addresses-expire limits.presigned-urls-expire": {
    "lets addresses work on after they have expired": onReplay(() => ({
      expires_at: new Date(Date.now() + 1_500).toISOString(),
    })),
  },
  "recording/exists recording.exists-after-session-end": {
    "fails to read the replay of an ended session": { replayStatus: 500 },
  },
  "recording/expires-later replay.expires_at.future": {
    "gives addresses that have expired": onReplay(() => ({
      expires_at: new Date(Date.now() - 86_400_000).toISOString(),
    })),
  },
  "recording/mp4-has-video-alone recording.video-alone": { "has a track of silence": giveMovie("silence.mp4") },
  "recording/mp4-downloads replay.mp4_url.presigned": {
    "asks for credentials when the MP4 is downloaded": onFile(/mp4$/, () => ({ status: 401, body: "Unauthorized" })),
    "gives an address of the MP4 without its signature": inAddress((url) =>
      url.replace(/signature=[^&]*/, "signature="),
    ),
  },
  "recording/addresses-signed-alike replay.addresses-signed-alike": {
    "lists a segment that anyone can download among signed ones": {
      ...inPlaylist((text) => text.replace(/(seg1\.mpegts)\?.*/, "$1")),
      file: (name, answer) => (name.startsWith("seg1") ? { ...answer, status: 200, body: media(name) } : answer),
    },
  },
  "recording/addresses-expire-as-told replay.expires_at.of-addresses": {
    "signs the segments for a shorter time than it tells": inPlaylist((text, { expires_at: at }) =>
      text.replaceAll(/signature=.*/g, `$&&Key-Pair-Id=K7&Expires=${Date.parse(at) / 1000 - 1_800}`),
    ),
  },
  "recording/mp4-is-mp4 replay.mp4_url.meaning": {
    "answers the download of the MP4 with an error page and 200": onFile(/mp4$/, () => errorPage),
    "cuts the MP4 before its end, and calls it complete": inFile(/mp4$/, (bytes) => bytes.subarray(0, 32)),
  },
  "recording/mp4-duration-exact replay.video_duration_ms.exact": {
    "has an MP4 that lasts more than a second longer": setDuration("mvhd", 3_400),
  },
  "recording/mp4-duration-to-the-frame replay.video_duration_ms.to-the-frame": {
    "says a duration that is a little off from the header of its MP4": setDuration("mvhd", 2_300),
    "says a duration that is a little off from the header of its video track": setDuration("mdhd", 1_200),
  },
  "recording/segments-download replay.playlist_content.presigned": {
    "asks for credentials when the second segment is downloaded": onFile(/seg1/, () => ({
      status: 403,
      body: "Forbidden",
    })),
  },
  "recording/segments-are-media replay.playlist_content.meaning": {
    "answers a segment with an error page and 200": onFile(/seg1/, () => errorPage),
  },
});
