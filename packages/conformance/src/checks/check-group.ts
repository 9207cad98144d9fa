import type { Probe } from "../http/probe.ts";
import type { Check } from "./check.ts";

/**
 * Phases of a run, in order: plain requests; those on one kept connection, in direct succession, so that no target closes it between two of
 * them; those that are sent at once; those that depend on earlier answers; those that the interface leaves open; billed runs; and the
 * repetitions that show whether anything has changed.
 */
export const phases = ["plain", "kept", "burst", "further", "open", "runs", "last"] as const;

/** One phase of a run. */
export type Phase = (typeof phases)[number];

/** Checks and probes that one folder adds to the suite. */
export interface CheckGroup {
  /** Its checks, in the order of the report. */
  readonly checks: readonly Check[];
  /** Its probes by the phase of the run that they are sent in. The same seed gives the same requests. */
  readonly probes: (seed: number) => Partial<Readonly<Record<Phase, readonly Probe[]>>>;
  /** Extends a check of any folder to the probes of this one. Default: extends none. */
  readonly extend?: (check: Check) => Check;
}
