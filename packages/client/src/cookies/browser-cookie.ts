import type { SameSite } from "./cookie.ts";
import type { Lose, RawCookie, ReadCookie, Skip } from "./read-cookie.ts";
import { writeDomain } from "./service-cookie.ts";
import { isThirdParty, findSite } from "./site.ts";

/** Fields that cookies of Playwright and Puppeteer have in common. */
export interface BrowserCookie {
  /** Name of the cookie. */
  readonly name: string;
  /** Value of the cookie. A secret. */
  readonly value: string;
  /** Host of the cookie, with a leading dot if it is sent to subdomains, too. */
  readonly domain: string;
  /** Path of the cookie; begins with a slash. */
  readonly path: string;
  /** Expiry, in seconds since the epoch; -1 for a session cookie. */
  readonly expires: number;
  /** True when scripts can't read the cookie. */
  readonly httpOnly: boolean;
  /** True when the cookie is sent over secure connections only. */
  readonly secure: boolean;
  /** `SameSite` attribute; absent if unknown, which browsers treat much like `Lax`. */
  readonly sameSite?: SameSite;
}

/**
 * Converts a cookie so that a browser accepts it.
 *
 * A cookie that Chromium would reject is skipped: it sets none of the cookies of a call if it rejects one. `SameSite=None`
 * without `Secure`, which it also rejects, is dropped. A path is percent-encoded, as in the addresses that it is compared with; one
 * with a dot segment or a backslash, which would become another path, is skipped.
 */
export function writeBrowserCookie(cookie: ReadCookie, lose: Lose, skip: Skip): BrowserCookie | undefined {
  const { name, value, hostOnly, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  const domain = writeDomain(cookie);
  if (partitionKey !== undefined && !(secure && findSite(partitionKey))) return skip("partitionKey");
  // Prefixes of names require attributes. Source: RFC 6265bis § 4.1.3.
  if (/^__(?:host|secure|http)-/i.test(name) && !secure) return skip("secure");
  if (/^__(?:host-)?http-/i.test(name) && !httpOnly) return skip("httpOnly");
  if (/^__host-/i.test(name) && !(hostOnly && path === "/")) return skip(hostOnly ? "path" : "hostOnly");
  // Source: RFC 6265bis § 5.6.
  if (countBytes(name + value) > 4096) return skip("value");
  // UTF-8 has no lone surrogates: they would become another character.
  if (/\p{Cs}/u.test(name)) return skip("name");
  if (/\p{Cs}/u.test(value)) return skip("value");
  if (/\p{Cs}|\\|\/(?:\.|%2e){1,2}(?:\/|$)/iu.test(path)) return skip("path");
  const encodedPath = path.replace(/[ "#<>?^`{|}]|[^\0-~]+/g, encodeURIComponent);
  if (countBytes(encodedPath) > 1024) return skip("path");
  if (encodedPath !== path) lose("assumed", "path");
  if (countBytes(domain) > 1024) return skip("domain");

  const isRefused = sameSite === "None" && !secure;
  if (isRefused) lose("dropped", "sameSite");
  // Whether there is a cross-site ancestor is not known then.
  if (partitionKey !== undefined && !isThirdParty(domain, partitionKey)) lose("assumed", "partitionKey");
  return {
    name,
    value,
    domain,
    path: encodedPath,
    expires,
    httpOnly,
    secure,
    ...(sameSite && !isRefused && { sameSite }),
  };
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Adds the fields that both libraries express by absence, or by a leading dot. */
export function readBrowserCookie(raw: RawCookie, hasOtherSite: unknown, lose: Lose): RawCookie {
  const { domain, partitionKey, httpOnly, secure } = raw;
  if (typeof domain !== "string") return raw;
  if (typeof partitionKey === "string" && typeof hasOtherSite === "boolean") {
    if (hasOtherSite !== isThirdParty(domain, partitionKey)) lose("dropped", "partitionKey");
  }
  return { ...raw, hostOnly: !domain.startsWith("."), httpOnly: httpOnly ?? false, secure: secure ?? false };
}

/** Parses the `url` of a cookie; `undefined` when it is missing or malformed. */
export function findUrl(text: unknown): URL | undefined {
  return typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
}
