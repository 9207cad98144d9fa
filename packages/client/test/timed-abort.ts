/** A signal that aborts by itself. */
export interface TimedAbort {
  readonly signal: AbortSignal;
  readonly reason: Error;
  /** Milliseconds since it aborted; not a number before. */
  sinceMs(): number;
}

/** Makes a signal that aborts after so many milliseconds. */
export function abortAfter(ms: number): TimedAbort {
  const controller = new AbortController();
  const reason = new Error("enough");
  let abortedAt = Number.NaN;
  setTimeout(() => {
    abortedAt = performance.now();
    controller.abort(reason);
  }, ms);
  return { signal: controller.signal, reason, sinceMs: () => performance.now() - abortedAt };
}
