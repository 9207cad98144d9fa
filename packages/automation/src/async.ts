import { setTimeout as pause } from "node:timers/promises";
import pTimeout from "p-timeout";

/** Waits for a promise. Throws the signal's reason as soon as it aborts. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  promise.catch(() => {}); // a later rejection is ignored
  signal.throwIfAborted();
  return pTimeout(promise, { milliseconds: Infinity, signal });
}

/** Waits for a promise at most this long, in milliseconds; resolves with undefined on timeout or rejection. */
export async function awaitWithin<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  return pTimeout(promise, { milliseconds: Math.max(0, ms), fallback: () => undefined }).catch(() => undefined);
}

/** Waits, in milliseconds. Throws the signal's reason when it aborts. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await pause(ms, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
}

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

  /** Aborts the signal, and with it all pending waits. */
  end(): void {
    this.#controller.abort(new DOMException("The time budget was ended.", "AbortError"));
  }
}
