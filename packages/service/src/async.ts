import pTimeout from "p-timeout";

/**
 * Waits for a promise. Throws the signal's reason as soon as it aborts.
 *
 * @param dispose - Called with a value that comes after that, to dispose of it.
 */
export async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  dispose: (value: Value) => Promise<void> = async () => {},
): Promise<Value> {
  promise.then((value) => (signal.aborted ? dispose(value) : undefined)).catch(() => {});
  signal.throwIfAborted();
  return pTimeout(promise, { milliseconds: Infinity, signal });
}

/** Returns whether a promise resolves or rejects before another one resolves. Rejects when the other one does so first. */
export function settlesBefore(promise: Promise<unknown>, other: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, other.then(() => false)]);
}
