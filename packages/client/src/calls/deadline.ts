import { ClientError } from "../errors/client-error.ts";
import type { Redact } from "../errors/redaction.ts";

/** Time limits of an attempt, including the delay before it. */
export interface AttemptTime {
  /** Aborts when the attempt ends without a result; its reason is the error. */
  readonly signal: AbortSignal;
  /** Waits, in milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Limits the next phase of the attempt, in milliseconds; replaces the limit of the phase before.
   *
   * @param late - creates the error when the limit expires; without it there is no limit
   */
  readonly limit: (ms: number, late?: () => ClientError) => void;
}

/** Time limits of a call: its total limit, and the caller's signal. */
export interface CallDeadline {
  /**
   * Makes the next attempt. Does not wait for work that goes on after `signal` has aborted.
   *
   * @throws {ClientError} `timeout` or `aborted` when the total limit has expired or the signal aborted.
   */
  readonly attempt: <Result>(work: (time: AttemptTime) => Promise<Result>) => Promise<Result>;
  /** Removes the listener of the signal, and clears the timers. */
  readonly release: () => void;
}

/**
 * Starts the deadline of a call.
 *
 * @param redactKeys - makes the reason of the signal safe to log
 */
export function startDeadline(signal: AbortSignal | undefined, totalMs: number, redactKeys: Redact): CallDeadline {
  /** Error with which the call ends, once known. */
  let over: ClientError | undefined;
  /** Ends the current attempt. */
  let fail: ((error: ClientError) => void) | undefined;
  /** Timer of the current attempt: of its pause, or of its phase. */
  let running: ReturnType<typeof timer>;
  const end = (error: ClientError): void => {
    over ??= error;
    fail?.(over);
  };
  const onAbort = (): void =>
    end(new ClientError("aborted", "the signal aborted", { cause: redactKeys(signal?.reason) }));
  const total = timer(totalMs, () => end(timeoutError("total", totalMs)));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    attempt: (work) =>
      new Promise((resolve, reject) => {
        clearTimeout(running);
        if (over) throw over;
        const controller = new AbortController();
        const { signal: ended } = controller;
        fail = (error) => {
          clearTimeout(running);
          reject(error);
          controller.abort(error);
        };
        const pause: AttemptTime["pause"] = (ms) => new Promise((done) => (running = timer(ms, done)));
        const limit: AttemptTime["limit"] = (ms, late) => {
          if (ended.aborted) return; // the timer may already be that of the next attempt
          clearTimeout(running);
          running = late && timer(ms, () => fail?.(late()));
        };
        work({ signal: ended, pause, limit }).then(resolve, reject);
      }),
    release() {
      clearTimeout(running);
      clearTimeout(total);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Creates the error of a limit that has expired. */
export function timeoutError(phase: "headers" | "body" | "total", ms: number, response?: Response): ClientError {
  return new ClientError("timeout", `${phase} took longer than ${ms} ms`, { phase, response });
}

/** Sets a timer. The delay of a timer is at most 2^31 - 1; a longer one is taken for ever. */
function timer(ms: number, act: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms < 2 ** 31 ? setTimeout(act, ms) : undefined;
}
