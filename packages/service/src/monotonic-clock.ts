import { readFileSync } from "node:fs";
import type { Clock } from "@cloud-browser/recorder";

/** Monotonic clock: it can't be set, and runs on while the process is stopped or the machine is suspended. */
export interface MonotonicClock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls a function after some milliseconds; returns one that cancels that. */
  callAfter(ms: number, call: () => void): () => void;
}

/** Readings of a machine, in milliseconds. */
export interface MachineTime {
  /** Time since some moment, which may stand still while the machine is suspended. */
  readonly monotonic: () => number;
  /** Time of day, which can be set. */
  readonly wall: () => number;
  /** Time since the start of the machine, with suspensions; undefined where it can't be read. Takes longer. */
  readonly sinceBoot: () => number | undefined;
}

/** How much the time of day may run ahead before the time since the start of the machine is read, in milliseconds. */
const maxLeadMs = 100;
/** How often it is read in any case, in milliseconds. */
const maxAgeMs = 1_000;

/** Returns a clock that counts suspensions of the machine: Linux has none that is cheap to read for Node.js. */
export function makeSuspensionClock({ monotonic, wall, sinceBoot }: MachineTime): () => number {
  const start = { monotonicMs: monotonic(), bootMs: sinceBoot() };
  let reading = { monotonicMs: start.monotonicMs, wallMs: wall() };
  let suspendedMs = 0;
  return () => {
    const monotonicMs = monotonic();
    const elapsedMs = monotonicMs - reading.monotonicMs;
    const wallMs = wall();
    // A time of day that was set looks like a suspension; only the time since the start of the machine tells them apart.
    if (elapsedMs < maxAgeMs && Math.abs(wallMs - reading.wallMs - elapsedMs) < maxLeadMs)
      return monotonicMs + suspendedMs;
    reading = { monotonicMs, wallMs };
    const bootMs = sinceBoot();
    if (bootMs === undefined || start.bootMs === undefined) return monotonicMs + suspendedMs;
    suspendedMs = Math.max(suspendedMs, bootMs - start.bootMs - (monotonicMs - start.monotonicMs));
    return monotonicMs + suspendedMs;
  };
}

/** Reads the time since the start of this machine, in milliseconds; undefined where it can't be read, or is not needed. */
function readSinceBoot(): number | undefined {
  // Elsewhere the monotonic clock counts suspensions.
  if (process.platform !== "linux") return undefined;
  try {
    return Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * 1_000;
  } catch {
    return undefined;
  }
}

/** The clock of this machine. */
export const machineClock: MonotonicClock = {
  // oxlint-disable-next-line no-restricted-properties -- compared with the time since the start of the machine
  now: makeSuspensionClock({ monotonic: () => performance.now(), wall: () => Date.now(), sinceBoot: readSinceBoot }),
  callAfter: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** Returns the monotonic clock that goes with a clock that somebody gave, which nobody sets back: tests have one for both. */
export function getMonotonic(clock: Clock): MonotonicClock {
  return { now: () => clock.now(), callAfter: (ms, call) => clock.at(clock.now() + ms, call) };
}
