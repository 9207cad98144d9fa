/** Faults of what a replay says: its addresses, its times, its playlist. */
import { onReplay, type PageFault } from "./page-fault.ts";
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
  {
    name: "gives addresses that expire in ten thousand years",
    twist: onReplay(() => ({ expires_at: "9999-12-31T23:59:59Z" })),
    check: "recording/expires-within-reach",
    requirement: "replay.expires_at.within-reach",
  },
  {
    name: "gives addresses at a port where nobody listens",
    twist: onReplay(({ mp4_url: url }) => ({ mp4_url: url.replace(/:\d+/, ":1") })),
    check: "recording/addresses-reachable",
    requirement: "replay.addresses-reachable",
  },
  {
    name: "lists a segment by an address that holds its bytes",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace(/^http.*seg1.*$/m, `data:video/mp2t;base64,${segmentText}`),
    })),
    check: "recording/playlist-lists-segments",
    requirement: playlistMeaning,
  },
  {
    name: "says of a short recording how long it lasts in seconds",
    twist: lastingByItsPlaylist(2),
    check: "recording/mp4-duration",
    requirement: duration,
  },
  {
    name: "does not say how long a segment lasts",
    twist: onReplay(({ playlist_content: text }) => ({ playlist_content: text.replace(/#EXTINF:[\d.]+/, "#EXTINF:") })),
    check: "recording/playlist-has-required-tags",
    requirement: "replay.playlist_content.required-tags",
  },
  {
    name: "gives a moment as the offset of the video",
    twist: onReplay(() => ({ video_start_ms: Date.now() })),
    check: "recording/starts-within-session",
    requirement: "replay.video_start_ms.within-session",
  },
  {
    name: "names no target duration in the playlist",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace(/#EXT-X-TARGETDURATION.*\n/, ""),
    })),
    check: "recording/playlist-has-required-tags",
    requirement: "replay.playlist_content.required-tags",
  },
  {
    name: "names a target duration that segments exceed",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace(/(#EXT-X-TARGETDURATION:).*/, "$10"),
    })),
    check: "recording/playlist-follows-rfc-8216",
    requirement: "replay.playlist_content.rfc-8216",
  },
  {
    name: "lists other playlists in place of segments",
    twist: onReplay((_, origin) => ({
      playlist_content: `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n${origin}/files/playlist.m3u8\n`,
    })),
    check: "recording/playlist-is-media",
    requirement: "replay.playlist_content.media-playlist",
  },
  {
    name: "lists segments by relative addresses",
    twist: onReplay(() => ({ playlist_content: playlist(["seg0.mpegts", "seg1.mpegts"]) })),
    check: "recording/playlist-lists-segments",
    requirement: playlistMeaning,
  },
  {
    name: "has segments that together last more than a second longer",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replaceAll("1.000", "1.700").replace("TARGETDURATION:1", "TARGETDURATION:2"),
    })),
    check: "recording/playlist-duration-exact",
    requirement: "replay.video_duration_ms.exact",
  },
  {
    name: "has segments that together last a little longer",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replaceAll("1.000", "1.150").replace("TARGETDURATION:1", "TARGETDURATION:2"),
    })),
    check: "recording/playlist-duration-to-the-frame",
    requirement: "replay.video_duration_ms.to-the-frame",
  },
  {
    name: "adds up segments to another length",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replaceAll("1.000", "9.500").replace("TARGETDURATION:1", "TARGETDURATION:10"),
    })),
    check: "recording/playlist-duration",
    requirement: duration,
  },
  {
    name: "says how long the recording lasts in microseconds",
    twist: lastingByItsPlaylist(2_000_000),
    check: "recording/mp4-duration",
    requirement: duration,
  },
  {
    name: "gives the time of day in seconds as the offset of the video",
    twist: onReplay(() => ({ video_start_ms: Math.round(Date.now() / 1000) })),
    check: "recording/starts-within-session",
    requirement: "replay.video_start_ms.within-session",
  },
  {
    name: "lists segments of this machine",
    twist: {
      replay: (replay, _, id) => ({
        ...replay,
        playlist_content: playlist([`file:///srv/${id}/0.ts`, `file:///srv/${id}/1.ts`]),
      }),
    },
    check: "recording/playlist-lists-segments",
    requirement: playlistMeaning,
  },
  {
    name: "numbers the first segment in words",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace("#EXTINF", "#EXT-X-MEDIA-SEQUENCE:first\n#EXTINF"),
    })),
    check: "recording/playlist-follows-rfc-8216",
    requirement: "replay.playlist_content.rfc-8216",
  },
  {
    name: "announces a segment that does not come",
    twist: onReplay(({ playlist_content: text }) => ({
      playlist_content: text.replace("#EXT-X-ENDLIST", "#EXTINF:1.000,\n#EXT-X-ENDLIST"),
    })),
    check: "recording/playlist-follows-rfc-8216",
    requirement: "replay.playlist_content.rfc-8216",
  },
  {
    name: "uses initialization sections in a playlist of a version that has none",
    twist: onReplay(({ playlist_content: text, mp4_url: url }) => ({
      playlist_content: text
        .replace(/VERSION:\d+/, "VERSION:3")
        .replace("#EXTINF", `#EXT-X-MAP:URI="${url.replace("movie", "init")}"\n#EXTINF`),
    })),
    check: "recording/playlist-follows-rfc-8216",
    requirement: "replay.playlist_content.rfc-8216",
  },
];
