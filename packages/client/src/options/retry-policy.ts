import type { ClientError } from "../errors/client-error.ts";

/** Options of the retry policy. */
export interface RetryOptions {
  /** Maximum number of retries. Default: 2. */
  readonly max?: number | undefined;
  /** Upper limit of the first delay, which is random (exponential backoff with full jitter), in milliseconds. Doubled for each later one. Default: 500. */
  readonly baseMs?: number | undefined;
  /** Maximum delay, in milliseconds. Default: 8,000. */
  readonly maxMs?: number | undefined;
  /** Longest delay that the service may ask for with `Retry-After`, in milliseconds: the error is thrown at once when it asks for more. Default: 60,000. */
  readonly maxRetryAfterMs?: number | undefined;
  /**
   * Retries an automation when nothing was sent for certain: the name was not found, or the connection refused.
   * Recognizes these by the error codes of Node.js and Bun; other runtimes never retry. Default: false.
   */
  readonly unsentAutomations?: boolean | undefined;
}

/** Returns whether an error is transient: idempotent requests are retried after it. */
export function isTransient({ code, status = 0, phase }: ClientError): boolean {
  return (
    code === "network" || (code === "timeout" && phase !== "total") || status === 408 || status === 429 || status >= 500
  );
}

/**
 * Returns the delay before a retry, in milliseconds: `Retry-After`, or exponential backoff with full jitter.
 *
 * @param leftMs - time that is left for the call, in milliseconds
 * @returns undefined when there are no retries left, or the service asks for a longer delay than the options or the time allow.
 */
export function retryDelay(
  { retryAfterMs }: ClientError,
  attempt: number,
  retries: number | RetryOptions = {},
  leftMs: number = Infinity,
): number | undefined {
  const options = typeof retries === "number" ? { max: retries } : retries;
  const { max = 2, baseMs = 500, maxMs = 8000, maxRetryAfterMs = 60_000 } = options;
  if (!(attempt <= max)) return undefined;
  if (retryAfterMs === undefined) return Math.random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1));
  return retryAfterMs <= maxRetryAfterMs && retryAfterMs < leftMs ? retryAfterMs : undefined;
}
