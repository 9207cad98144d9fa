import type { BrokenLine } from "../broken-line.ts";

const store = "recorder/src/recordings/recordings.ts";

/** What is told of a recording, and what its addresses give. */
export const replayLines: readonly BrokenLine[] = [
  { file: store, text: "mp4_url: address(replayFile),", becomes: "", requirement: "replay.mp4_url.required" },
  {
    file: store,
    text: "mp4_url: address(replayFile),",
    becomes: "mp4_url: [address(replayFile)],",
    requirement: "replay.mp4_url.type",
  },
  {
    file: store,
    text: "mp4_url: address(replayFile),",
    becomes: "mp4_url: new URL(address(replayFile)).pathname,",
    requirement: "replay.mp4_url.address",
  },
  {
    file: store,
    text: "mp4_url: address(replayFile),",
    becomes: 'mp4_url: address(replayFile).split("?", 1)[0],',
    requirement: "replay.mp4_url.presigned",
  },
  {
    file: store,
    text: "playlist_content: playlistOf(stage.durationMs, address),",
    becomes: 'playlist_content: address("playlist.m3u8"),',
    requirement: "replay.playlist_content.hls",
  },
  {
    file: "recorder/src/encoding/segments.ts",
    text: "${address(segment.file)}",
    becomes: "${segment.file}",
    requirement: "replay.playlist_content.meaning",
  },
  {
    file: "recorder/src/encoding/segments.ts",
    text: "${address(segment.file)}",
    becomes: '${address(segment.file).split("?")[0]}',
    requirement: "replay.playlist_content.presigned",
  },
  {
    file: store,
    text: '.toISOString().replace("Z", "+00:00")',
    becomes: '.toISOString().replace("Z", "")',
    requirement: "replay.expires_at.iso-8601-with-offset",
  },
  {
    file: store,
    text: "const expiresAtMs = Math.min(now + (this.#options.urlTtlMs ?? hourMs), deleteAtMs);",
    becomes: "const expiresAtMs = now - hourMs;",
    requirement: "replay.expires_at.meaning",
  },
  {
    file: store,
    text: "video_start_ms: stage.startMs,",
    becomes: "video_start_ms: stage.startMs + 0.5,",
    requirement: "replay.video_start_ms.type",
  },
  { file: store, text: "video_start_ms: stage.startMs,", becomes: "", requirement: "replay.video_start_ms.required" },
  {
    file: store,
    text: "video_duration_ms: stage.durationMs,",
    becomes: "video_duration_ms: String(stage.durationMs),",
    requirement: "replay.video_duration_ms.type",
  },
  {
    file: store,
    text: "video_duration_ms: stage.durationMs,",
    becomes: "video_duration_ms: stage.durationMs * 1000,",
    requirement: "replay.video_duration_ms.meaning",
    sample: true,
  },
  {
    file: store,
    text: "const path = replayPath(recording, file);",
    becomes: 'const path = replayPath(recording, "segment-000000.ts");',
    requirement: "recording.mp4-after-session",
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
    text: "return c.json(await replay(session_id));",
    becomes: "return c.json(await replay(session_id), 202);",
    requirement: "recording.exists-after-session-end",
  },
  {
    file: "service/src/http/interface-routes.ts",
    text: "return c.json(await replay(session_id));",
    becomes: "return c.text(JSON.stringify(await replay(session_id)).slice(1));",
    requirement: "replay.body-is-json",
  },
];
