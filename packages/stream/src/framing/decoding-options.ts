import type { StreamReport } from "../errors/stream-report.ts";

/** Options of a decoder: how it handles malformed lines, and how large an event may be. */
export interface DecodingOptions {
  /** Called with each line that is not an event. Default: such lines are ignored. Must not throw. */
  readonly onReport?: ((report: StreamReport) => void) | undefined;
  /** Size limit of an event, and of an incomplete line, in bytes on the wire, including a byte order mark. Default: 16 MiB (16777216). */
  readonly maxEventBytes?: number | undefined;
  /**
   * Handling of an event above that limit. `throw`: reading ends with `event-too-large`. `skip`: it is reported and
   * dropped, and reading continues with the next line. Default: `throw`.
   */
  readonly oversize?: "throw" | "skip" | undefined;
  /**
   * Handling of a `data` line without an event. `report`: it is reported, and reading continues with the next line.
   * `throw`: reading ends with `invalid-json` or `missing-type`. Default: `report`.
   */
  readonly damage?: "report" | "throw" | undefined;
}
