import type { StreamReport } from "../errors/stream-report.ts";

/** Options of a decoder: what it does with damage, and its bound. */
export interface DecodingOptions {
  /** Receives what is not an event. Default: nobody. Must not throw. */
  readonly onReport?: ((report: StreamReport) => void) | undefined;
  /** Largest event, and largest line without an end, in bytes as on the wire, a byte order mark included. Default: 16 MiB (16777216). */
  readonly maxEventBytes?: number | undefined;
  /**
   * How an event that is larger is handled. `throw`: reading ends with `event-too-large`. `skip`: it is reported and
   * dropped, and the next line is read. Default: `throw`.
   */
  readonly oversize?: "throw" | "skip" | undefined;
  /**
   * How a line that holds no event is handled. `report`: it is reported, and the next line is read. `throw`: reading
   * ends with `invalid-json` or `missing-type`. Default: `report`.
   */
  readonly damage?: "report" | "throw" | undefined;
}
