import type { components } from "@cloud-browser/spec/types";
import { mentionsKey } from "./redaction.ts";
import type { FailedExtraction } from "../extraction/schema.ts";

/** Operations of the contract, by `operationId`. Source: interface § Endpoints. */
export type ContractOperation = "page_scrape" | "session_cookies" | "session_replay" | "automation_start";

/** Operation of the contract, or method of `@cloud-browser/client/control`, such as `control.sessions.open`. */
export type Operation = ContractOperation | `control.${string}`;

/** A problem of a request that failed validation. Source: interface § Resources and their fields. */
export type ValidationProblem = components["schemas"]["ValidationError"] & {
  /** `loc` as a path, such as `body.ignored_tags[0]`. */
  readonly path: string;
};

/**
 * Codes of the errors with which a call ends.
 *
 * - `validation`: 422, the request failed validation; see `problems`.
 * - `bad-request`: 400; for an automation, a missing `query` or a body that is not JSON.
 * - `authentication`: 401 or 403, the key is missing or invalid; or `apiKey()` threw or returned no key.
 * - `not-found`: 404; for an automation perhaps because `automationWord` is not the word of this service.
 * - `rate-limited`: 429; `retryAfterMs` may say how long to wait.
 * - `upstream`: 502; for an automation, the agent failed to start, or its stream is unavailable.
 * - `server`: any other 5xx.
 * - `redirect`: a redirect, which is never followed: it could leak the key, or repeat a billed request.
 * - `unexpected-status`: any other status that is not 2xx.
 * - `unexpected-content`: 2xx, and the body is not a JSON object of the expected shape.
 * - `too-large`: the body exceeds `maxBodyBytes`.
 * - `network`: the connection failed, or was lost before the end of the response. The service may have done the work.
 * - `timeout`: a limit of `timeouts` expired; `phase` says which. The service may have done the work.
 * - `aborted`: the caller's signal aborted; `cause` is its reason. The service may have done the work.
 * - `misuse`: an argument is invalid, or `fetch` or middleware threw; the message says what to do.
 * - `extraction`: `extract` received no valid data; `extraction` says why.
 * - `budget`: the ledger refused to start a run. Nothing was sent.
 * - `replay-unavailable`: there is no replay, it has no video, or it was not available in time.
 * - `download`: a file could not be downloaded completely and unchanged.
 * - `no-control`: the base URL speaks the interface only: what `@cloud-browser/client/control` does, it does not have.
 */
export type ClientErrorCode =
  | "validation"
  | "bad-request"
  | "authentication"
  | "not-found"
  | "rate-limited"
  | "upstream"
  | "server"
  | "redirect"
  | "unexpected-status"
  | "unexpected-content"
  | "too-large"
  | "network"
  | "timeout"
  | "aborted"
  | "misuse"
  | "extraction"
  | "budget"
  | "replay-unavailable"
  | "download"
  | "no-control";

/** Time limits of a call: until the headers of a response, until the end of its body, or of the whole call with all attempts. */
export type TimeoutPhase = "headers" | "body" | "total";

