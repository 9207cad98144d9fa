import { isRecord } from "../errors/client-error.ts";
import { readBrowserCookie, urlOf, writeBrowserCookie, type BrowserCookie } from "./browser-cookie.ts";
import { convert, itemsOf } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList } from "./cookie.ts";
import { defaultPath } from "./host.ts";
import { writeServiceCookie } from "./service-cookie.ts";
import { isThirdParty } from "./site.ts";

/** The partition of a cookie of Puppeteer. */
export interface PuppeteerPartitionKey {
  /** Site of the top-level page that the cookie is kept for. */
  readonly sourceOrigin: string;
  /** True when a frame above the one that set the cookie is of another site than the top-level page. */
  readonly hasCrossSiteAncestor?: boolean;
}

/** A cookie as `browser.setCookie`, `browserContext.setCookie` and `page.setCookie` take it. */
export interface PuppeteerCookie extends BrowserCookie {
  /** Partition of the cookie; absent when it is in none. */
  readonly partitionKey?: PuppeteerPartitionKey;
}

/** A cookie as `browser.cookies` gives it, or as `page.setCookie` takes it. */
export interface PuppeteerCookieInput extends Partial<Omit<BrowserCookie, "sameSite">> {
  /** Stands for domain and path when those are absent. */
  readonly url?: string;
  /** Same-site rule; `Default` is none. */
  readonly sameSite?: string;
  /** Partition of the cookie. */
  readonly partitionKey?: PuppeteerPartitionKey | string;
}

/**
 * Converts cookies of the service for `browser.setCookie`, `browserContext.setCookie` and `page.setCookie`.
 *
 * Cookies that Chromium refuses are skipped, as one of them would spoil the whole call. `None` without `secure` is dropped.
 * The domain tells whether another site embedded a partitioned cookie; when that is of the page's own site, it is
 * reported as `assumed`.
 *
 *
 * @throws {ClientError} `misuse` when the argument is no list of cookies.
 */
export function toPuppeteerCookies(cookies: CookieList<Cookie>): ConvertedCookies<PuppeteerCookie> {
  return convert(itemsOf(cookies), (cookie, lose, skip) => {
    const { domain, partitionKey: sourceOrigin } = cookie;
    const written = writeBrowserCookie(cookie, lose, skip);
    if (!written || sourceOrigin === undefined) return written;
    const partitionKey = { sourceOrigin, hasCrossSiteAncestor: isThirdParty(domain, sourceOrigin) };
    return { ...written, partitionKey };
  });
}

/**
 * Converts cookies of Puppeteer to the form of the service: those that `browser.cookies` gives, or those that `setCookie`
 * takes.
 *
 * Not reported are `size`, `sourceScheme`, `sourcePort` and the usual `priority`. A cookie with an opaque partition is
 * skipped.
 *
 *
 * @throws {ClientError} `misuse` when the argument is no list of cookies.
 */
export function fromPuppeteerCookies(cookies: CookieList<PuppeteerCookieInput>): ConvertedCookies<Cookie> {
  return convert(itemsOf(cookies), writeServiceCookie, (given, lose) => {
    const { size: _size, sourceScheme: _scheme, sourcePort: _port, url: text, ...raw } = given;
    const { priority, partitionKey: partition, partitionKeyOpaque, ...rest } = raw;
    const url = urlOf(text);
    const { domain = url?.hostname, path = url ? defaultPath(url) : "/" } = rest;
    const parts = isRecord(partition) ? partition : undefined;
    // A partition that has no name is not taken for none.
    const partitionKey = partitionKeyOpaque || (parts ? parts["sourceOrigin"] || true : partition);
    const named = { ...rest, domain, path, partitionKey, ...(priority !== "Medium" && { priority }) };
    return readBrowserCookie(named, parts?.["hasCrossSiteAncestor"], lose);
  });
}
