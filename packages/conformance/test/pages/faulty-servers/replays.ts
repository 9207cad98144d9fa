/** Faults of what a replay says: its addresses, its times, its playlist. */
import { breaking, onReplay, type PageFault } from "./faulty-server.ts";
import { media, playlist, type Twist } from "../site-server.ts";

const duration = "replay.video_duration_ms.meaning";
const playlistMeaning = "replay.playlist_content.meaning";

const segmentText = Buffer.from(media("seg1.mpegts")).toString("base64");

/** Another duration, which the playlist agrees with, and the MP4 does not. */
const lastingByItsPlaylist = (durationMs: number): Twist =>
  onReplay(({ playlist_content: text }) => ({
    video_duration_ms: durationMs,
    playlist_content: text
      .replaceAll("1.000", String(durationMs / 2000))
      .replace("TARGETDURATION:1", `TARGETDURATION:${Math.ceil(durationMs / 2000)}`),
  }));

/** Servers with one fault each. */
export const replayFaults: readonly PageFault[] = [
  ...breaking("recording/expires-within-reach", "replay.expires_at.within-reach", {
    "gives addresses that expire in ten thousand years": onReplay(() => ({ expires_at: "9999-12-31T23:59:59Z" })),
  }),
  ...breaking("recording/addresses-reachable", "replay.addresses-reachable", {
    "gives addresses at a port where nobody listens": onReplay(({ mp4_url: url }) => ({
      mp4_url: url.replace(/:\d+/, ":1"),
    })),
  }),
  ...breaking("recording/playlist-lists-segments", playlistMeaning, {
    "lists a segment by an address that holds its bytes": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace(/^http.*seg1.*$/m, `data:video/mp2t;base64,${segmentText}`),
    })),
    "lists segments by relative addresses": onReplay(() => ({
      playlist_content: playlist(["seg0.mpegts", "seg1.mpegts"]),
    })),
    "lists segments of this machine": {
      replay: (replay, _, id) => ({
        ...replay,
        playlist_content: playlist([`file:///srv/${id}/0.ts`, `file:///srv/${id}/1.ts`]),
      }),
    },
  }),
  ...breaking("recording/mp4-duration", duration, {
    "says of a short recording how long it lasts in seconds": lastingByItsPlaylist(2),
    "says how long the recording lasts in microseconds": lastingByItsPlaylist(2_000_000),
  }),
  ...breaking("recording/playlist-has-required-tags", "replay.playlist_content.required-tags", {
    "does not say how long a segment lasts": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace(/#EXTINF:[\d.]+/, "#EXTINF:"),
    })),
    "names no target duration in the playlist": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace(/#EXT-X-TARGETDURATION.*\n/, ""),
    })),
  }),
  ...breaking("recording/starts-within-session", "replay.video_start_ms.within-session", {
    "gives a moment as the offset of the video": onReplay(() => ({ video_start_ms: Date.now() })),
    "gives the time of day in seconds as the offset of the video": onReplay(() => ({
      video_start_ms: Math.round(Date.now() / 1000),
    })),
  }),
  ...breaking("recording/playlist-follows-rfc-8216", "replay.playlist_content.rfc-8216", {
    "names a target duration that segments exceed": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace(/(#EXT-X-TARGETDURATION:).*/, "$10"),
    })),
    "numbers the first segment in words": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace("#EXTINF", "#EXT-X-MEDIA-SEQUENCE:first\n#EXTINF"),
    })),
    "announces a segment that does not come": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace("#EXT-X-ENDLIST", "#EXTINF:1.000,\n#EXT-X-ENDLIST"),
    })),
    "uses initialization sections in a playlist of a version that has none": onReplay(
      ({ playlist_content: text, mp4_url: url }) => ({
        playlist_content: text
          .replace(/VERSION:\d+/, "VERSION:3")
          .replace("#EXTINF", `#EXT-X-MAP:URI="${url.replace("movie", "init")}"\n#EXTINF`),
      }),
    ),
  }),
  ...breaking("recording/playlist-is-media", "replay.playlist_content.media-playlist", {
    "lists other playlists in place of segments": onReplay((_, origin) => ({
      playlist_content: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n${origin}/files/playlist.m3u8\n`,
    })),
  }),
  ...breaking("recording/playlist-duration-exact", "replay.video_duration_ms.exact", {
    "has segments that together last more than a second longer": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replaceAll("1.000", "1.700").replace("TARGETDURATION:1", "TARGETDURATION:2"),
    })),
  }),
  ...breaking("recording/playlist-duration-to-the-frame", "replay.video_duration_ms.to-the-frame", {
    "has segments that together last a little longer": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replaceAll("1.000", "1.150").replace("TARGETDURATION:1", "TARGETDURATION:2"),
    })),
  }),
  ...breaking("recording/playlist-duration", duration, {
    "adds up segments to another length": onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replaceAll("1.000", "9.500").replace("TARGETDURATION:1", "TARGETDURATION:10"),
    })),
  }),
];
