import { AutomationError } from "@cloud-browser/automation";
import { BrowserError } from "@cloud-browser/browsers";
import { adviceOnStorage, describeStorageError, RecorderError } from "@cloud-browser/recorder";
import { PageContentError } from "@cloud-browser/page-content";

/**
 * Codes of the errors of the service.
 *
 * - `usage`: a flag, a setting or an option is wrong or missing. The message says what to do.
 * - `browser-missing`: no Chromium is there for this machine, or the one configured can't be started.
 * - `encoder-missing`: no ffmpeg is there for this machine, or the one configured can't be started.
 * - `busy`: the limit of sessions, of memory or of waiting requests is reached.
 * - `stopping`: the service drains or shuts down, and takes nothing new.
 * - `unknown-session`: no session has that id.
 * - `session-ended`: the session has ended, and its page and cookies with it.
 * - `session-unreachable`: another node has the session, and can't be asked now.
 * - `page-failed`: the page of a session crashed, or did not answer within the time for it.
 * - `address-refused`: the address is not one that pages of this service may be opened on.
 * - `bad-selector`: malformed selector of a scrape.
 * - `recording-not-ready`: the session has not ended yet, or its recording is being encoded.
 * - `recording-delayed`: the recording could not be encoded yet, and that is tried again.
 * - `recording-empty`: the session showed nothing that could be recorded.
 * - `recording-deleted`: the recording was deleted: its retention time is over (24 hours by default), or somebody deleted it.
 * - `recording-failed`: what there is of a recording can't be read.
 * - `unknown-handover`: no request for a person has that id.
 * - `handover-open`: the session has an open request for a person.
 * - `handover-answered`: the request for a person has another answer already.
 * - `profiles-disabled`: the service has no key to encrypt profiles with.
 * - `unknown-profile`: the key has no profile of that name.
 * - `profile-in-use`: another session that is open writes the profile back at its end.
 * - `profile-unreadable`: the profile is encrypted with a key that the service does not have, or was damaged.
 * - `backup-failed`: a backup could not be made or restored; the message says why. Nothing is left of it.
 * - `storage-failed`: the data folder can't be written to: it is full, or read-only.
 */
export type ServiceErrorCode =
  | "usage"
  | "browser-missing"
  | "encoder-missing"
  | "busy"
  | "stopping"
  | "unknown-session"
  | "session-ended"
  | "session-unreachable"
  | "page-failed"
  | "address-refused"
  | "bad-selector"
  | "recording-not-ready"
  | "recording-deleted"
  | "recording-delayed"
  | "recording-empty"
  | "recording-failed"
  | "unknown-handover"
  | "handover-open"
  | "handover-answered"
  | "profiles-disabled"
  | "unknown-profile"
  | "profile-in-use"
  | "profile-unreadable"
  | "backup-failed"
  | "storage-failed";

/** Details of an error. */
interface ServiceErrorDetails {
  readonly cause?: unknown;
  readonly loc?: readonly (string | number)[];
  readonly retryAfterMs?: number;
}

/** The one error that this package throws. Its message names no key, no cookie value and no presigned query. */
export class ServiceError extends Error {
  /** Always `ServiceError`. */
  override readonly name = "ServiceError";
  /** Code of the error, from a closed list. */
  readonly code: ServiceErrorCode;
  /** The way to the value that is wrong, from the body of the request; undefined when that is no single one. */
  readonly loc: readonly (string | number)[] | undefined;

  /** After what time it may be otherwise, in milliseconds; undefined when that is not known. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ServiceErrorCode, message: string, details: ServiceErrorDetails = {}) {
    const { loc, retryAfterMs, ...options } = details;
    super(message, options);
    this.code = code;
    this.loc = loc;
    this.retryAfterMs = retryAfterMs;
  }
}

/** An error of this package, or of one that it is made of, as one of this package; undefined for any other. */
export function findServiceError(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  const cause = { cause: error };
  if (error instanceof RecorderError) {
    const { code, message, retryAfterMs } = error;
    return new ServiceError(code, message, retryAfterMs === undefined ? cause : { ...cause, retryAfterMs });
  }
  if (error instanceof BrowserError || error instanceof PageContentError) {
    return new ServiceError(error.code, error.message, cause);
  }
  if (isDatabaseFault(error)) {
    const why = `the records can't be read or written (${error.message}): ${adviceOnStorage(error)}`;
    return new ServiceError("storage-failed", why, cause);
  }
  if (isSystemFault(error)) {
    const why = `the system refused a file or a process (${describeStorageError(error)}): ${adviceOnStorage(error)}`;
    return new ServiceError("storage-failed", why, cause);
  }
  return error instanceof AutomationError && error.code === "usage"
    ? new ServiceError(error.code, error.message, cause)
    : undefined;
}

/** Codes of connections and of names that are looked up: they say nothing of this machine. */
const ofNetwork = /^(?:ECONN|EHOST|ENET|EADDR|EAI_|ENOTFOUND|ETIMEDOUT)/u;

/**
 * Returns whether an error is one of the operating system about a file or a process: no room, no handles, no permission, a file or a
 * folder that is gone, a file system that is damaged. There are more of them than Node.js has names for.
 */
export function isSystemFault(error: unknown): boolean {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return false;
  return typeof error.syscall === "string" && !ofNetwork.test(String(error.code));
}

/** Returns whether an error is one of SQLite, which names the fault and no values: a full disk, a file that can't be read. */
function isDatabaseFault(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

/** Returns the message of an error, or any other thrown value as a string. */
export function describeServiceError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits for a promise; errors of the packages that this one is made of become its own. */
export async function convertErrors<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw findServiceError(error) ?? error;
  }
}
