import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

/** A signal that aborts by itself. */
export interface TimedAbort {
  readonly signal: AbortSignal;
  readonly reason: Error;
  /** Milliseconds of this process's own time since it aborted, when that is called first; not a number before. */
  sinceMs(): number;
}

/** Makes a signal that aborts after so many milliseconds. */
export function abortAfter(ms: number): TimedAbort {
  const controller = new AbortController();
  const reason = new Error("enough");
  let own: (() => number) | undefined;
  setTimeout(() => {
    own = countOwnTime();
    controller.abort(reason);
  }, ms);
  return { signal: controller.signal, reason, sinceMs: () => own?.() ?? Number.NaN };
}
