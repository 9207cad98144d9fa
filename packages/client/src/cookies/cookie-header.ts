import { convert, itemsOf, misuse } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList, CookieLoss } from "./cookie.ts";
import { defaultPath, isUnder, isWithin } from "./host.ts";
import { isOfSite, siteOf } from "./site.ts";

/** For whom a `Cookie` header is. */
export interface CookieHeaderOptions {
  /** The time at which cookies may have expired, in milliseconds since the epoch. Default: `Date.now()`. */
  readonly now?: number | undefined;
  /** Address of the top-level page, whose partitioned cookies are then sent, too. Default: none of them is. */
  readonly topLevelSite?: string | URL | undefined;
}

/** Cookies as a header. */
export interface CookieHeader {
  /** Value of the `Cookie` header; empty when there is nothing to send. A secret. */
  readonly header: string;
  /** Cookies that the header lacks although it should hold them, and what was inferred to select the cookies. */
  readonly losses: CookieLoss[];
}

/**
 * Writes the `Cookie` header that a request for the URL has: those cookies whose domain, path, `secure` and expiry fit,
 * longer paths first, and otherwise in the given order. Those that don't fit are no losses.
 *
 * Secure cookies are for `https:` and `wss:`, and for this machine (`localhost`, its subdomains, `127.0.0.0/8` and `[::1]`)
 * by any scheme, as browsers do it. Same-site rules are not applied: the request is one that the site itself makes. Public
 * suffixes of more than one label are not known: nothing keeps a cookie for `.co.uk` from all that is below it. Partitioned
 * cookies are skipped, unless `topLevelSite` is given. A cookie with characters other than ASCII is skipped, as what a
 * header makes of them depends on who sends it.
 *
 * See RFC 6265 § 5.4.
 *
 * @throws {ClientError} `misuse` when the first argument is no list of cookies, or an address is none of `http:`, `https:`,
 * `ws:` and `wss:`, or for `topLevelSite`, of the first two.
 */
export function toCookieHeader(
  cookies: CookieList<Cookie>,
  url: string | URL,
  options: CookieHeaderOptions = {},
): CookieHeader {
  if (Object(options) !== options) throw misuse("options must be an object");
  const { now = Date.now(), topLevelSite } = options;
  if (typeof now !== "number" || Number.isNaN(now)) throw misuse("now must be a time in milliseconds");
  const address = requestUrl(url);
  const { hostname, protocol } = address;
  const page = topLevelSite === undefined ? undefined : siteOf(String(topLevelSite));
  if (topLevelSite !== undefined && !page) throw misuse("topLevelSite must be an http: or https: URL");

  const isSecure = secureScheme.test(protocol) || thisMachine.test(hostname);
  const { cookies: sent, losses } = convert(itemsOf(cookies), (cookie, _lose, skip) => {
    const { name, value, domain, hostOnly, path, expires, secure, partitionKey } = cookie;
    if (!(hostOnly ? hostname === domain : isWithin(hostname, domain)) || !isUnder(address, path)) return undefined;
    if ((secure && !isSecure) || (expires > 0 && expires * 1000 <= now)) return undefined;
    if (partitionKey !== undefined) {
      if (!page) return skip("partitionKey");
      const site = siteOf(partitionKey);
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
/** Fields that decide whether a cookie is sent. */
const selecting = /^(?:domain|hostOnly|path|secure|expires|expirationDate|session)$/;

function requestUrl(text: string | URL): URL {
  const url = typeof text !== "symbol" && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^(?:http|ws)s?:$/.test(url.protocol))
    throw misuse("the URL must begin with http:, https:, ws: or wss:");
  return url;
}

/**
 * Reads a `Cookie` header that was sent to the URL. Only names and values are known from it.
 *
 * Host, path and `secure` are those of a cookie that the URL itself would have set, and reported as `assumed`: to have the
 * cookies for the whole host, leave out the path of the URL. All else is left out.
 *
 *
 * @throws {ClientError} `misuse` when the header is no text, or the address is none of `http:`, `https:`, `ws:` and `wss:`.
 */
export function fromCookieHeader(header: string, url: string | URL): ConvertedCookies<Cookie> {
  if (typeof header !== "string") throw misuse("pass the text of a Cookie header");
  return convert(itemsIn(header, requestUrl(url)), ({ name, value, domain, path, secure }, lose) => {
    for (const field of ["domain", "path", "secure"]) lose("assumed", field);
    return { name, value, domain, hostOnly: true, path, secure };
  });
}

function* itemsIn(header: string, url: URL): Generator<[at: number, item: unknown]> {
  const place = { domain: url.hostname, hostOnly: true, secure: secureScheme.test(url.protocol), httpOnly: false };
  for (const [at, pair] of header.split(";").entries()) {
    const cut = pair.indexOf("=");
    const name = pair.slice(0, cut).trim();
    // A cookie of such a name has no other path.
    const path = /^__host-/i.test(name) ? "/" : defaultPath(url);
    if (cut > 0) yield [at, { ...place, path, name, value: pair.slice(cut + 1).trim() }];
    else if (pair.trim() !== "") yield [at, undefined];
  }
}
