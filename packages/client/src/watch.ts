import { ClientError, type TimeoutPhase } from "./client-error.ts";

/** Ends what takes too long, or what the caller no longer wants. */
export interface Watch {
  /**
   * Does one thing, and rejects at once when a time is over or the caller aborts, whether `act` heeds its signal or not.
   *
   */
  run<Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Begins a phase of what runs, which ends the one before. */
  enter(phase: TimeoutPhase, limitMs: number): void;
  /** Lets go of the signal and of all timers. What was done goes on. */
  stop(): void;
}

/** Timers hold no more. */
const maxTimerMs = 2 ** 31 - 1;

/** Watches over one call, from now on. */
export function createWatch(signal: AbortSignal | undefined, totalMs: number): Watch {
  let ended: ClientError | undefined;
  let fail = (error: ClientError): void => void (ended ??= error);
  const limit = (phase: TimeoutPhase, ms: number): ReturnType<typeof setTimeout> | undefined => {
    const expire = (): void => fail(new ClientError("timeout", `${phase} took longer than ${ms} ms`, { phase }));
    return ms > maxTimerMs ? undefined : setTimeout(expire, ms);
  };
  const onAbort = (): void =>
    fail(new ClientError("aborted", "the caller's signal aborted", { cause: signal?.reason }));
  const total = limit("total", totalMs);
  let timer: typeof total;
  const enter = (phase: TimeoutPhase, ms: number): void => {
    clearTimeout(timer);
    timer = limit(phase, ms);
  };

  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    enter,
    run: (act) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        const controller = new AbortController();
        fail = (error) => {
          if (error.phase === "total" || error.code === "aborted") ended = error;
          reject(error);
          controller.abort(error);
        };
        act(controller.signal)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),
    stop() {
      clearTimeout(total);
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
