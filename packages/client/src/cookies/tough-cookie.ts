import { convert, iterateCookies } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList } from "./cookie.ts";
import { writeServiceCookie } from "./service-cookie.ts";

/** A cookie that `Cookie.fromJSON` of tough-cookie accepts. */
export interface ToughCookie {
  /** Name of the cookie. */
  readonly key: string;
  /** Value of the cookie. A secret. */
  readonly value: string;
  /** Host of the cookie, without leading dot and brackets. */
  readonly domain: string;
  /** True when the cookie is not sent to subdomains. */
  readonly hostOnly: boolean;
  /** Path of the cookie; begins with a slash. */
  readonly path: string;
  /** Expiry as an ISO 8601 timestamp in UTC; `Infinity` for a session cookie. */
  readonly expires: string;
  /** True when scripts can't read the cookie. */
  readonly httpOnly: boolean;
  /** True when the cookie is sent over secure connections only. */
  readonly secure: boolean;
  /** `SameSite` attribute; absent if unknown. */
  readonly sameSite?: "strict" | "lax" | "none";
}

/** The result of `toJSON` of tough-cookie, which leaves out defaults; or a `Cookie`. */
export type ToughCookieInput = { readonly [Field in keyof ToughCookie]?: unknown };

/**
 * Converts cookies of the service for `Cookie.fromJSON` of tough-cookie, or for `CookieJar.fromJSON` in an object
 * `{ cookies }`.
 *
 * Partitioned cookies are skipped, as a jar would send them everywhere. `None` without `secure` is kept. Times are rounded to
 * milliseconds, which is not reported. A jar keeps only the last cookie of each name, domain and path.
 *
 * @throws {ClientError} `misuse` when the argument is not a list of cookies.
 *
 * @example
 * ```ts from=examples/api/client/to-tough-cookies.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { toToughCookies } from "@cloud-browser/client/cookies";
 *
 * const response = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
 * const { cookies } = toToughCookies(response); // CookieJar.fromJSON(JSON.stringify({ cookies }))
 * console.log(cookies[0]?.key); // sid
 * ```
 */
export function toToughCookies(cookies: CookieList<Cookie>): ConvertedCookies<ToughCookie> {
  return convert(iterateCookies(cookies), (cookie, _lose, skip) => {
    const { name: key, value, domain, hostOnly, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
    if (partitionKey !== undefined) return skip("partitionKey");
    const time = new Date(Math.max(1, Math.round(expires * 1000)));
    return {
      key,
      value,
      domain: domain.replace(/^\[|\]$/g, ""),
      hostOnly,
      path,
      expires: expires < 0 ? "Infinity" : time.toISOString(),
      httpOnly,
      secure,
      ...(sameSite && { sameSite: lowerCase[sameSite] }),
    };
  });
}

const lowerCase = { Strict: "strict", Lax: "lax", None: "none" } as const;

/**
 * Converts cookies of tough-cookie to those of the service: results of `toJSON`, `Cookie` objects, or a serialized jar.
 *
 * `maxAge` is converted to a time, counted, as a jar does, from `lastAccessed`, or else from `creation`; with neither it is
 * dropped. These two, `creationIndex` and `pathIsDefault` are dropped without a report.
 *
 * @throws {ClientError} `misuse` when the argument is not a list of cookies.
 *
 * @example
 * ```ts from=examples/api/client/from-tough-cookies.ts
 * import { fromToughCookies } from "@cloud-browser/client/cookies";
 *
 * // jar.toJSON()
 * const jar = { cookies: [{ key: "sid", value: "a secret", domain: "ferries.example", path: "/", hostOnly: true }] };
 * const { cookies } = fromToughCookies(jar);
 * console.log(cookies[0]?.name, cookies[0]?.domain); // sid ferries.example
 * ```
 */
export function fromToughCookies(cookies: CookieList<ToughCookieInput>): ConvertedCookies<Cookie> {
  return convert(iterateCookies(cookies), writeServiceCookie, (cookie, lose) => {
    const { key: name, hostOnly, expires, maxAge, httpOnly, secure, ...raw } = cookie;
    const { creation, lastAccessed, creationIndex: _index, pathIsDefault: _isDefault, ...rest } = raw;
    let end = expires === "Infinity" ? -1 : (expires ?? undefined) && Math.max(over, countSeconds(expires));
    if (maxAge === "Infinity") end = -1;
    else if ((maxAge ?? undefined) !== undefined) {
      const age = typeof maxAge === "number" || maxAge === "-Infinity" ? Number(maxAge) : Number.NaN;
      const counted = age <= 0 ? over : countSeconds(lastAccessed ?? creation) + age;
      if (Number.isNaN(counted)) lose("dropped", "maxAge");
      else end = counted;
    }
    const flags = { hostOnly: hostOnly ?? false, httpOnly: httpOnly ?? false, secure: secure ?? false };
    return { ...rest, ...flags, name, expires: end };
  });
}

/** A time in the past other than 0, which means none. */
const over = 1;

/** Returns a time in seconds since the epoch; `NaN` when it is invalid. */
function countSeconds(time: unknown): number {
  return time instanceof Date || typeof time === "string" ? new Date(time).getTime() / 1000 : Number.NaN;
}
