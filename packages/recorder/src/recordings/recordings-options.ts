import type { Clock } from "../clock.ts";
import type { Archive } from "./archive.ts";
import type { RecordingContext } from "./recording-context.ts";

/** Options of `Recordings.open`. */
export interface RecordingsOptions {
  /** Folder that holds all of them. Made when it is not there. */
  readonly folder: string;
  /** Returns the current time. Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Key of the presigned URLs, at least 32 bytes. Another one makes all addresses given out before void. */
  readonly secret: Uint8Array;
  /** Returns the address of the service as its callers see it; called for each replay. */
  readonly publicUrl: () => string;
  /** Path of ffmpeg. Default: npm's, else the one on the PATH. */
  readonly ffmpeg?: string;
  /** Encoders at a time. Default: 1. */
  readonly encodersAtOnce?: number;
  /** Retention after the end of the session, in milliseconds. Default: 24 hours. */
  readonly retentionMs?: number;
  /** Lifetime of presigned URLs, in milliseconds; at most that of the recording. Default: 1 hour. */
  readonly urlTtlMs?: number;
  /** Most bytes that are captured of a session; pages are sampled less often from half of it on. Default: 1 GiB. */
  readonly maxBytes?: number;
  /** Interval of the sweeps for due deletions, in addition to a timer for each, in milliseconds. Default: 15,000. */
  readonly sweepMs?: number;
  /** First and longest delay of the exponential backoff between attempts to finish a recording, in milliseconds. Default: 1,000 and 300,000. */
  readonly retryDelaysMs?: RecordingContext["retryDelaysMs"];
  /** Storage for finished recordings. Default: the local folder. */
  readonly archive?: Archive;
  /** Called with a sentence for each problem with the recording of a session. */
  readonly onWarning?: (sessionId: string, what: string) => void;
  /** Called for each failed run of the encoder; not for aborted ones. */
  readonly onEncoderFailure?: () => void;
}
