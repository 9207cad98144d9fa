import type { ClientError } from "../errors/client-error.ts";

/** How failures that pass by themselves are met. */
export interface RetryOptions {
  /** How often a request is sent again, at most. Default: 2. */
  readonly max?: number | undefined;
  /** The first wait is a random part of this, and each one after it of twice as much, in milliseconds. Default: 500. */
  readonly baseMs?: number | undefined;
  /** The longest wait, in milliseconds. Default: 8,000. */
  readonly maxMs?: number | undefined;
  /** The longest wait when the service says how long, in milliseconds. Default: 60,000. */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * Repeats an automation when it is certain that nothing was sent: the name was not found, or the connection refused.
   * Knows these by the error codes of Node.js and Bun; elsewhere nothing is repeated. Default: false.
   */
  readonly unsentAutomations?: boolean | undefined;
}

/** Tells whether a failure may pass by itself: the retry policy of requests that are safe to repeat. */
export function isTransient({ code, status = 0, phase }: ClientError): boolean {
  return (
    code === "network" || (code === "timeout" && phase !== "total") || status === 408 || status === 429 || status >= 500
  );
}

/** How long to wait after a failure that may pass, in milliseconds; `undefined` when there shall be no other attempt. */
export function retryDelay(
  { retryAfterMs }: ClientError,
  attempt: number,
  retries: number | RetryOptions = {},
): number | undefined {
  const options = typeof retries === "number" ? { max: retries } : retries;
  const { max = 2, baseMs = 500, maxMs = 8000, maxRetryAfterMs = 60_000 } = options;
  if (!(attempt <= max)) return undefined;
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, maxRetryAfterMs);
  return Math.random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1));
}
