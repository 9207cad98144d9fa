/**
 * Kinds of reported lines.
 *
 * - `invalid-json`: a `data` line is not a JSON object, or only a part of one.
 * - `missing-type`: a JSON object without a string `type`, which is not delivered.
 * - `sentinel`: a word such as `[DONE]`, which other services send last. It is not a terminal event.
 * - `event-too-large`: an event above `maxEventBytes`, dropped because `oversize` is `skip`.
 * - `after-terminal`: a `data` line after the terminal event, which is not delivered.
 * - `unknown-field`: a line that is neither a comment nor a field of server-sent events (`data`, `event`, `id`, `retry`), such as
 *   `Data: …`, or JSON without `data:`. It is ignored, as the standard of server-sent events says.
 */
export type StreamReportKind =
  | "invalid-json"
  | "missing-type"
  | "sentinel"
  | "event-too-large"
  | "after-terminal"
  | "unknown-field";

/** A line that is not an event, and did not end the reading. Has no content of the line. */
export interface StreamReport {
  /** Kind of the line. */
  readonly kind: StreamReportKind;
  /** Line number, from 1; of an event that spans lines, that of the first. Lines end with LF, CRLF or CR. */
  readonly line: number;
}
