/** Bounds the time of several waits together. Time between the waits does not count. */
export class TimeBudget {
  readonly #controller = new AbortController();
  /** Aborts with a `TimeoutError` when the budget is spent; also on `end`, and when the signal given to the constructor aborts. */
  readonly signal: AbortSignal;
  #leftMs: number;

  constructor(ms: number, signal: AbortSignal) {
    this.#leftMs = ms;
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
  }

  /** Waits for a promise, and charges the time that it took. */
  async during<Value>(promise: Promise<Value>): Promise<Value> {
    const began = performance.now();
    const timer = setTimeout(
      () => this.#controller.abort(new DOMException("The time budget is spent.", "TimeoutError")),
      Math.max(0, this.#leftMs),
    );
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#leftMs -= performance.now() - began;
    }
  }

  /** Aborts the signal: what still waits on it ends. */
  end(): void {
    this.#controller.abort(new DOMException("The time budget was ended.", "AbortError"));
  }
}
