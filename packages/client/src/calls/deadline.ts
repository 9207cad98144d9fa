import { ClientError } from "../errors/client-error.ts";

/** The time of one attempt, with the wait before it. */
export interface AttemptTime {
  /** Aborts when the attempt is over before it has a result; its reason is the error. */
  readonly signal: AbortSignal;
  /** Rejects when `signal` aborts: who races with it ends at once, also when what is waited for does not heed the signal. */
  readonly ended: Promise<never>;
  /** Lets so many milliseconds pass. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Limits what is done next, in milliseconds, instead of what was limited before.
   *
   * @param late - makes the error by which the attempt ends
   */
  readonly limit: (ms: number, late?: () => ClientError) => void;
}

/** The time of one call: it ends with its limit, or with the caller's signal. */
export interface Deadline {
  /**
   * Begins an attempt, instead of the one before.
   *
   * @throws {ClientError} `timeout` or `aborted` when the call is over.
   */
  readonly begin: () => AttemptTime;
  /** Lets go of the signal and of the timers. */
  readonly release: () => void;
}

/**
 * Starts the time of one call.
 *
 * @param redactKeys - makes the reason of the signal safe to log
 */
export function startDeadline(
  signal: AbortSignal | undefined,
  totalMs: number,
  redactKeys: (reason: unknown) => unknown,
): Deadline {
  /** Is the error by which the call ends, as soon as it is known. */
  let over: ClientError | undefined;
  /** Ends the attempt that is under way. */
  let fail: ((error: ClientError) => void) | undefined;
  /** Is the timer of that attempt: of its pause, or of what is limited. */
  let running: ReturnType<typeof timer>;
  const end = (error: ClientError): void => {
    over ??= error;
    fail?.(over);
  };
  const onAbort = (): void =>
    end(new ClientError("aborted", "the signal aborted", { cause: redactKeys(signal?.reason) }));
  const total = timer(totalMs, () => end(tooLong("total", totalMs)));
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
          if (controller.signal.aborted) return; // the timer may be that of the next attempt
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

/** The error of a limit that passed. */
export function tooLong(phase: "headers" | "body" | "total", ms: number, response?: Response): ClientError {
  return new ClientError("timeout", `${phase} took longer than ${ms} ms`, { phase, response });
}

/** Timers hold no more than 2^31 - 1; what is longer never comes. */
function timer(ms: number, act: () => void): ReturnType<typeof setTimeout> | undefined {
  return ms < 2 ** 31 ? setTimeout(act, ms) : undefined;
}
