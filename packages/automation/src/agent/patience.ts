/** How long somebody is waited for in all, however often. The time in between does not count. */
export class Patience {
  readonly #controller = new AbortController();
  /** Aborts when it took too long, with a `TimeoutError`, when it ended, or when the signal given does. */
  readonly signal: AbortSignal;
  #leftMs: number;

  constructor(ms: number, signal: AbortSignal) {
    this.#leftMs = ms;
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
  }

  /** Waits for a promise; its time counts. */
  async during<Value>(promise: Promise<Value>): Promise<Value> {
    const began = performance.now();
    const timer = setTimeout(
      () => this.#controller.abort(new DOMException("it took too long", "TimeoutError")),
      Math.max(0, this.#leftMs),
    );
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#leftMs -= performance.now() - began;
    }
  }

  /** Ends what still waits. */
  end(): void {
    this.#controller.abort(new DOMException("it is over", "AbortError"));
  }
}
