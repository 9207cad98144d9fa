import type { Probe } from "../http/probe.ts";
import type { Check } from "./check.ts";

/**
 * The parts of a run in order of sending: plain requests; those on one kept connection, which follow one another, so that no target
 * closes it between two of them; those that are sent at once; all that needs the answers before it; what the interface leaves open;
 * billed runs; and the repetitions that show whether anything has changed.
 */
export const phases = ["plain", "kept", "burst", "further", "open", "runs", "last"] as const;

/** One part of a run. */
export type Phase = (typeof phases)[number];

/** What a folder of checks adds to the suite. */
export interface CheckGroup {
  /** Its checks, in the order of the report. */
  readonly checks: readonly Check[];
  /** Its probes by the part of the run that they are sent in. The same seed gives the same requests. */
  readonly probes: (seed: number) => Partial<Readonly<Record<Phase, readonly Probe[]>>>;
  /** Extends a check of any folder to the probes of this one. Default: none is. */
  readonly extend?: (check: Check) => Check;
}
