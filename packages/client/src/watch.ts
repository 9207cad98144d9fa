import { ClientError } from "./client-error.ts";

/** One thing that is watched over. */
export interface Watched {
  /** Aborts when nobody waits for it any more; its reason is the error. */
  readonly signal: AbortSignal;
  /** Does something in so many milliseconds, instead of what it was to do before; unless all is over until then. */
  readonly after: (ms: number, act: () => void) => void;
  /** Ends it. */
  readonly fail: (error: ClientError) => void;
}

/** Ends what takes too long, or what the caller no longer wants. */
export interface Watch {
  /** Does one thing, and rejects at once when the call ends, whether `act` heeds its signal or not. */
  readonly run: <Result>(act: (watched: Watched) => Promise<Result>) => Promise<Result>;
  /** Lets go of the signal and of the timer. */
  readonly stop: () => void;
}

/** Watches over one call, from now on. */
export function createWatch(signal: AbortSignal | undefined, totalMs: number): Watch {
  let ended: ClientError | undefined;
  let fail: ((error: ClientError) => void) | undefined;
  const end = (error: ClientError): void => {
    ended ??= error;
    fail?.(ended);
  };
  const onAbort = (): void => end(new ClientError("aborted", "the signal aborted", { cause: signal?.reason }));
  const total = timer(totalMs, () => end(tooLong("total", totalMs)));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    run: (act) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        const controller = new AbortController();
        let running: typeof total;
        const watched: Watched = {
          signal: controller.signal,
          after(ms, then) {
            clearTimeout(running);
            if (!controller.signal.aborted) running = timer(ms, then);
          },
          fail(error) {
            clearTimeout(running);
            reject(error);
            controller.abort(error);
          },
        };
        fail = watched.fail;
        act(watched)
          .then(resolve, reject)
          .finally(() => clearTimeout(running));
      }),
    stop() {
      clearTimeout(total);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** The error of a limit that passed. */
export function tooLong(phase: "headers" | "body" | "total", ms: number, response?: Response): ClientError {
  return new ClientError("timeout", `${phase} took longer than ${ms} ms`, { phase, response });
}

/** Timers hold no more than 2^31 - 1; what is longer never comes. */
function timer(ms: number, act: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms < 2 ** 31 ? setTimeout(act, ms) : undefined;
}
