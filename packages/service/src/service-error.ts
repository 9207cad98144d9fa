/**
 * Why the service can't do what it was asked.
 *
 * - `usage`: a flag, a setting or an option is wrong or missing. The message says what to do.
 * - `browser-missing`: no Chromium is there for this machine, or the one configured can't be started.
 * - `encoder-missing`: no ffmpeg is there for this machine, or the one configured can't be started.
 * - `busy`: the limit of sessions, of memory or of waiting requests is reached.
 * - `unknown-session`: no session has that id.
 * - `session-ended`: the session has ended, and its page and cookies with it.
 * - `page-failed`: the page of a session crashed, or did not answer within the time for it.
 * - `address-refused`: the address is not one that pages of this service may be opened on.
 * - `bad-selector`: the selector of a scrape is none.
 * - `recording-not-ready`: the session has not ended yet, or its recording is still being finished.
 * - `recording-deleted`: the recording was deleted, 24 hours after the end of its session.
 * - `recording-failed`: nothing of the session could be recorded.
 *
 * Source: ours.
 */
export type ServiceErrorCode =
  | "usage"
  | "browser-missing"
  | "encoder-missing"
  | "busy"
  | "unknown-session"
  | "session-ended"
  | "page-failed"
  | "address-refused"
  | "bad-selector"
  | "recording-not-ready"
  | "recording-deleted"
  | "recording-failed";

/** The one error that this package throws. Its message names no key, no cookie value and no presigned query. Source: ours. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  /** What went wrong, from a closed list. */
  readonly code: ServiceErrorCode;
  /** The way to the value that is wrong, from the body of the request; undefined when that is no single one. */
  readonly loc: readonly (string | number)[] | undefined;

  constructor(
    code: ServiceErrorCode,
    message: string,
    { loc, ...options }: { readonly cause?: unknown; readonly loc?: readonly (string | number)[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.loc = loc;
  }
}
