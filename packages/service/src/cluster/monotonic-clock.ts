/** Monotonic clock: it can't be set, and runs on while the process is stopped. */
export interface MonotonicClock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Calls after some milliseconds; returns a function that calls that off. */
  after(ms: number, call: () => void): () => void;
}

/** The clock of this machine. */
export const machineClock: MonotonicClock = {
  now: () => performance.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
