import { header, type RawResponse } from "./exchange.ts";

/** Statuses with which a target asks to retry later. */
const retryLaterStatuses: ReadonlySet<number> = new Set([429, 503]);

/**
 * Returns the delay of `Retry-After` in milliseconds: its seconds, or the time until its date. Undefined for another status
 * than 429 and 503, and without a valid `Retry-After`.
 *
 * Source: RFC 9110 § 10.2.3; the interface shows no rate limits.
 *
 * @param now - The present moment, in milliseconds since 1970.
 */
export function retryAfterMs(response: RawResponse, now: number): number | undefined {
  const value = header(response, "retry-after")?.trim();
  if (value === undefined || !retryLaterStatuses.has(response.status)) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}
