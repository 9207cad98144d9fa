import type { EncodeQueue } from "../encoding/encode-queue.ts";
import type { Archive } from "./archive.ts";

/** Services and settings shared by all recordings of a folder. */
export interface RecordingContext {
  /** Queue of the encoders. */
  readonly queue: EncodeQueue;
  /** Finds the ffmpeg to run. */
  readonly ffmpeg: () => Promise<string>;
  /** Ends everything early. */
  readonly signal: AbortSignal;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Retention after the end of the session, in milliseconds. */
  readonly retentionMs: number;
  /** First and longest delay of the exponential backoff between attempts to finish a recording, in milliseconds; each is twice the one before. */
  readonly retryDelaysMs: { readonly first: number; readonly longest: number };
  /** Called with a sentence on a problem. */
  readonly warn: (sessionId: string, what: string) => void;
  /** Called for each failed run of the encoder; not for aborted ones. */
  readonly onEncoderFailure: () => void;
  /** Storage for finished recordings. Default: the local folder. */
  readonly archive?: Archive | undefined;
}
