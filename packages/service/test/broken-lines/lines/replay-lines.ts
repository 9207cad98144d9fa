import type { BrokenLine } from "../broken-line.ts";

const store = "recorder/src/recordings/recordings.ts";
const replay = "recorder/src/recordings/replay.ts";

/** The replay of a recording, and what its presigned URLs return. */
export const replayLines: readonly BrokenLine[] = [
  { file: replay, text: "mp4_url: presignFile(replayFile),", becomes: "", requirement: "replay.mp4_url.required" },
  {
    file: replay,
    text: "mp4_url: presignFile(replayFile),",
    becomes: "mp4_url: [presignFile(replayFile)],",
    requirement: "replay.mp4_url.type",
  },
  {
    file: replay,
    text: "mp4_url: presignFile(replayFile),",
    becomes: "mp4_url: new URL(presignFile(replayFile)).pathname,",
    requirement: "replay.mp4_url.address",
  },
  {
    file: replay,
    text: "mp4_url: presignFile(replayFile),",
    becomes: 'mp4_url: presignFile(replayFile).split("?", 1)[0],',
    requirement: "replay.mp4_url.presigned",
  },
  {
    file: replay,
    text: "playlist_content: writePlaylist(video.durationMs, presignFile),",
    becomes: 'playlist_content: presignFile("playlist.m3u8"),',
    requirement: "replay.playlist_content.hls",
  },
  {
    file: "recorder/src/encoding/hls-segments.ts",
    text: "${address(segment.file)}",
    becomes: "${segment.file}",
    requirement: "replay.playlist_content.meaning",
  },
  {
    file: "recorder/src/encoding/hls-segments.ts",
    text: "${address(segment.file)}",
    becomes: '${address(segment.file).split("?")[0]}',
    requirement: "replay.playlist_content.presigned",
  },
  {
    file: replay,
    text: '.toISOString().replace("Z", "+00:00")',
    becomes: '.toISOString().replace("Z", "")',
    requirement: "replay.expires_at.iso-8601-with-offset",
  },
  {
    file: replay,
    text: "video_start_ms: video.startMs,",
    becomes: "video_start_ms: video.startMs + 0.5,",
    requirement: "replay.video_start_ms.type",
  },
  { file: replay, text: "video_start_ms: video.startMs,", becomes: "", requirement: "replay.video_start_ms.required" },
  {
    file: replay,
    text: "video_duration_ms: video.durationMs,",
    becomes: "video_duration_ms: String(video.durationMs),",
    requirement: "replay.video_duration_ms.type",
  },
  {
    file: replay,
    text: "video_duration_ms: video.durationMs,",
    becomes: "video_duration_ms: video.durationMs * 1000,",
    requirement: "replay.video_duration_ms.meaning",
    sample: true,
  },
  {
    file: store,
    text: "const path = replayPath(recording, file);",
    becomes: 'const path = replayPath(recording, "segment-000000.ts");',
    requirement: "replay.mp4_url.meaning",
  },
  {
    file: store,
    text: 'if (!found) return "missing";',
    becomes: 'return "missing";',
    requirement: "replay.mp4_url.presigned",
  },
  {
    file: "recorder/src/serving/presigned-url.ts",
    text: 'return nowMs < expiresAtMs ? "good" : "expired";',
    becomes: 'return "expired";',
    requirement: "replay.mp4_url.presigned",
  },
  {
    file: "service/src/http/interface-routes.ts",
    text: "return c.json(replay);",
    becomes: "return c.json(replay, 202);",
    requirement: "recording.exists-after-session-end",
  },
  {
    file: "service/src/http/interface-routes.ts",
    text: "return c.json(replay);",
    becomes: "return c.text(JSON.stringify(replay).slice(1));",
    requirement: "replay.body-is-json",
  },
];
