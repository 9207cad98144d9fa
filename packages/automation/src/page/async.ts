import { setTimeout as pause } from "node:timers/promises";

/** What a promise gives, unless the signal aborts before: then its reason is thrown at once. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error("the step was aborted"));
  promise.catch(() => {});
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
    aborted.catch(() => {});
  }
}

/** What a promise gives within a time; undefined when it takes longer, or fails. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  try {
    return await Promise.race([promise.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits. Throws the signal's reason when it aborts. */
export async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await pause(ms, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
}
