import {
  ClientError,
  ownError,
  type ClientErrorCode,
  type ClientErrorDetails,
  type TimeoutPhase,
} from "./client-error.ts";
import type { FailedExtraction } from "../extraction/schema.ts";

/** An error with one code. */
type Coded<Code extends ClientErrorCode> = ClientError & { readonly code: Code };

/** An error with one code, about a response. */
type Answered<Code extends ClientErrorCode> = Coded<Code> & { readonly status: number; readonly headers: Headers };

/** The class of all errors with one code: every `ClientError` with this code is an instance of it. */
export interface ErrorKind<Kind extends ClientError> {
  /** Creates an error, as `ClientError` does. */
  new (message: string, details?: ClientErrorDetails): Kind;
  /** For the type of its instances only. */
  readonly prototype: Kind;
}

/** Creates the class of a code. It recognizes errors by their code, also those of another copy of this package. */
function defineKind<Kind extends ClientError>(code: Kind["code"]): ErrorKind<Kind>;
function defineKind(code: ClientErrorCode): unknown {
  return class extends ClientError {
    constructor(message: string, details?: ClientErrorDetails) {
      super(code, message, details);
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return ownError(value)?.code === code;
    }
  };
}

/** An error with the code `validation`: 422: the request failed validation; `problems` lists why. */
export type ValidationError = Answered<"validation">;
/** The class of errors with the code `validation`: 422: the request failed validation; `problems` lists why. */
export const ValidationError: ErrorKind<ValidationError> = /* @__PURE__ */ defineKind("validation");

/** An error with the code `bad-request`: 400. */
export type BadRequestError = Answered<"bad-request">;
/** The class of errors with the code `bad-request`: 400. */
export const BadRequestError: ErrorKind<BadRequestError> = /* @__PURE__ */ defineKind("bad-request");

/** An error with the code `authentication`: 401 or 403, or there is no key. */
export type AuthenticationError = Coded<"authentication">;
/** The class of errors with the code `authentication`: 401 or 403, or there is no key. */
export const AuthenticationError: ErrorKind<AuthenticationError> = /* @__PURE__ */ defineKind("authentication");

/** An error with the code `not-found`: 404. */
export type NotFoundError = Answered<"not-found">;
/** The class of errors with the code `not-found`: 404. */
export const NotFoundError: ErrorKind<NotFoundError> = /* @__PURE__ */ defineKind("not-found");

/** An error with the code `rate-limited`: 429; `retryAfterMs` may say how long to wait. */
export type RateLimitError = Answered<"rate-limited">;
/** The class of errors with the code `rate-limited`: 429; `retryAfterMs` may say how long to wait. */
export const RateLimitError: ErrorKind<RateLimitError> = /* @__PURE__ */ defineKind("rate-limited");

/** An error with the code `upstream`: 502. */
export type UpstreamError = Answered<"upstream">;
/** The class of errors with the code `upstream`: 502. */
export const UpstreamError: ErrorKind<UpstreamError> = /* @__PURE__ */ defineKind("upstream");

/** An error with the code `server`: any other 5xx. */
export type ServerError = Answered<"server">;
/** The class of errors with the code `server`: any other 5xx. */
export const ServerError: ErrorKind<ServerError> = /* @__PURE__ */ defineKind("server");

/** An error with the code `redirect`: a redirect, which is never followed. */
export type RedirectError = Coded<"redirect">;
/** The class of errors with the code `redirect`: a redirect, which is never followed. */
export const RedirectError: ErrorKind<RedirectError> = /* @__PURE__ */ defineKind("redirect");

/** An error with the code `unexpected-status`: any other status that is not 2xx. */
export type UnexpectedStatusError = Answered<"unexpected-status">;
/** The class of errors with the code `unexpected-status`: any other status that is not 2xx. */
export const UnexpectedStatusError: ErrorKind<UnexpectedStatusError> = /* @__PURE__ */ defineKind("unexpected-status");

/** An error with the code `unexpected-content`: a 2xx body that is not of the expected shape, or a malformed playlist. */
export type UnexpectedContentError = Coded<"unexpected-content">;
/** The class of errors with the code `unexpected-content`: a 2xx body that is not of the expected shape, or a malformed playlist. */
export const UnexpectedContentError: ErrorKind<UnexpectedContentError> =
  /* @__PURE__ */ defineKind("unexpected-content");

/** An error with the code `too-large`: a body above `maxBodyBytes`. */
export type TooLargeError = Answered<"too-large">;
/** The class of errors with the code `too-large`: a body above `maxBodyBytes`. */
export const TooLargeError: ErrorKind<TooLargeError> = /* @__PURE__ */ defineKind("too-large");

/** An error with the code `network`: a connection that failed, or was lost. */
export type NetworkError = Coded<"network">;
/** The class of errors with the code `network`: a connection that failed, or was lost. */
export const NetworkError: ErrorKind<NetworkError> = /* @__PURE__ */ defineKind("network");

/** An error with the code `timeout`: a limit of `timeouts` expired; `phase` says which. */
export type TimeoutError = Coded<"timeout"> & { readonly phase: TimeoutPhase };
/** The class of errors with the code `timeout`: a limit of `timeouts` expired; `phase` says which. */
export const TimeoutError: ErrorKind<TimeoutError> = /* @__PURE__ */ defineKind("timeout");

/** An error with the code `aborted`: the caller's signal aborted; `cause` is its reason. */
export type AbortedError = Coded<"aborted">;
/** The class of errors with the code `aborted`: the caller's signal aborted; `cause` is its reason. */
export const AbortedError: ErrorKind<AbortedError> = /* @__PURE__ */ defineKind("aborted");

/** An error with the code `misuse`: an invalid argument; the message says what to do. */
export type MisuseError = Coded<"misuse">;
/** The class of errors with the code `misuse`: an invalid argument; the message says what to do. */
export const MisuseError: ErrorKind<MisuseError> = /* @__PURE__ */ defineKind("misuse");

/** An error with the code `extraction`: `extract` received no valid data; `extraction` says why. */
export type ExtractionError = Answered<"extraction"> & { readonly extraction: FailedExtraction };
/** The class of errors with the code `extraction`: `extract` received no valid data; `extraction` says why. */
export const ExtractionError: ErrorKind<ExtractionError> = /* @__PURE__ */ defineKind("extraction");

/** An error with the code `budget`: the ledger refused to start a run. */
export type BudgetError = Coded<"budget">;
/** The class of errors with the code `budget`: the ledger refused to start a run. */
export const BudgetError: ErrorKind<BudgetError> = /* @__PURE__ */ defineKind("budget");

/** An error with the code `replay-unavailable`: there is no replay, it has no video, or it was not available in time. */
export type ReplayUnavailableError = Coded<"replay-unavailable">;
/** The class of errors with the code `replay-unavailable`: there is no replay, it has no video, or it was not available in time. */
export const ReplayUnavailableError: ErrorKind<ReplayUnavailableError> =
  /* @__PURE__ */ defineKind("replay-unavailable");

/** An error with the code `download`: a file could not be downloaded completely and unchanged. */
export type DownloadError = Coded<"download">;
/** The class of errors with the code `download`: a file could not be downloaded completely and unchanged. */
export const DownloadError: ErrorKind<DownloadError> = /* @__PURE__ */ defineKind("download");

/** An error with the code `no-control`: the base URL speaks the interface only. */
export type NoControlError = Coded<"no-control">;
/** The class of errors with the code `no-control`: the base URL speaks the interface only. */
export const NoControlError: ErrorKind<NoControlError> = /* @__PURE__ */ defineKind("no-control");
