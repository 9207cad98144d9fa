import { replayFile } from "../encoding/encoder.ts";
import { writePlaylist } from "../encoding/hls-segments.ts";
import type { Presigner } from "../serving/presigned-url.ts";

/** A recording, ready to be played. Source: interface § ReplayResponse. */
export interface Replay {
  /** Presigned address of the MP4. Source: interface § ReplayResponse. */
  readonly mp4_url: string;
  /** HLS playlist with presigned URLs of its segments. Source: interface § ReplayResponse. */
  readonly playlist_content: string;
  /** Expiry of the addresses, ISO 8601 with offset. Source: interface § ReplayResponse. */
  readonly expires_at: string;
  /** Start of the video, in whole milliseconds from the start of the session. Source: interface § ReplayResponse. */
  readonly video_start_ms: number;
  /** How long the MP4 plays, in whole milliseconds. Source: interface § ReplayResponse. */
  readonly video_duration_ms: number;
}

/** Options of a replay. */
export interface ReplayOptions {
  /** The session that was recorded. */
  readonly sessionId: string;
  /** Start of the video, relative to that of the session, and its duration, in milliseconds. */
  readonly video: { readonly startMs: number; readonly durationMs: number };
  /** Signs the URLs. */
  readonly presigner: Presigner;
  /** Expiry of the addresses, in milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Makes the replay of a finished recording, with presigned URLs of the MP4 and of each segment. */
export function makeReplay({ sessionId, video, presigner, expiresAtMs }: ReplayOptions): Replay {
  const presignFile = (file: string): string => presigner.address({ sessionId, file, expiresAtMs });
  return {
    mp4_url: presignFile(replayFile),
    playlist_content: writePlaylist(video.durationMs, presignFile),
    expires_at: new Date(expiresAtMs).toISOString().replace("Z", "+00:00"),
    video_start_ms: video.startMs,
    video_duration_ms: video.durationMs,
  };
}
