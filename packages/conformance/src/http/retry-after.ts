import { header, type RawResponse } from "./exchange.ts";

/** Statuses with which a target asks for a pause. */
const pausing: ReadonlySet<number> = new Set([429, 503]);

/**
 * The pause that a response asks for, in milliseconds: seconds, or the time until a date. Undefined for another status than 429
 * and 503, and without a `Retry-After` that can be read.
 *
 * Source: RFC 9110 § 10.2.3; the interface shows no rate limits.
 *
 * @param now - The present moment, in milliseconds since 1970.
 */
export function pauseAskedFor(response: RawResponse, now: number): number | undefined {
  const value = header(response, "retry-after")?.trim();
  if (value === undefined || !pausing.has(response.status)) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}
