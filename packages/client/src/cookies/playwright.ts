import { readBrowserCookie, findUrl, writeBrowserCookie, type BrowserCookie } from "./browser-cookie.ts";
import { convert, iterateCookies } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList } from "./cookie.ts";
import { writeServiceCookie } from "./service-cookie.ts";

/** A cookie that `context.addCookies` accepts. */
export interface PlaywrightCookie extends BrowserCookie {
  /** Site of the top-level page of the partition; absent when the cookie is not partitioned. */
  readonly partitionKey?: string;
}

/** A cookie of `context.cookies` or a storage state, or one that `context.addCookies` accepts. */
export interface PlaywrightCookieInput extends Partial<PlaywrightCookie> {
  /** Replaces domain, path and secure. */
  readonly url?: string;
}

/**
 * Converts cookies of the service for `context.addCookies`, or for the storage state of a new context.
 *
 * Cookies that Chromium rejects are skipped, as one of them would fail the whole call, and those that it would
 * change, such as one for `127.1` or with a path of dot segments. `None` without `secure` is dropped. Chromium sets no cookie that
 * has expired, and none for more than 400 days.
 * Playwright sets every partitioned cookie as cross-site: for cookies of the top-level site itself, that is reported as
 * `assumed`.
 *
 * @throws {ClientError} `misuse` when the argument is not a list of cookies.
 *
 * @example
 * ```ts from=examples/api/client/to-playwright-cookies.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { toPlaywrightCookies } from "@cloud-browser/client/cookies";
 *
 * const response = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
 * const { cookies, losses } = toPlaywrightCookies(response); // await context.addCookies(cookies)
 * console.log(cookies[0]?.name, losses[0]?.reason); // sid assumed
 * ```
 */
export function toPlaywrightCookies(cookies: CookieList<Cookie>): ConvertedCookies<PlaywrightCookie> {
  return convert(iterateCookies(cookies), (cookie, lose, skip) => {
    const written = writeBrowserCookie(cookie, lose, skip);
    return written && { ...written, ...(cookie.partitionKey !== undefined && { partitionKey: cookie.partitionKey }) };
  });
}

/**
 * Converts cookies of Playwright to those of the service: the result of `context.cookies`, the argument of
 * `context.addCookies`, or a storage state, whose `origins` are ignored.
 *
 * Playwright returns `Lax` also for cookies without `SameSite`, which is kept.
 *
 * @throws {ClientError} `misuse` when the argument is not a list of cookies.
 *
 * @example
 * ```ts from=examples/api/client/from-playwright-cookies.ts
 * import { fromPlaywrightCookies } from "@cloud-browser/client/cookies";
 *
 * // await context.cookies(), or the storage state of a context
 * const storageState = {
 *   cookies: [{ name: "sid", value: "a secret", domain: "ferries.example", path: "/", expires: -1, secure: true }],
 *   origins: [],
 * };
 * const { cookies } = fromPlaywrightCookies(storageState);
 * console.log(cookies[0]?.name, cookies[0]?.hostOnly); // sid true
 * ```
 */
export function fromPlaywrightCookies(cookies: CookieList<PlaywrightCookieInput>): ConvertedCookies<Cookie> {
  return convert(
    iterateCookies(cookies),
    writeServiceCookie,
    ({ _crHasCrossSiteAncestor, url: text, ...raw }, lose) => {
      const url = findUrl(text);
      // As Playwright does: with the last slash, unlike the RFC.
      const path = url?.pathname.replace(/[^/]*$/, "");
      const place = url && { domain: url.hostname, path, secure: url.protocol === "https:" };
      return readBrowserCookie({ ...raw, ...place }, _crHasCrossSiteAncestor, lose);
    },
  );
}
