import type { components } from "@cloud-browser/spec/types";

/** The operations of the contract, by their identifiers. Source: interface § Endpoints. */
export type Operation = "page_scrape" | "session_cookies" | "session_replay" | "automation_start";

/** One problem of a request that failed validation. Source: interface § Resources and their fields. */
export type ValidationProblem = components["schemas"]["ValidationError"];

/**
 * Why a call has no result.
 *
 * - `validation`: 422, the request fails validation; `problems` says where.
 * - `bad-request`: 400, for an automation a missing `query` or a body that is not JSON.
 * - `authentication`: 401 or 403, the key is missing or not accepted; or `apiKey()` gave none.
 * - `not-found`: 404.
 * - `rate-limited`: 429.
 * - `upstream`: 502, for an automation: the agent failed to start, or its stream is unavailable.
 * - `server`: any other 5xx.
 * - `redirect`: a redirect, which is never followed: it could carry the key elsewhere, or repeat a billed request.
 * - `unexpected-status`: any other status that is not 2xx.
 * - `unexpected-content`: 2xx, and the body is not a JSON object; or, for an automation, there is none.
 * - `network`: no answer, or the connection was lost within it. The service may have done its work all the same.
 * - `aborted`: the caller's signal aborted; `cause` is its reason. The service may have done its work all the same.
 * - `misuse`: the call can't work as it was made; the message says what to do. Nothing was sent.
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
  | "network"
  | "aborted"
  | "misuse";

/** What a `ClientError` carries beside code and message. Source: ours. */
export interface ClientErrorDetails {
  /** The error below this one. */
  readonly cause?: unknown;
  /** The operation that was called. */
  readonly operation?: Operation | undefined;
  /** The answer, when there was one. */
  readonly response?: Response | undefined;
  /** The body of the answer: JSON as parsed, or text. */
  readonly body?: unknown;
}

/**
 * The one error that this package throws; a stream that has begun throws `StreamError` instead.
 *
 * Message, inspected error and its JSON hold no key, no header and no body, as those may be secret.
 *
 * Source: interface § Errors.
 */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** What went wrong, from a closed list. */
  readonly code: ClientErrorCode;
  /** The operation that was called; absent when `raw` was used, and with some of `misuse`. */
  declare readonly operation?: Operation;
  /** HTTP status of the answer; absent when there was none. */
  declare readonly status?: number;
  readonly #response: Response | undefined;
  readonly #body: unknown;

  /** Makes an error; the message must not quote keys, headers or bodies. */
  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, "cause" in details ? { cause: details.cause } : {});
    this.code = code;
    this.#response = details.response;
    this.#body = details.body;
    if (details.operation) this.operation = details.operation;
    if (details.response) this.status = details.response.status;
  }

  /** Headers of the answer; `undefined` when there was none. Not part of the inspected or serialised error. */
  get headers(): Headers | undefined {
    return this.#response?.headers;
  }

  /** Body of the answer: JSON as parsed, or else text; may hold secrets. Not part of the inspected or serialised error. */
  get body(): unknown {
    return this.#body;
  }

  /** The problems that the body lists, with `validation`; otherwise empty. Their `input` may quote the request. */
  get problems(): readonly ValidationProblem[] {
    const detail = isRecord(this.#body) ? this.#body["detail"] : undefined;
    return this.code === "validation" && Array.isArray(detail) ? detail.filter(isProblem) : [];
  }
}

const codes: Readonly<Record<number, ClientErrorCode>> = {
  400: "bad-request",
  401: "authentication",
  403: "authentication",
  404: "not-found",
  422: "validation",
  429: "rate-limited",
  502: "upstream",
};

/** The error that an answer other than 2xx means. */
export function errorFromStatus(operation: Operation, response: Response, body: unknown): ClientError {
  const { status } = response;
  const code = codes[status] ?? (status >= 500 ? "server" : "unexpected-status");
  return new ClientError(code, `${operation} was answered with the status ${status}`, { operation, response, body });
}

/** Tells whether a JSON value is an object, and not an array or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isProblem(value: unknown): value is ValidationProblem {
  return isRecord(value) && Array.isArray(value["loc"]) && typeof value["msg"] === "string";
}
