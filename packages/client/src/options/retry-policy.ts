import type { ClientError } from "../errors/client-error.ts";

/** Options of the retry policy. */
export interface RetryOptions {
  /** Maximum number of retries. Default: 2. */
  readonly max?: number | undefined;
  /** Upper limit of the first delay, which is random (exponential backoff with full jitter), in milliseconds. Doubled for each later one. Default: 500. */
  readonly baseMs?: number | undefined;
  /** Maximum delay, in milliseconds. Default: 8,000. */
  readonly maxMs?: number | undefined;
  /** Maximum delay when the service sends `Retry-After`, in milliseconds. Default: 60,000. */
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

/** Returns the delay before a retry, in milliseconds: `Retry-After`, or exponential backoff with full jitter. `undefined` when there are no retries left. */
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
