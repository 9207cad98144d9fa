import { ClientError } from "../errors/client-error.ts";
import type { Redact } from "../errors/redaction.ts";

/** Time limits of an attempt, including the delay before it. */
export interface AttemptTime {
  /** Aborts when the attempt ends without a result; its reason is the error. */
  readonly signal: AbortSignal;
  /** Rejects when `signal` aborts: to be raced with work that may ignore the signal. */
  readonly ended: Promise<never>;
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
export interface Deadline {
  /**
   * Starts the next attempt.
   *
   * @throws {ClientError} `timeout` or `aborted` when the total limit has expired or the signal aborted.
   */
  readonly begin: () => AttemptTime;
  /** Removes the listener of the signal, and clears the timers. */
  readonly release: () => void;
}

/**
 * Starts the deadline of a call.
 *
 * @param redactKeys - makes the reason of the signal safe to log
 */
export function startDeadline(signal: AbortSignal | undefined, totalMs: number, redactKeys: Redact): Deadline {
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
    begin() {
      clearTimeout(running);
      if (over) throw over;
      const controller = new AbortController();
      return {
        signal: controller.signal,
        ended: new Promise((_, reject) => {
          fail = (error) => {
            clearTimeout(running);
            reject(error);
            controller.abort(error);
          };
        }),
        pause: (ms) => new Promise((resolve) => (running = timer(ms, resolve))),
        limit(ms, late) {
          if (controller.signal.aborted) return; // the timer may already be that of the next attempt
          clearTimeout(running);
          running = late && timer(ms, () => fail?.(late()));
        },
      };
    },
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
