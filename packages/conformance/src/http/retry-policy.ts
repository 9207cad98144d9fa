import type { Limits } from "./limits.ts";
import { retryAfterMs } from "./retry-after.ts";
import type { Transmission } from "./transport.ts";

/** Delays before the retries of a request whose connection failed, in milliseconds. */
const connectionRetryDelaysMs: readonly number[] = [100, 400];

/** Maximum number of retries because the target asked for a pause. */
const maxPauses = 5;

/** A further attempt. */
export interface Attempt {
  /** Delay before it, in milliseconds. */
  readonly delayMs: number;
  /** Reason for the retry. */
  readonly reason: string;
}

/** The attempts of one request so far. */
interface Attempts {
  connections: number;
  pauses: number;
}

/**
 * Decides whether a request is sent again: when its connection failed before the first byte of an answer, at most twice; and when the
 * target answered 429 or 503 with `Retry-After`, as long as the pauses are within their limits.
 *
 * A request that could start a run is sent again only after a 429, which says that it was not accepted.
 */
export class RetryPolicy {
  readonly #limits: Pick<Limits, "maxPauseMs" | "maxTotalPauseMs">;
  #pausedMs = 0;

  constructor(limits: Pick<Limits, "maxPauseMs" | "maxTotalPauseMs">) {
    this.#limits = limits;
  }

  /** Returns the retry policy of one request: a function that returns the next attempt, or undefined when it is not sent again. */
  forRequest(couldStartRun: boolean): (transmission: Transmission) => Attempt | undefined {
    const attempts: Attempts = { connections: 0, pauses: 0 };
    return (transmission) =>
      transmission.answered
        ? this.#afterPause(transmission, attempts, couldStartRun)
        : afterFailure(transmission, attempts, couldStartRun);
  }

  #afterPause(
    { exchange: { response } }: Transmission,
    attempts: Attempts,
    couldStartRun: boolean,
  ): Attempt | undefined {
    if (!response || attempts.pauses >= maxPauses || (couldStartRun && response.status !== 429)) return undefined;
    const pauseMs = retryAfterMs(response, Date.now());
    const { maxPauseMs, maxTotalPauseMs } = this.#limits;
    if (pauseMs === undefined || pauseMs > maxPauseMs || this.#pausedMs + pauseMs > maxTotalPauseMs) return undefined;
    attempts.pauses += 1;
    this.#pausedMs += pauseMs;
    return {
      delayMs: pauseMs,
      reason: `answered ${response.status} and asked for a pause of ${pauseMs / 1000} s (Retry-After)`,
    };
  }
}

function afterFailure(
  { exchange: { failure } }: Transmission,
  attempts: Attempts,
  couldStartRun: boolean,
): Attempt | undefined {
  const delayMs = connectionRetryDelaysMs[attempts.connections];
  if (couldStartRun || delayMs === undefined) return undefined;
  if (failure?.code !== "unreachable" && failure?.code !== "reset") return undefined;
  attempts.connections += 1;
  return { delayMs, reason: failure.message };
}
