import type { components } from "@cloud-browser/spec/types";
import { defined } from "./defined.ts";
import type { FailedExtraction } from "../extraction/schema.ts";

/** The operations of the contract, by their identifiers. Source: interface § Endpoints. */
export type Operation = "page_scrape" | "session_cookies" | "session_replay" | "automation_start";

/** One problem of a request that failed validation. Source: interface § Resources and their fields. */
export type ValidationProblem = components["schemas"]["ValidationError"] & {
  /** `loc` as a path, such as `body.ignored_tags[0]`. */
  readonly path: string;
};

/**
 * Codes of the errors by which a call ends without a result.
 *
 * - `validation`: 422, the request fails validation; `problems` says where.
 * - `bad-request`: 400, for an automation a missing `query` or a body that is not JSON.
 * - `authentication`: 401 or 403, the key is missing or not accepted; or `apiKey()` gave none.
 * - `not-found`: 404.
 * - `rate-limited`: 429; `retryAfterMs` may say when to come back.
 * - `upstream`: 502, for an automation: the agent failed to start, or its stream is unavailable.
 * - `server`: any other 5xx.
 * - `redirect`: a redirect, which is never followed: it could carry the key elsewhere, or repeat a billed request.
 * - `unexpected-status`: any other status that is not 2xx.
 * - `unexpected-content`: 2xx, and the body is not the JSON object that it should be; or, for an automation, there is none.
 * - `too-large`: the body is larger than `maxBodyBytes`.
 * - `network`: no answer, or the connection was lost within it. The service may have done its work all the same.
 * - `timeout`: a limit of `timeouts` passed; `phase` says which. The service may have done its work all the same.
 * - `aborted`: the caller's signal aborted; `cause` is its reason. The service may have done its work all the same.
 * - `misuse`: the call can't work as it was made; the message says what to do. Nothing was sent.
 * - `extraction`: `extract` got no data that fits; `extraction` says why.
 * - `budget`: the ledger refused to start a run. Nothing was sent.
 * - `replay-unavailable`: there is no replay, no video in it, or none came in time.
 * - `download`: a file could not be downloaded whole and unchanged.
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
  | "download";

/** Time limits of a call: the wait for headers, the body after them, or the call with all its attempts. */
export type TimeoutPhase = "headers" | "body" | "total";

/** Facts of an error that are safe to show: part of the inspected and of the serialised error. */
export interface ClientErrorFacts {
  /** The operation that was called; absent when `raw` was used, and with some of `misuse`. */
  readonly operation?: Operation;
  /** HTTP status of the answer; absent when there was none. */
  readonly status?: number;
  /**
   * Id that the service gave this request, from a header such as `x-request-id`. What holds the key, or is no word of up to 200
   * visible ASCII characters, is left out.
   */
  readonly requestId?: string;
  /** The time limit that passed, with `timeout`. */
  readonly phase?: TimeoutPhase;
  /** How often the request was sent; absent when the error is none of a call. */
  readonly attempts?: number;
  /** How long the call took, in milliseconds, with all its attempts and waits. */
  readonly durationMs?: number;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Details of a `ClientError` beside its code and message. */
export interface ClientErrorDetails extends ClientErrorFacts {
  /** The error below this one. */
  readonly cause?: unknown;
  /** True when the same call may do better later, and is safe to repeat. Default: false. */
  readonly retryable?: boolean;
  /** The answer, when there was one: gives `status`, `requestId` and `retryAfterMs`. */
  readonly response?: Response | undefined;
  /** The body of the answer: JSON as parsed, or text. */
  readonly body?: unknown;
  /** Outcome of the extraction. */
  readonly extraction?: FailedExtraction;
}

/**
 * The one error that this package throws; a stream that has begun throws `StreamError` instead.
 *
 * Message, inspected error and its JSON hold no key, no header and no body, as those may be secret.
 *
 * Source: interface § Errors.
 */
export class ClientError extends Error implements ClientErrorFacts {
  /** Always `ClientError`. */
  override readonly name = "ClientError";
  /** Code of the error, from a closed list. */
  readonly code: ClientErrorCode;
  /** True when the same call may do better later, and is safe to repeat: never a run that may have started. */
  readonly retryable: boolean;
  declare readonly operation?: Operation;
  declare readonly status?: number;
  declare readonly requestId?: string;
  declare readonly phase?: TimeoutPhase;
  declare readonly attempts?: number;
  declare readonly durationMs?: number;
  declare readonly retryAfterMs?: number;
  readonly #details: ClientErrorDetails;

