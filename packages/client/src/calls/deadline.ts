import { ClientError, makeAbortedError } from "../errors/client-error.ts";
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
   * Runs the next attempt. Does not wait for work that continues after `signal` has aborted.
   *
   * @throws {ClientError} `timeout` or `aborted` when the total limit has expired or the signal aborted.
   */
  readonly attempt: <Result>(work: (time: AttemptTime) => Promise<Result>) => Promise<Result>;
  /** Removes the listener of the signal, and clears the timers. */
  readonly release: () => void;
}

/** Default limits of phases, in milliseconds. */
export const defaultTimeouts = { headersMs: 120_000, bodyMs: 60_000 };

/**
 * Starts the deadline of a call.
 *
 * @param redactKeys - makes the reason of the signal safe to log
 * @param firstMs - when the first phase is to be over, in milliseconds: until then one timer serves, as most calls are faster
 */
export function startDeadline(
  signal: AbortSignal | undefined,
  totalMs: number,
  redactKeys: Redact,
  firstMs: number,
): CallDeadline {
  const startedAt = performance.now();
  const totalAt = startedAt + totalMs;
  /** Error with which the call ends, once known. */
  let over: ClientError | undefined;
  /** Ends the current attempt. */
  let fail: ((error: ClientError) => void) | undefined;
  /** Next deadline of the current attempt: the end of its pause, or of its phase. */
  let due: { readonly at: number; readonly act: () => void } | undefined;
  /** The only timer, and its time: the earliest limit or before. */
  let alarm: ReturnType<typeof setTimeout> | undefined;
  let alarmAt = Infinity;
  const end = (error: ClientError): void => {
    over ??= error;
    fail?.(over);
  };
  const onAbort = (): void => end(makeAbortedError(redactKeys(signal?.reason)));
  const ring = (): void => {
    // A timer may ring a little early by the clock, which may also stand still in tests of the caller's.
    const now = Math.max(performance.now(), alarmAt);
    alarmAt = Infinity;
    if (now >= totalAt) return end(timeoutError("total", totalMs));
    if (due && now >= due.at) {
      const { act } = due;
      due = undefined;
      act();
    }
    setAlarm(Math.min(totalAt, due?.at ?? Infinity), now);
  };
  const setAlarm = (at: number, now: number): void => {
    if (at >= alarmAt) return;
    clearTimeout(alarm);
    const ms = Math.min(Math.ceil(at - now), 2 ** 31 - 1); // the longest delay of a timer
    alarmAt = now + ms;
    alarm = setTimeout(ring, ms);
  };
  const wait = (ms: number, act: (() => void) | undefined): void => {
    const now = performance.now();
    due = act && { at: now + ms, act };
    setAlarm(due?.at ?? Infinity, now);
  };
  const pause: AttemptTime["pause"] = (ms) => new Promise((done) => wait(ms, done));
  setAlarm(Math.min(totalAt, startedAt + firstMs), startedAt);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    attempt: (work) =>
      new Promise((resolve, reject) => {
        due = undefined;
        if (over) throw over;
        const controller = new AbortController();
        const { signal: ended } = controller;
        fail = (error) => {
          due = undefined;
          reject(error);
          controller.abort(error);
        };
        const limit: AttemptTime["limit"] = (ms, late) => {
          if (ended.aborted) return; // it may already be the turn of the next attempt
          wait(ms, late && (() => fail?.(late())));
        };
        work({ signal: ended, pause, limit }).then(resolve, reject);
      }),
    release() {
      clearTimeout(alarm);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Creates the error of a limit that has expired. */
export function timeoutError(phase: "headers" | "body" | "total", ms: number, response?: Response): ClientError {
  return new ClientError("timeout", `${phase} took longer than ${ms} ms`, { phase, response });
}
