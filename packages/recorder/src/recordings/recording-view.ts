import type { Gap } from "./recording-state.ts";
import type { Recording } from "./recording.ts";

/** A recording as the control interface shows it. */
export interface RecordingView {
  /** Progress. */
  readonly state: "recording" | "encoding" | "retrying" | "ready" | "empty" | "failed" | "deleted" | "deletion-delayed";
  /** Progress as a sentence. */
  readonly detail: string;
  /** Time of the next attempt to finish it: ISO 8601, UTC; null when none is due. */
  readonly next_attempt_at: string | null;
  /** Time of its deletion: ISO 8601, UTC; null while its session is open. */
  readonly delete_at: string | null;
  /** Periods without pictures; the replay shows a still picture. */
  readonly gaps: readonly GapView[];
}

/** Period without pictures. */
export interface GapView {
  /** Start of the gap, in milliseconds from the creation of the session. */
  readonly from_ms: number;
  /** End of the gap, likewise; null while it lasts. */
  readonly to_ms: number | null;
  /** Reason of the gap. */
  readonly reason: "write-failed" | "size-limit";
}

/** Progress of a recording, as a word and a sentence. */
export type RecordingProgress = Pick<RecordingView, "state" | "detail"> & {
  /** Time of the next attempt to finish it, in milliseconds since 1970. */
  readonly nextAtMs?: number;
};

const beingEncoded = "The session has ended and its recording is being encoded: try again in a few seconds.";

const time = (ms: number): string => new Date(ms).toISOString();

/** Facts about a recording that its state does not hold. */
export interface Circumstances {
  /** Now, in milliseconds since 1970. */
  readonly nowMs: number;
  /** True when its session is being recorded; otherwise it has ended, in order or with its process. */
  readonly isOpen: boolean;
  /** True when it has expired, and not all of its files could be deleted. */
  readonly isUndeleted: boolean;
}

/** Fields of a recording that a view needs. */
type Viewed = Pick<Recording, "state"> & Partial<Pick<Recording, "failed" | "attempt">>;

/** Returns the progress of a recording. */
export function measureProgress({ state, failed, attempt }: Viewed, around: Circumstances): RecordingProgress {
  const { nowMs, isOpen, isUndeleted } = around;
  const { stage, deleteAtMs = Infinity, gaps = [] } = state;
  if (isUndeleted) {
    return {
      state: "deletion-delayed",
      detail: "The recording is deleted, but some of its files could not be removed; retrying. See the log.",
    };
  }
  if (stage.name === "deleted" || nowMs >= deleteAtMs) {
    const since = deleteAtMs === Infinity ? "" : ` (${time(deleteAtMs)})`;
    return {
      state: "deleted",
      detail: `The recording was deleted: its retention time is over, or somebody deleted it${since}.`,
    };
  }
  switch (stage.name) {
    case "recording": {
      if (!isOpen) return { state: "encoding", detail: beingEncoded };
      const isPaused = gaps.some(({ toMs }) => toMs === undefined);
      const detail = isPaused
        ? "The session has not ended yet, and is not being recorded at the moment: writing fails."
        : "The session has not ended yet.";
      return { state: "recording", detail };
    }
    case "ended":
      if (!failed) return { state: "encoding", detail: beingEncoded };
      return {
        state: attempt ? "encoding" : "retrying",
        detail: `The session has ended and its recording is being ${failed.isEncoded ? "stored" : "encoded"}; attempt ${failed.attempt} failed (${failed.why}), the next is at ${time(failed.nextAtMs)}`,
        nextAtMs: failed.nextAtMs,
      };
    case "finished":
      return { state: "ready", detail: "The replay is ready." };
    case "empty":
      return {
        state: "empty",
        detail: "Nothing was recorded: no page of the session was open long enough for a picture.",
      };
    case "failed":
      return { state: "failed", detail: `There is no recording: ${stage.why}.` };
  }
}

/** Returns the view of a recording. */
export function viewOfRecording(recording: Viewed, around: Circumstances): RecordingView {
  const { state, detail, nextAtMs } = measureProgress(recording, around);
  const { deleteAtMs, gaps = [] } = recording.state;
  return {
    state,
    detail,
    next_attempt_at: nextAtMs === undefined ? null : time(nextAtMs),
    delete_at: deleteAtMs === undefined ? null : time(deleteAtMs),
    gaps: gaps.map(viewOfGap),
  };
}

/** Returns the view of a gap. */
export function viewOfGap({ fromMs, toMs, reason }: Gap): RecordingView["gaps"][number] {
  return { from_ms: fromMs, to_ms: toMs ?? null, reason };
}
