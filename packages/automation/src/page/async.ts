import { setTimeout as pause } from "node:timers/promises";
import pTimeout from "p-timeout";

/** Waits for a promise. Throws the signal's reason as soon as it aborts. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  promise.catch(() => {}); // what fails later is of no use
  signal.throwIfAborted();
  return pTimeout(promise, { milliseconds: Infinity, signal });
}

/** Waits for a promise for so many milliseconds; resolves with undefined when it takes longer, or fails. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  return pTimeout(promise, { milliseconds: Math.max(0, ms), fallback: () => undefined }).catch(() => undefined);
}

/** Waits. Throws the signal's reason when it aborts. */
export async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await pause(ms, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
}
