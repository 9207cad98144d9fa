import type { components } from "@cloud-browser/spec/types";

/** One cookie as the service gives it; any field may be missing. Source: interface § Resources and their fields. */
export type Cookie = components["schemas"]["Cookie"];

/** Cookies in an array, or in an object that has such an array, as the service's answer does. */
export type CookieList<Item> = readonly Item[] | CookieHolder<Item>;

/** An object with cookies; whatever else it has is ignored. Source: interface § Resources and their fields. */
export interface CookieHolder<Item> {
  /** The cookies. */
  readonly cookies: readonly Item[];
}

/**
 * How something was handled that could not be taken over as it was.
 *
 * - `dropped`: the field is left out, or a part of it; the cookie is there.
 * - `assumed`: the field was missing, contradictory or of unknown unit, and its value is inferred.
 * - `skipped`: the whole cookie is left out, because of this field.
 */
export type CookieLossReason = "dropped" | "assumed" | "skipped";

/** One thing that was not taken over as it was. Never holds the value of a cookie. */
export interface CookieLoss {
  /** How it was handled. */
  readonly reason: CookieLossReason;
  /** Name of the field, as the service names it when it does; `cookie` when nothing of the cookie could be read. */
  readonly field: string;
  /** Which cookie of the input it was: index in an array or a header, from 0; number of the line in a file, from 1. */
  readonly at: number;
  /** Name of the cookie; absent when it has none, or when that is what can't be taken over. */
  readonly name?: string;
  /** Domain of the cookie, as it was given; absent when it has none. */
  readonly domain?: string;
}

/** Cookies that were converted. */
export interface ConvertedCookies<Item> {
  /** The cookies, in the order in which they were given. */
  readonly cookies: Item[];
  /** Cookies that were not taken over as they were, in the order of the cookies. */
  readonly losses: CookieLoss[];
}

/** Same-site rules of a cookie. See RFC 6265bis. */
export type SameSite = "Strict" | "Lax" | "None";
