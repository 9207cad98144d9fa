import { guardArguments } from "../errors/client-error.ts";
import { convert, iterateCookies, misuse } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList, CookieLoss } from "./cookie.ts";
import { defaultPath, isUnder, isWithin } from "./host.ts";
import { isOfSite, findSite } from "./site.ts";

/** Options of a `Cookie` header. */
export interface CookieHeaderOptions {
  /** Current time, for expiry, in milliseconds since the epoch. Default: `Date.now()`. */
  readonly now?: number | undefined;
  /** URL of the top-level page, whose partitioned cookies are included. Default: partitioned cookies are skipped. */
  readonly topLevelSite?: string | URL | undefined;
}

/** A `Cookie` header. */
export interface CookieHeader {
  /** Value of the header; empty when no cookie matches. A secret. */
  readonly header: string;
  /** Cookies that match but were skipped, and values that were assumed to select cookies. */
  readonly losses: CookieLoss[];
}

/**
 * Serializes the `Cookie` header of a request for a URL: the cookies that match its domain, path, `secure` and expiry, longer
 * paths first, and otherwise in the given order. Cookies that do not match are not losses.
 *
 * Secure cookies are sent to `https:` and `wss:`, and, as browsers do, to localhost (`localhost`, its subdomains, `127.0.0.0/8`
 * and `[::1]`) by any scheme. `SameSite` is not applied: the request is taken for same-site. There is no public suffix list: a
 * cookie for `.co.uk` is sent to all its subdomains. Partitioned cookies are skipped without `topLevelSite`. Cookies with
 * characters other than ASCII are skipped, as their encoding in a header depends on the sender.
 *
 * See RFC 6265 § 5.4.
 *
 * @throws {ClientError} `misuse` when the first argument is not a list of cookies, `url` is not an `http:`, `https:`, `ws:` or
 * `wss:` URL, or `topLevelSite` is not an `http:` or `https:` URL.
 *
 * @example
 * ```ts from=examples/api/client/to-cookie-header.ts
 * import { toCookieHeader } from "@cloud-browser/client/cookies";
 *
 * const cookies = [
 *   { name: "language", value: "en", domain: ".ferries.example", path: "/" },
 *   { name: "member", value: "m3", domain: "other.example", path: "/" },
 * ];
 * const { header } = toCookieHeader(cookies, "https://www.ferries.example/piers");
 * console.log(header); // language=en
 * ```
 */
export function toCookieHeader(
  cookies: CookieList<Cookie>,
  url: string | URL,
  options: CookieHeaderOptions = {},
): CookieHeader {
  return guardArguments(() => writeCookieHeader(cookies, url, options));
}

function writeCookieHeader(cookies: CookieList<Cookie>, url: string | URL, options: CookieHeaderOptions): CookieHeader {
  if (Object(options) !== options) throw misuse("options must be an object");
  const { now = Date.now(), topLevelSite } = options;
  if (typeof now !== "number" || Number.isNaN(now)) throw misuse("now must be a time in milliseconds");
  const address = requestUrl(url);
  const { hostname, protocol } = address;
  const page = topLevelSite === undefined ? undefined : findSite(readAddress(topLevelSite));
  if (topLevelSite !== undefined && !page) throw misuse("topLevelSite must be an http: or https: URL");

  const isSecure = secureScheme.test(protocol) || thisMachine.test(hostname);
  const { cookies: sent, losses } = convert(iterateCookies(cookies), (cookie, _lose, skip) => {
    const { name, value, domain, hostOnly, path, expires, secure, partitionKey } = cookie;
    if (!(hostOnly ? hostname === domain : isWithin(hostname, domain)) || !isUnder(address, path)) return undefined;
    if ((secure && !isSecure) || (expires > 0 && expires * 1000 <= now)) return undefined;
    if (partitionKey !== undefined) {
      if (!page) return skip("partitionKey");
      const site = findSite(partitionKey);
      if (!site || !isOfSite(page, site)) return undefined;
    }
    if (!ascii.test(name)) return skip("name");
    if (!ascii.test(value)) return skip("value");
    return { path, pair: `${name}=${value}` };
  });
  sent.sort((one, other) => other.path.length - one.path.length);
  return {
    header: sent.map(({ pair }) => pair).join("; "),
    losses: losses.filter(({ reason, field }) => reason === "skipped" || selecting.test(field)),
  };
}

const ascii = /^[ -~]*$/;
const secureScheme = /^(?:https|wss):$/;
const thisMachine = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Fields that select the cookies to send. */
const selecting = /^(?:domain|hostOnly|path|secure|expires|expirationDate|session)$/;

function requestUrl(text: string | URL): URL {
  const address = readAddress(text);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^(?:http|ws)s?:$/.test(url.protocol))
    throw misuse("the URL must begin with http:, https:, ws: or wss:");
  return url;
}

/** Returns a URL, of this realm or another one, as text; an empty text for anything else. */
function readAddress(url: unknown): string {
  const address: unknown = typeof url === "string" ? url : Object(url).href;
  return typeof address === "string" ? address : "";
}

/**
 * Parses a `Cookie` header that was sent to a URL. It has only names and values.
 *
 * Host, path and `secure` are the defaults of a cookie that the URL sets, and reported as `assumed`: for cookies of the whole
 * host, pass a URL without a path. Other fields are left out.
 *
 * @throws {ClientError} `misuse` when the header is not a string, or the URL is not an `http:`, `https:`, `ws:` or `wss:` URL.
 *
 * @example
 * ```ts from=examples/api/client/from-cookie-header.ts
 * import { fromCookieHeader } from "@cloud-browser/client/cookies";
 *
 * const { cookies, losses } = fromCookieHeader("language=en; member=m3", "https://ferries.example/piers");
 * console.log(cookies.map(({ name, domain }) => `${name} of ${domain}`).join(", ")); // language of ferries.example, member of ferries.example
 * console.log(losses[0]?.reason); // assumed
 * ```
 */
export function fromCookieHeader(header: string, url: string | URL): ConvertedCookies<Cookie> {
  if (typeof header !== "string") throw misuse("pass the text of a Cookie header");
  return convert(
    itemsIn(
      header,
      guardArguments(() => requestUrl(url)),
    ),
    ({ name, value, domain, path, secure }, lose) => {
      for (const field of ["domain", "path", "secure"]) lose("assumed", field);
      return { name, value, domain, hostOnly: true, path, secure };
    },
  );
}

function* itemsIn(header: string, url: URL): Generator<[at: number, item: unknown]> {
  const place = { domain: url.hostname, hostOnly: true, secure: secureScheme.test(url.protocol), httpOnly: false };
  for (const [at, pair] of header.split(";").entries()) {
    const cut = pair.indexOf("=");
    const name = pair.slice(0, cut).trim();
    // The prefix requires this path.
    const path = /^__host-/i.test(name) ? "/" : defaultPath(url);
    if (cut > 0) yield [at, { ...place, path, name, value: pair.slice(cut + 1).trim() }];
    else if (pair.trim() !== "") yield [at, undefined];
  }
}
