/**
 * Kinds of lines that hold no event.
 *
 * - `invalid-json`: a `data` line holds no JSON object, or only a part of one.
 * - `missing-type`: a JSON object without a string `type`. It can't be told what it is, so it is not delivered.
 * - `sentinel`: a single word such as `[DONE]`, which other services send last. It is no terminal event.
 * - `event-too-large`: larger than the bound, and dropped because `oversize` is `skip`.
 * - `after-terminal`: a `data` line after the terminal event, which is not delivered.
 */
export type StreamReportKind = "invalid-json" | "missing-type" | "sentinel" | "event-too-large" | "after-terminal";

/** Something on the wire that is not an event, and did not stop the reading. Never holds what the wire said. */
export interface StreamReport {
  /** Kind of the line. */
  readonly kind: StreamReportKind;
  /** Number of the line, from 1; of several lines that belong together, the first. Lines end at LF, CRLF or CR. */
  readonly line: number;
}
