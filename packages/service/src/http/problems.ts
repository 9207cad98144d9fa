import { requestContext } from "../request-context.ts";
import { findServiceError, type ServiceErrorCode } from "../service-error.ts";
import type { Fault } from "../control/validation-faults.ts";

/** Status of each error code; the interface leaves these open. */
const statuses: Readonly<Record<ServiceErrorCode, number>> = {
  usage: 422,
  "bad-selector": 422,
  "address-refused": 422,
  "unknown-session": 404,
  "session-ended": 409,
  "session-unreachable": 503,
  "recording-not-ready": 409,
  "recording-deleted": 410,
  "recording-empty": 404,
  "recording-failed": 500,
  "recording-delayed": 503,
  "profiles-disabled": 501,
  "unknown-profile": 404,
  "profile-in-use": 409,
  "profile-unreadable": 503,
  "backup-failed": 500,
  "storage-failed": 503,
  "unknown-handover": 404,
  "handover-open": 409,
  "handover-answered": 409,
  busy: 429,
  stopping: 503,
  "page-failed": 502,
  "browser-missing": 503,
  "encoder-missing": 503,
};

/** Where the fault of a request lies that only its handling shows. */
const places: Partial<Record<ServiceErrorCode, readonly string[]>> = {
  usage: ["body"],
  "bad-selector": ["body", "selector"],
  "address-refused": ["body", "url"],
};

/** How long a client had better wait, in seconds. */
const retryAfter: Partial<Record<ServiceErrorCode, string>> = {
  busy: "5",
  stopping: "5",
  "recording-not-ready": "2",
  "session-unreachable": "5",
  // The service has started with both: what they lack now may be there again.
  "browser-missing": "5",
  "encoder-missing": "5",
  "storage-failed": "5",
};

/** Response for an invalid request. Source: interface § Errors (422). */
export function answerInvalid(faults: readonly Fault[]): Response {
  return Response.json({ detail: faults }, { status: 422 });
}

/** An answer with a status that the interface does not show. */
export function answerProblem(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ detail }, { status, headers });
}

/** Response for an error that the request caused; undefined for an internal error. The context of the request keeps its code. */
export function answerError(thrown: unknown): Response | undefined {
  const error = findServiceError(thrown);
  if (error === undefined) return undefined;
  requestContext().code = error.code;
  const loc = error.loc ? ["body", ...error.loc] : places[error.code];
  if (loc) return answerInvalid([{ loc, msg: error.message, type: error.code.replaceAll("-", "_") }]);
  const { retryAfterMs } = error;
  const wait = retryAfterMs === undefined ? retryAfter[error.code] : String(Math.ceil(retryAfterMs / 1_000));
  return answerProblem(statuses[error.code], error.message, wait === undefined ? {} : { "retry-after": wait });
}
