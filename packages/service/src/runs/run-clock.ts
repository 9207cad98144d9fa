/** Limits the time of a run; it stands still while the run waits for a person. */
export class RunClock {
  readonly #onEnd: () => void;
  #leftMs: number;
  #beganMs = performance.now();
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param onEnd - Called when the time is over, in milliseconds. */
  constructor(ms: number, onEnd: () => void) {
    this.#leftMs = ms;
    this.#onEnd = onEnd;
    this.#begin();
  }

  /** Stands still until the returned function is called. */
  pause(): () => void {
    if (this.#pauses === 0) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#beganMs;
    }
    this.#pauses += 1;
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#begin();
    };
  }

  /** Stops the clock: `onEnd` is not called any more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #begin(): void {
    if (this.#isStopped) return;
    this.#beganMs = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.max(0, this.#leftMs));
    this.#timer.unref();
  }
}
