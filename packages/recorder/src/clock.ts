/** Clock with timers. Tests bring one that they set. */
export interface Clock {
  /** Now, in milliseconds since 1970 (UTC). */
  now(): number;
  /**
   * Runs a function once at a moment; in a later turn of the event loop if the moment has passed. Does not keep the process alive.
   *
   * @param momentMs - In milliseconds since 1970 (UTC); moments further away than a timer can hold (24.8 days) are kept, too.
   * @returns A function that cancels it.
   */
  at(momentMs: number, run: () => void): () => void;
}

/** Longest time that a timer of the platform holds, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** The system clock. */
export const systemClock: Clock = {
  // oxlint-disable-next-line no-restricted-properties -- this is the clock of moments
  now: () => Date.now(),
  at(momentMs, run) {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      // oxlint-disable-next-line no-restricted-properties -- once, for how long a timer waits
      const left = momentMs - Date.now();
      timer = setTimeout(left > maxTimerMs ? wait : run, Math.min(Math.max(left, 0), maxTimerMs));
      timer.unref();
    };
    wait();
    return () => clearTimeout(timer);
  },
};
