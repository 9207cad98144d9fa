import { readBrowserCookie, urlOf, writeBrowserCookie, type BrowserCookie } from "./browser-cookie.ts";
import { convert, itemsOf } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList } from "./cookie.ts";
import { writeServiceCookie } from "./service-cookie.ts";

/** A cookie as `context.addCookies` takes it. */
export interface PlaywrightCookie extends BrowserCookie {
  /** Site of the top-level page that the cookie is kept for; absent when it is in no partition. */
  readonly partitionKey?: string;
}

/** A cookie as `context.cookies` or a storage state has it, or as `context.addCookies` takes it. */
export interface PlaywrightCookieInput extends Partial<PlaywrightCookie> {
  /** Stands for domain, path and secure. */
  readonly url?: string;
}

/**
 * Converts cookies of the service for `context.addCookies`, or for the storage state of a new context.
 *
 * Cookies that Chromium refuses are skipped, as one of them would spoil the whole call. `None` without `secure` is dropped.
 * Playwright sets every partitioned cookie as if another site embedded it: for those of the page's own site, that is
 * reported as `assumed`.
 *
 *
 * @throws {ClientError} `misuse` when the argument is no list of cookies.
 */
export function toPlaywrightCookies(cookies: CookieList<Cookie>): ConvertedCookies<PlaywrightCookie> {
  return convert(itemsOf(cookies), (cookie, lose, skip) => {
    const written = writeBrowserCookie(cookie, lose, skip);
    return written && { ...written, ...(cookie.partitionKey !== undefined && { partitionKey: cookie.partitionKey }) };
  });
}

/**
 * Converts cookies of Playwright to the form of the service: those that `context.cookies` gives, those that
 * `context.addCookies` takes, or a whole storage state, whose `origins` are ignored.
 *
 * Playwright says `Lax` also for cookies without a same-site rule, and it stays.
 *
 *
 * @throws {ClientError} `misuse` when the argument is no list of cookies.
 */
export function fromPlaywrightCookies(cookies: CookieList<PlaywrightCookieInput>): ConvertedCookies<Cookie> {
  return convert(itemsOf(cookies), writeServiceCookie, ({ _crHasCrossSiteAncestor, url: text, ...raw }, lose) => {
    const url = urlOf(text);
    // As Playwright does it: not without the last slash, as the RFC has it.
    const path = url?.pathname.replace(/[^/]*$/, "");
    const place = url && { domain: url.hostname, path, secure: url.protocol === "https:" };
    return readBrowserCookie({ ...raw, ...place }, _crHasCrossSiteAncestor, lose);
  });
}