  /** Makes an error; the message and the cause must not quote keys, headers or bodies. */
  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    const { cause, retryable = false, response, body: _body, extraction: _extraction, ...facts } = details;
    super(message, defined({ cause }));
    this.code = code;
    this.retryable = retryable;
    this.#details = details;
    Object.assign(this, defined({ ...(response && factsOf(response)), ...facts }));
  }

  /** Headers of the answer; `undefined` when there was none. Not part of the inspected or serialised error. */
  get headers(): Headers | undefined {
    return this.#details.response?.headers;
  }

  /** Body of the answer: JSON as parsed, or else text; may hold secrets. Not part of the inspected or serialised error. */
  get body(): unknown {
    return this.#details.body;
  }

  /** Reason why there are no data, with `extraction`. Quotes the page, so it is not part of the inspected or serialised error. */
  get extraction(): FailedExtraction | undefined {
    return this.#details.extraction;
  }

  /** The problems that the body lists, with `validation`; otherwise empty. Their `input` may quote the request. */
  get problems(): readonly ValidationProblem[] {
    const detail = this.code === "validation" && isRecord(this.body) ? this.body["detail"] : [];
    return Array.isArray(detail)
      ? detail.filter(isProblem).map((problem) => Object.assign({}, problem, { path: path(problem.loc) }))
      : [];
  }

  /** For `JSON.stringify` and structured logs: the public facts, with name, code and message. */
  toJSON(): ClientErrorFacts & { readonly name: string; readonly code: ClientErrorCode; readonly message: string } {
    return Object.assign({}, this, { message: this.message });
  }
}

/** Returns what was thrown if it is a `ClientError`; never throws, as `instanceof` does with a revoked proxy. */
export function ownError(thrown: unknown): ClientError | undefined {
  try {
    return thrown instanceof ClientError ? thrown : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether a JSON value is an object, and not an array or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isProblem(value: unknown): value is components["schemas"]["ValidationError"] {
  const { loc, msg } = isRecord(value) ? value : {};
  return Array.isArray(loc) && loc.every((step) => /string|number/.test(typeof step)) && typeof msg === "string";
}

function path(loc: components["schemas"]["ValidationError"]["loc"]): string {
  return loc.map((step, index) => (typeof step === "number" ? `[${step}]` : `${index ? "." : ""}${step}`)).join("");
}

/** The keys that were sent for answers, which an answer may quote. */
const keys = new WeakMap<Response, string>();

/**
 * Remembers the key that was sent for an answer, so that no error of this answer shows it; gives the answer.
 *
 * @param key - the key, or another answer to the same request
 */
export function keep(key: string | Response, response: Response): Response {
  keys.set(response, typeof key === "string" ? key : (keys.get(key) ?? ""));
  return response;
}

function factsOf(response: Response): object {
  const { status, headers } = response;
  const key = keys.get(response) || "\0";
  const requestId = ["x-request-id", "request-id", "x-correlation-id"]
    .map((name) => headers.get(name) ?? "")
    .find((id) => /^[!-~]{1,200}$/.test(id) && !id.includes(key));
  return { status: status || undefined, requestId, retryAfterMs: retryAfter(headers) };
}

/** The wait that an answer asks for: `retry-after-ms`, or `Retry-After` as seconds or as a date. */
function retryAfter(headers: Headers): number | undefined {
  const after = headers.get("retry-after") ?? "";
  // Without the colon of a time, `Date.parse` makes a date of almost anything.
  const date = /\d:\d\d/.test(after) ? Math.max(0, Date.parse(after.replace(/ \d{4}$/, "$& GMT")) - Date.now()) : NaN;
  const waits = [numberIn(headers.get("retry-after-ms")), numberIn(after) * 1000, date];
  return waits.find((ms) => ms >= 0 && ms < Infinity);
}

function numberIn(text: string | null): number {
  return text && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
}
