import type { AutomationSnapshot } from "../events/snapshot.ts";

/**
 * Codes of the errors with which a stream ends without a terminal event.
 *
 * - `ended-early`: the source ended before a terminal event. The run may still be running, and be billed.
 * - `connection-lost`: the source failed before a terminal event; `cause` is its error.
 * - `first-event-timeout`: the first event did not arrive in time; `bytes-timeout`: no bytes in time; `events-timeout`: bytes,
 *   but no event in time; `total-timeout`: the stream as a whole took too long.
 * - `invalid-json`, `missing-type`: a data line is not an event, and `damage` is `throw`.
 * - `event-too-large`: an event, or an incomplete line, exceeds `maxEventBytes`.
 * - `not-a-stream`: the content is not an event stream, but a JSON or HTML body, for instance; `head` has its beginning.
 * - `http-status`: the response has a status other than 2xx; see `status` and `head`.
 * - `aborted`: the caller's signal aborted; `cause` is its reason.
 * - `misuse`: an argument is invalid, or a call is not allowed at this time; the message says which.
 */
export type StreamErrorCode =
  | "ended-early"
  | "connection-lost"
  | "first-event-timeout"
  | "bytes-timeout"
  | "events-timeout"
  | "total-timeout"
  | "invalid-json"
  | "missing-type"
  | "event-too-large"
  | "not-a-stream"
  | "http-status"
  | "aborted"
  | "misuse";

/** Messages by code. */
const sentences: Readonly<Record<StreamErrorCode, string>> = {
  "ended-early": "the stream ended before a terminal event",
  "connection-lost": "the connection was lost before a terminal event",
  "first-event-timeout": "no event came within firstEventMs",
  "bytes-timeout": "no bytes came within bytesMs",
  "events-timeout": "no event came within eventsMs",
  "total-timeout": "the stream took longer than totalMs",
  "invalid-json": "a data line is not JSON",
  "missing-type": "an event has no type",
  "event-too-large": "an event is larger than maxEventBytes",
  "not-a-stream": "the content is not an event stream",
  "http-status": "the request was not answered with a stream",
  aborted: "the signal aborted",
  misuse: "an argument or a call is invalid",
};

/** Details of a `StreamError` beside its code. */
export interface StreamErrorDetails {
  /** The underlying error. */
  readonly cause?: unknown;
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  /** The beginning of the content, as text. */
  readonly head?: string | undefined;
  /** Returns the snapshot of the events before the error. */
  readonly snapshot?: (() => AutomationSnapshot) | undefined;
}

/**
 * The one error that this package throws.
 *
 * Messages contain no content of the stream.
 *
 * @example
 * ```ts from=examples/api/stream/stream-error.ts
 * import { readAutomationStream, StreamError } from "@cloud-browser/stream";
 *
 * const body = new Blob([`data: {"type":"status","status":"starting"}\n\n`]).stream(); // without a terminal event
 * const outcome = await readAutomationStream(body).outcome();
 * if (outcome.type === "broken") console.log(outcome.error instanceof StreamError, outcome.error.code); // true ended-early
 * ```
 */
export class StreamError extends Error {
  /** Always `StreamError`. */
  override readonly name = "StreamError";
  /** Code of the error. */
  declare readonly code: StreamErrorCode;
  /** HTTP status of the response, with `http-status` and `not-a-stream`; absent when the source was not a response. */
  declare readonly status?: number;
  readonly #head: string | undefined;
  readonly #snapshot: (() => AutomationSnapshot) | undefined;

  /** Creates an error; the message must not quote the stream. Default message: what the code means, with the HTTP status. */
  constructor(code: StreamErrorCode, message?: string, details: StreamErrorDetails = {}) {
    const { status } = details;
    super(message ?? sentences[code] + (status ? ` (HTTP status ${status})` : ""), details);
    this.code = code;
    if (status) this.status = status;
    this.#head = details.head;
    this.#snapshot = details.snapshot;
  }

  /**
   * The beginning of the content as text, at most 512 bytes; with `http-status` and `not-a-stream`.
   *
   * It may contain secrets, so it is not part of the message, nor of the inspected or serialized error.
   */
  get head(): string | undefined {
    return this.#head;
  }

  /**
   * Snapshot of the events before the error: text, tools, function and so on. Absent when the error is not from reading a stream.
   *
   * It has content of the stream, so it is not part of the message, nor of the inspected or serialized error.
   */
  get snapshot(): AutomationSnapshot | undefined {
    return this.#snapshot?.();
  }
}
