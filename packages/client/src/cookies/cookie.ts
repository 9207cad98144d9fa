import type { components } from "@cloud-browser/spec/types";

/** A cookie of the service; any field may be missing. Source: interface § Resources and their fields. */
export type Cookie = components["schemas"]["Cookie"];

/** An array of cookies, or an object with one in `cookies`, such as the response of the service. */
export type CookieList<Item> = readonly Item[] | CookieHolder<Item>;

/** An object with cookies; its other fields are ignored. Source: interface § Resources and their fields. */
export interface CookieHolder<Item> {
  /** The cookies. */
  readonly cookies: readonly Item[];
}

/**
 * Handling of a field that could not be converted unchanged.
 *
 * - `dropped`: the field, or a part of it, is left out; the cookie is kept.
 * - `assumed`: the field was missing, contradictory, of unknown unit or not as browsers write it, and its value is inferred.
 * - `skipped`: the whole cookie is left out, because of this field.
 */
export type CookieLossReason = "dropped" | "assumed" | "skipped";

/** A field that was not converted unchanged. Never has the value of a cookie. */
export interface CookieLoss {
  /** Handling of the field. */
  readonly reason: CookieLossReason;
  /** Name of the field, that of the service if it has one; `cookie` when the cookie as a whole is malformed. */
  readonly field: string;
  /** Position of the cookie: index in an array or header, from 0; line number in a file, from 1. */
  readonly at: number;
  /** Name of the cookie; absent when it is missing or invalid. */
  readonly name?: string;
  /** Domain of the cookie, as in the input; absent when it is missing. */
  readonly domain?: string;
}

/** Result of a conversion. */
export interface ConvertedCookies<Item> {
  /** The cookies, in the order of the input. */
  readonly cookies: Item[];
  /** Fields that were not converted unchanged, in the order of the cookies. */
  readonly losses: CookieLoss[];
}

/** `SameSite` attribute of a cookie. See RFC 6265bis. */
export type SameSite = "Strict" | "Lax" | "None";