/** Fields of an error that are safe to log: part of the inspected and serialized error. */
export interface ClientErrorFacts {
  /** The operation that was called; absent when `raw` was used, and with some of `misuse`. */
  readonly operation?: Operation;
  /** URL that the last request was sent to, without its query and with keys redacted; absent when the error is not from a call, or nothing was sent. */
  readonly url?: string;
  /** HTTP status; absent when there was no response. */
  readonly status?: number;
  /**
   * Request id of the service, from a header such as `x-request-id`. Absent if it contains the key, or is not a word of up to 200 letters,
   * digits and `.:+/~|_-=`, as an address or a cookie.
   */
  readonly requestId?: string;
  /** The time limit that expired, with `timeout`. */
  readonly phase?: TimeoutPhase;
  /** Number of requests sent; absent when the error is not from a call. */
  readonly attempts?: number;
  /** Duration of the call, in milliseconds, with all attempts and delays. */
  readonly durationMs?: number;
  /** Delay that the service asks for, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Details of a `ClientError` beside its code and message. */
export interface ClientErrorDetails extends ClientErrorFacts {
  /** The underlying error. */
  readonly cause?: unknown;
  /** True when the same call may succeed later, and is safe to repeat. Default: false. */
  readonly retryable?: boolean;
  /** The response, if any: sets `status`, `requestId` and `retryAfterMs`. */
  readonly response?: Response | undefined;
  /** Body of the response: parsed JSON, or text. */
  readonly body?: unknown;
  /** Result of the extraction. */
  readonly extraction?: FailedExtraction;
}

/**
 * The one error that this package throws; a stream that has begun throws `StreamError` instead.
 *
 * Its message, inspected form and JSON contain no key, no header, no body and no query, as those may be secret. Of a body the message has
 * only what the service says about a key that it refuses, an extraction that failed, or a call of `@cloud-browser/client/control` that it
 * refuses: one line, with credentials and queries redacted.
 *
 * Source: interface § Errors.
 *
 * @example
 * ```ts from=examples/api/client/client-error.ts
 * import { ClientError, createCloudBrowser } from "@cloud-browser/client";
 *
 * try {
 *   await createCloudBrowser({ retries: 0 }).scrape("a-session-that-has-ended");
 * } catch (error) {
 *   if (!(error instanceof ClientError)) throw error;
 *   console.log(error.code, error.status, error.retryable); // not-found 404 false
 * }
 * ```
 */
export class ClientError extends Error implements ClientErrorFacts {
  /** Always `ClientError`. */
  override readonly name = "ClientError";
  /** Code of the error. */
  readonly code: ClientErrorCode;
  /** True when the same call may succeed later, and is safe to repeat: never for a run that may have started. */
  readonly retryable: boolean;
  declare readonly operation?: Operation;
  declare readonly url?: string;
  declare readonly status?: number;
  declare readonly requestId?: string;
  declare readonly phase?: TimeoutPhase;
  declare readonly attempts?: number;
  declare readonly durationMs?: number;
  declare readonly retryAfterMs?: number;
  readonly #details: ClientErrorDetails;

  /** Creates an error; message, cause and request id must not quote keys, headers or bodies. */
  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    const { cause, retryable = false, response, body: _body, extraction: _extraction, ...facts } = details;
    super(message, omitUndefined({ cause }));
    this.code = code;
    this.retryable = retryable;
    this.#details = details;
    Object.assign(this, omitUndefined({ ...(response && listFacts(response)), ...facts }));
  }

  /** Headers of the response; `undefined` when there was none. Not part of the inspected or serialized error. */
  get headers(): Headers | undefined {
    return this.#details.response?.headers;
  }

  /** Body of the response: parsed JSON, or else text; may contain secrets. Not part of the inspected or serialized error. */
  get body(): unknown {
    return this.#details.body;
  }

  /** The failed extraction, with `extraction`. May quote the page, so it is not part of the inspected or serialized error. */
  get extraction(): FailedExtraction | undefined {
    return this.#details.extraction;
  }

  /** Problems that the body lists, with `validation`; otherwise empty. Their `input` may quote the request. */
  get problems(): readonly ValidationProblem[] {
    const detail = this.code === "validation" && isRecord(this.body) ? this.body["detail"] : [];
    return Array.isArray(detail)
      ? detail.filter(isProblem).map((problem) => Object.assign({}, problem, { path: path(problem.loc) }))
      : [];
  }

  /** Returns the loggable fields, with name, code and message, for `JSON.stringify` and structured logs. */
  toJSON(): ClientErrorFacts & { readonly name: string; readonly code: ClientErrorCode; readonly message: string } {
    return Object.assign({}, this, { message: this.message });
  }
}

