import { RecorderError } from "../recorder-error.ts";
import type { RecordingProgress } from "./recording-view.ts";

const codes = {
  recording: "recording-not-ready",
  encoding: "recording-not-ready",
  retrying: "recording-delayed",
  empty: "recording-empty",
  failed: "recording-failed",
  deleted: "recording-deleted",
  "deletion-delayed": "recording-deleted",
} as const;

/**
 * Returns the error that explains why a recording in this state has no replay; undefined when it has one.
 *
 * @param nowMs - In milliseconds since 1970.
 */
export function explainMissingReplay(
  { state, detail, nextAtMs }: RecordingProgress,
  nowMs: number,
): RecorderError | undefined {
  if (state === "ready") return undefined;
  return new RecorderError(
    codes[state],
    detail,
    nextAtMs === undefined ? {} : { retryAfterMs: Math.max(nextAtMs - nowMs, 0) },
  );
}
