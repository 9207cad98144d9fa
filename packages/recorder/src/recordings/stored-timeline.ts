import type { RecordingState } from "./recording-state.ts";
import { type RecordingView, viewOfGap } from "./recording-view.ts";

/** What is kept of the timeline of a session. */
export interface StoredTimeline {
  /** Its entries, one JSON object a line, in order. The last line may be torn where the process died. */
  readonly text: string;
  /** Where the video lies in the session; null while there is none. */
  readonly video: RecordedVideo | null;
}

/** The video of a recording, in milliseconds from the creation of the session. */
export interface RecordedVideo {
  /** When it starts. */
  readonly startMs: number;
  /** How long it plays, from its start. */
  readonly durationMs: number;
  /** Times of which pictures are missing: a still one shows. */
  readonly gaps: RecordingView["gaps"];
}

/** Returns where the video of a recording lies; null while there is none. */
export function findVideo({ stage, gaps = [] }: Pick<RecordingState, "stage" | "gaps">): RecordedVideo | null {
  if (stage.name !== "finished") return null;
  const { startMs, durationMs } = stage;
  return { startMs, durationMs, gaps: gaps.map(viewOfGap) };
}
