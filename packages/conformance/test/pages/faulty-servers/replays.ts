/** Faults of what a replay says: its addresses, its times, its playlist. */
import { media, playlist, type Twist } from "../site-server.ts";
import { breakPages, inAddress, inPlaylist, onReplay } from "./faulty-server.ts";

const segmentText = Buffer.from(media("seg1.mpegts")).toString("base64");

/** Another length of each segment in the playlist. */
const setLengths = (text: string, seconds: string): string =>
  text.replaceAll("1.000", seconds).replace("TARGETDURATION:1", `TARGETDURATION:${Math.ceil(Number(seconds))}`);
const lengthen = (seconds: string): Twist => inPlaylist((text) => setLengths(text, seconds));

/** Another duration, which the playlist agrees with, and the MP4 does not. */
const sayDuration = (durationMs: number): Twist =>
  onReplay(({ playlist_content: text }) => ({
    video_duration_ms: durationMs,
    playlist_content: setLengths(text, String(durationMs / 2000)),
  }));

const rewrite = (from: RegExp | string, to: string): Twist => inPlaylist((text) => text.replace(from, to));

/** Servers with one fault each. */
export const replayFaults = breakPages({
  "recording/expires-within-reach replay.expires_at.within-reach": {
    "gives addresses that expire in ten thousand years": onReplay(() => ({ expires_at: "9999-12-31T23:59:59Z" })),
  },
  "recording/addresses-reachable replay.addresses-reachable": {
    "gives addresses at a port where nobody listens": inAddress((url) => url.replace(/:\d+/, ":1")),
  },
  "recording/playlist-lists-segments replay.playlist_content.meaning": {
    "lists a segment by an address that holds its bytes": rewrite(
      /^http.*seg1.*$/m,
      `data:video/mp2t;base64,${segmentText}`,
    ),
    "lists segments by relative addresses": inPlaylist(() => playlist(["seg0.mpegts", "seg1.mpegts"])),
    "lists segments of this machine": {
      replay: (replay, _, id) => ({
        ...replay,
        playlist_content: playlist([`file:///srv/${id}/0.ts`, `file:///srv/${id}/1.ts`]),
      }),
    },
  },
  "recording/mp4-duration replay.video_duration_ms.meaning": {
    "says of a short recording how long it lasts in seconds": sayDuration(2),
    "says how long the recording lasts in microseconds": sayDuration(2_000_000),
  },
  "recording/playlist-has-required-tags replay.playlist_content.required-tags": {
    "does not say how long a segment lasts": rewrite(/#EXTINF:[\d.]+/, "#EXTINF:"),
    "names no target duration in the playlist": rewrite(/#EXT-X-TARGETDURATION.*\n/, ""),
  },
  "recording/starts-within-session replay.video_start_ms.within-session": {
    "gives a moment as the offset of the video": onReplay(() => ({ video_start_ms: Date.now() })),
    "gives the time of day in seconds as the offset of the video": onReplay(() => ({
      video_start_ms: Math.round(Date.now() / 1000),
    })),
  },
  "recording/playlist-follows-rfc-8216 replay.playlist_content.rfc-8216": {
    "names a target duration that segments exceed": rewrite(/(#EXT-X-TARGETDURATION:).*/, "$10"),
    "numbers the first segment in words": rewrite("#EXTINF", "#EXT-X-MEDIA-SEQUENCE:first\n#EXTINF"),
    "announces a segment that does not come": rewrite("#EXT-X-ENDLIST", "#EXTINF:1.000,\n#EXT-X-ENDLIST"),
    "uses initialization sections in a playlist of a version that has none": inPlaylist((text, { mp4_url: url }) =>
      text
        .replace(/VERSION:\d+/, "VERSION:3")
        .replace("#EXTINF", `#EXT-X-MAP:URI="${url.replace("movie", "init")}"\n#EXTINF`),
    ),
  },
  "recording/playlist-is-media replay.playlist_content.media-playlist": {
    "lists other playlists in place of segments": onReplay((_, origin) => ({
      playlist_content: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n${origin}/files/playlist.m3u8\n`,
    })),
  },
  "recording/playlist-duration-exact replay.video_duration_ms.exact": {
    "has segments that together last more than a second longer": lengthen("1.700"),
  },
  "recording/playlist-duration-to-the-frame replay.video_duration_ms.to-the-frame": {
    "has segments that together last a little longer": lengthen("1.150"),
  },
  "recording/playlist-duration replay.video_duration_ms.meaning": {
    "adds up segments to another length": lengthen("9.500"),
  },
});
