/**
 * Codes of the errors of recording, encoding and reading back.
 *
 * - `usage`: a setting is wrong or missing; the message says what to do.
 * - `encoder-missing`: no ffmpeg was found, or the configured one can't be started.
 * - `recording-not-ready`: the session has not ended yet, or its recording is being encoded.
 * - `recording-deleted`: the recording was deleted at the end of its retention time.
 * - `recording-delayed`: the recording could not be encoded yet; that is tried again.
 * - `recording-empty`: the session showed nothing that could be recorded.
 * - `recording-failed`: the journal of the recording can not be read.
 * - `storage-failed`: the folder can not be written to.
 * - `unknown-session`: no session has that id.
 */
export type RecorderErrorCode =
  | "usage"
  | "encoder-missing"
  | "recording-not-ready"
  | "recording-deleted"
  | "recording-delayed"
  | "recording-empty"
  | "recording-failed"
  | "storage-failed"
  | "unknown-session";

/** The error that this package throws. Its message contains no key, no cookie value and no query of a URL. */
export class RecorderError extends Error {
  /** Always `RecorderError`. */
  override readonly name = "RecorderError";
  /** Code of the error, from a closed list. */
  readonly code: RecorderErrorCode;
  /** Time until the next attempt, in milliseconds; undefined if unknown. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: RecorderErrorCode,
    message: string,
    { retryAfterMs, ...options }: ErrorOptions & { retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns the message of an error, or any other thrown value as a string. */
export function describeRecorderError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
