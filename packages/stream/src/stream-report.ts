/**
 * Something on the wire that is not an event, and did not stop the reading. Never holds what the wire said.
 *
 * Lines are counted from 1 and end at LF, CRLF or CR; of several lines that belong together, the first is named.
 *
 * Source: ours.
 */
export type StreamReport = DamagedLine | MissingType | Sentinel | AfterTerminal;

/** A `data` line that holds no event. Reading goes on with the next line. Source: ours. */
export interface DamagedLine {
  /** Tells the reports apart. */
  readonly kind: "damaged-line";
  /** Number of the line. */
  readonly line: number;
  /** `not-json`: no JSON text. `not-object`: JSON, but not an object. `cut-off`: the stream ended inside it. */
  readonly reason: "not-json" | "not-object" | "cut-off";
}

/** A JSON object without a string `type`. It can't be told what it is, so it is not delivered. Source: interface § Events. */
export interface MissingType {
  /** Tells the reports apart. */
  readonly kind: "missing-type";
  /** Number of the line. */
  readonly line: number;
}

/** The line `data: [DONE]`, which other services send last. It is no terminal event. Source: ours. */
export interface Sentinel {
  /** Tells the reports apart. */
  readonly kind: "sentinel";
  /** Number of the line. */
  readonly line: number;
}

/** A `data` line after the terminal event, which is not delivered. Source: interface § States and transitions. */
export interface AfterTerminal {
  /** Tells the reports apart. */
  readonly kind: "after-terminal";
  /** Number of the line. */
  readonly line: number;
}
