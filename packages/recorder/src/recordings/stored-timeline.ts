import type { RecordingState } from "./recording-state.ts";
import { type RecordingView, viewOfGap } from "./recording-view.ts";

/** Stored timeline of a session. */
export interface StoredTimeline {
  /** Its entries, one JSON object a line, in order. The last line may be torn where the process died. */
  readonly text: string;
  /** Position of the video in the session; null while it does not exist. */
  readonly video: RecordedVideo | null;
}

/** The video of a recording, in milliseconds from the creation of the session. */
export interface RecordedVideo {
  /** Start time. */
  readonly startMs: number;
  /** Duration. */
  readonly durationMs: number;
  /** Times of which pictures are missing: a still one shows. */
  readonly gaps: RecordingView["gaps"];
}

/** Returns the position of the video in the session; null while it does not exist. */
export function findVideo({ stage, gaps = [] }: Pick<RecordingState, "stage" | "gaps">): RecordedVideo | null {
  if (stage.name !== "finished") return null;
  const { startMs, durationMs } = stage;
  return { startMs, durationMs, gaps: gaps.map(viewOfGap) };
}