/** Returns a thrown value if it is a `ClientError`. Never throws, even though `instanceof` does with a revoked proxy. */
export function ownError(thrown: unknown): ClientError | undefined {
  try {
    return thrown instanceof ClientError ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs code that throws only when an argument of the caller's does, such as one with getters.
 *
 * @throws {ClientError} what the code threw, if that is a `ClientError`; otherwise `misuse`.
 */
export function guardArguments<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (thrown) {
    // Keeps no cause: it may quote anything.
    throw ownError(thrown) ?? new ClientError("misuse", "an argument can't be read: a getter or proxy of it threw");
  }
}

/**
 * Checks that options are an object, for callers without types.
 *
 * @throws {ClientError} `misuse`.
 */
export function requireOptions(options: unknown): void {
  if (Object(options) !== options) throw new ClientError("misuse", "options must be an object");
}

/** Returns the error of a call whose signal aborted; `cause` is its reason, safe to log. */
export function makeAbortedError(cause: unknown): ClientError {
  return new ClientError("aborted", "the signal aborted", { cause });
}

/** Returns the error of a wait or a download whose caller has aborted it; `cause` is the reason, safe to log. */
export function makeCallerAbort(cause: unknown): ClientError {
  return new ClientError("aborted", "the caller's signal aborted", { cause });
}

/** Returns whether a value is an object, and not an array or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a copy of an object without its fields that are `undefined`. */
export function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
export function omitUndefined(fields: object): object {
  const copy = { ...fields };
  const values = Object.values(copy);
  return values.includes(undefined) // rare
    ? Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined))
    : copy;
}

function isProblem(value: unknown): value is components["schemas"]["ValidationError"] {
  const { loc, msg } = isRecord(value) ? value : {};
  return Array.isArray(loc) && loc.every((step) => /string|number/.test(typeof step)) && typeof msg === "string";
}

function path(loc: components["schemas"]["ValidationError"]["loc"]): string {
  return loc.map((step, index) => (typeof step === "number" ? `[${step}]` : `${index ? "." : ""}${step}`)).join("");
}

/** Replaces a request id that contains a key by that of another header, or removes it. Returns the error. */
export function redactRequestId(error: ClientError, keys: ReadonlySet<string>): ClientError {
  const requestId = listRequestIds(error).find((id) => !mentionsKey(id, keys));
  if (requestId) Object.assign(error, { requestId });
  else Reflect.deleteProperty(error, "requestId");
  return error;
}

function listRequestIds({ requestId, headers }: Pick<ClientError, "requestId" | "headers">): readonly string[] {
  const ids = ["x-request-id", "request-id", "x-correlation-id"].map((name) => headers?.get(name) ?? "");
  return [requestId ?? "", ...ids].filter((id) => requestIdShape.test(id));
}

/** A word, which may be base64, or a trace id of AWS: not an address, nor another pair of a name and a value, such as a cookie. */
const requestIdShape = /^(?!.*\/\/|.{201})(?:[\w.:+/~|-]+={0,2}|(?:(?:Root|Parent|Self|Sampled)=[\w-]+;?)+)$/;

function listFacts({ status, headers }: Response): object {
  const [requestId] = listRequestIds({ headers });
  return { status: status || undefined, requestId, retryAfterMs: retryAfter(headers) };
}

/** Returns the delay that a response asks for, in milliseconds: `retry-after-ms`, or `Retry-After` as seconds or as a date. */
function retryAfter(headers: Headers): number | undefined {
  const after = headers.get("retry-after") ?? "";
  // Without the colon of a time, `Date.parse` accepts almost anything.
  const date = /\d:\d\d/.test(after) ? Math.max(0, Date.parse(after.replace(/ \d{4}$/, "$& GMT")) - Date.now()) : NaN;
  const waits = [numberIn(headers.get("retry-after-ms")), numberIn(after) * 1000, date];
  return waits.find((ms) => ms >= 0 && ms < Infinity);
}

function numberIn(text: string | null): number {
  return text && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
}
