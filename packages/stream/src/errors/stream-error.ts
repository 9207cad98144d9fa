import type { AutomationSnapshot } from "../events/snapshot.ts";

/**
 * Codes of the errors by which a stream ends without a terminal event.
 *
 * - `ended-early`: the source ended, and no terminal event had come. The run may still go on, and be billed.
 * - `connection-lost`: the source failed before a terminal event had come; `cause` is its error.
 * - `first-event-timeout`: no event came in time; `bytes-timeout`: no bytes; `events-timeout`: bytes, but no event;
 *   `total-timeout`: the whole took too long.
 * - `invalid-json`, `missing-type`: a data line holds no event, and `damage` is `throw`.
 * - `event-too-large`: one event, or one line without an end, is larger than `maxEventBytes`.
 * - `not-a-stream`: the content is something else, such as a JSON or HTML body; `head` holds its beginning.
 * - `http-status`: the response given has a status other than 2xx; `status` and `head` say more.
 * - `aborted`: the caller's signal aborted; `cause` is its reason.
 * - `misuse`: the call can't work as it was made; the message says what to do.
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

/** Details of a `StreamError` beside its code. */
export interface StreamErrorDetails {
  /** The error below this one. */
  readonly cause?: unknown;
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  /** The beginning of the content, as text. */
  readonly head?: string | undefined;
}

/**
 * The one error that this package throws.
 *
 * No message holds anything that the stream carried.
 */
export class StreamError extends Error {
  /** Always `StreamError`. */
  override readonly name = "StreamError";
  /** Code of the error, from a closed list. */
  declare readonly code: StreamErrorCode;
  /** HTTP status of the response, with `http-status` and `not-a-stream`; absent when no response was given. */
  declare readonly status?: number;
  readonly #head: string | undefined;

  /** Makes an error; the message must not quote what the stream carried. Default message: the code. */
  constructor(code: StreamErrorCode, message: string = code, details: StreamErrorDetails = {}) {
    super(message, details);
    this.code = code;
    if (details.status) this.status = details.status;
    this.#head = details.head;
  }

  /**
   * The first bytes of what is not a stream, as text, at most 512 bytes; with `http-status` and `not-a-stream`.
   *
   * It may hold secrets, so it is not part of the message, nor of the inspected or serialised error.
   */
  get head(): string | undefined {
    return this.#head;
  }

  /**
   * Summary of what had come before the error: text, tools, function and so on. Absent when the error is not one of a stream.
   *
   * It holds what the stream carried, so it is not part of the message, nor of the inspected or serialised error.
   */
  get snapshot(): AutomationSnapshot | undefined {
    return snapshots.get(this);
  }
}

/** Summaries of what had come before each error. Not a field with a setter: bundlers keep a class whose static block exports one. */
const snapshots = new WeakMap<StreamError, AutomationSnapshot>();

/** Lets an error tell what had come until then. */
export function attachSnapshot(error: StreamError, snapshot: AutomationSnapshot): void {
  snapshots.set(error, snapshot);
}
