import { ServiceError } from "./service-error.ts";

/** Returns the error of a service that creates no sessions any more. */
export function makeStoppingError(): ServiceError {
  return new ServiceError(
    "stopping",
    "the service is stopping and accepts no new sessions; ask another node, or try again later",
  );
}

/** Returns the error for a session that has ended. */
export function makeSessionEndedError(): ServiceError {
  return new ServiceError("session-ended", "the session has ended");
}

/** Returns the error for an id that no session has. */
export function makeUnknownSessionError(): ServiceError {
  return new ServiceError("unknown-session", "there is no such session");
}

/** Returns the error for a session of another node, which can't be asked now. */
export function makeUnreachableError(): ServiceError {
  return new ServiceError("session-unreachable", "the session can't be reached now; try again, or open another one");
}

/** Returns the error for a key that has as many sessions as it may have. */
export function makeSessionQuotaError(): ServiceError {
  return new ServiceError("busy", "session quota of the key reached; end a session of it, or wait");
}

/** Returns the error for a session that nobody waits for any more. */
export function makeClientGoneError(): ServiceError {
  return new ServiceError("session-ended", "the client disconnected before the session was created");
}

/** Returns the error for files of a session that has no place for them. */
export function makeNoFilesError(): ServiceError {
  return new ServiceError("storage-failed", "the session keeps no files");
}

/** Says that all pages of a session were closed. */
export const noPageText = "the session has no page";
