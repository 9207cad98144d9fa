import { isRecord } from "../errors/client-error.ts";
import { readBrowserCookie, findUrl, writeBrowserCookie, type BrowserCookie } from "./browser-cookie.ts";
import { convert, iterateCookies } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList } from "./cookie.ts";
import { defaultPath } from "./host.ts";
import { writeServiceCookie } from "./service-cookie.ts";
import { isThirdParty } from "./site.ts";

/** The partition of a cookie of Puppeteer. */
export interface PuppeteerPartitionKey {
  /** Site of the top-level page. */
  readonly sourceOrigin: string;
  /** True when an ancestor of the frame that set the cookie is cross-site with the top-level page. */
  readonly hasCrossSiteAncestor?: boolean;
}

/** A cookie that `browser.setCookie`, `browserContext.setCookie` and `page.setCookie` accept. */
export interface PuppeteerCookie extends BrowserCookie {
  /** Partition of the cookie; absent when it is not partitioned. */
  readonly partitionKey?: PuppeteerPartitionKey;
}

/** A cookie of `browser.cookies`, or one that `page.setCookie` accepts. */
export interface PuppeteerCookieInput extends Partial<Omit<BrowserCookie, "sameSite">> {
  /** Default of domain and path. */
  readonly url?: string;
  /** `SameSite` attribute; `Default` for none. */
  readonly sameSite?: string;
  /** Partition of the cookie. */
  readonly partitionKey?: PuppeteerPartitionKey | string;
}

/**
 * Converts cookies of the service for `browser.setCookie`, `browserContext.setCookie` and `page.setCookie`.
 *
 * Cookies that Chromium rejects are skipped, as one of them would fail the whole call, and those that it would
 * change, such as one for `127.1` or with a path of dot segments. `None` without `secure` is dropped. Chromium sets no cookie that
 * has expired, and none for more than 400 days.
 * `hasCrossSiteAncestor` is inferred from the domain; for cookies of the top-level site itself, that is reported as
 * `assumed`.
 *
 * @throws {ClientError} `misuse` when the argument is not a list of cookies.
 *
 * @example
 * ```ts from=examples/api/client/to-puppeteer-cookies.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { toPuppeteerCookies } from "@cloud-browser/client/cookies";
 *
 * const response = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
 * const { cookies, losses } = toPuppeteerCookies(response); // await browser.setCookie(...cookies)
 * console.log(cookies[0]?.name, losses[0]?.reason); // sid assumed
 * ```
 */
export function toPuppeteerCookies(cookies: CookieList<Cookie>): ConvertedCookies<PuppeteerCookie> {
  return convert(iterateCookies(cookies), (cookie, lose, skip) => {
    const { domain, partitionKey: sourceOrigin } = cookie;
    const written = writeBrowserCookie(cookie, lose, skip);
    if (!written || sourceOrigin === undefined) return written;
    const partitionKey = { sourceOrigin, hasCrossSiteAncestor: isThirdParty(domain, sourceOrigin) };
    return { ...written, partitionKey };
  });
}

/**
 * Converts cookies of Puppeteer to those of the service: the result of `browser.cookies`, or the arguments of `setCookie`.
 *
 * `size`, `sourceScheme`, `sourcePort` and the default `priority` are dropped without a report. Cookies with an opaque
 * partition are skipped.
 *
 * @throws {ClientError} `misuse` when the argument is not a list of cookies.
 *
 * @example
 * ```ts from=examples/api/client/from-puppeteer-cookies.ts
 * import { fromPuppeteerCookies } from "@cloud-browser/client/cookies";
 *
 * // await browser.cookies()
 * const read = [{ name: "sid", value: "a secret", domain: "ferries.example", path: "/", expires: -1, secure: true }];
 * const { cookies } = fromPuppeteerCookies(read);
 * console.log(cookies[0]?.name, cookies[0]?.secure); // sid true
 * ```
 */
export function fromPuppeteerCookies(cookies: CookieList<PuppeteerCookieInput>): ConvertedCookies<Cookie> {
  return convert(iterateCookies(cookies), writeServiceCookie, (cookie, lose) => {
    const { size: _size, sourceScheme: _scheme, sourcePort: _port, url: text, ...raw } = cookie;
    const { priority, partitionKey: partition, partitionKeyOpaque, ...rest } = raw;
    const url = findUrl(text);
    const { domain = url?.hostname, path = url ? defaultPath(url) : "/" } = rest;
    const parts = isRecord(partition) ? partition : undefined;
    // An unnamed partition is still a partition.
    const partitionKey = partitionKeyOpaque || (parts ? parts["sourceOrigin"] || true : partition);
    const named = { ...rest, domain, path, partitionKey, ...(priority !== "Medium" && { priority }) };
    return readBrowserCookie(named, parts?.["hasCrossSiteAncestor"], lose);
  });
}
