import { randomBytes } from "node:crypto";
import type { PageCookie, PageName } from "../../target/opened-pages.ts";

/** Lifetime of the cookie with an expiry, in seconds: browsers shorten much longer ones. */
const lifetime = 7 * 24 * 3600;

/** Lifetime of the cookie with `Max-Age`, in seconds. */
const shortLifetime = 24 * 3600;

/** Every character that the value of a cookie may have, and a percent escape, which must not be decoded. */
const signs = "!#$%&'()*+-./:<=>?@[]^_`{|}~%20==";

/** The cookies that one page sets. */
export interface CookieJar {
  /** Random, and so secret, part of the value of each cookie. */
  readonly secret: string;
  /** All cookies, including those that the page removes again. */
  readonly cookies: readonly PageCookie[];
  /** Headers `Set-Cookie` of the answer that carries the page. */
  readonly headers: readonly string[];
  /** The statement by which the page sets one of them, and removes another. */
  readonly script: string;
}

/**
 * Makes the cookies of a page, as pages have them: with and without a path, an end and a domain, out of reach for scripts, for secure
 * connections alone, two of one name, one of 1,104 characters, one with every sign that is allowed, one that a script sets, and one that
 * it removes.
 *
 * Their names differ from page to page, so that two sessions that share a browser can still keep all of them. A `Domain` is
 * given where the host has a name with a dot: of an IP address, or a name without one, browsers take none.
 *
 * Source: RFC 6265, section 4.1.
 *
 * @param host - Host of the page, without a port.
 */
export function cookieJar(page: PageName, path: string, host: string): CookieJar {
  const secret = randomBytes(12).toString("hex");
  const now = Math.floor(Date.now() / 1000);
  const base = { path: "/", httpOnly: false, secure: false, expires: undefined, removed: false };
  const makeCookie = (name: string, more: Partial<PageCookie> = {}): PageCookie => {
    return { ...base, name: `${name}_${page}`, value: `${secret}-${name}`, ...more };
  };
  const domain = host.includes(".") && !/^[\d.]+$/.test(host) ? `; Domain=${host}` : "";
  const rows: readonly (readonly [cookie: PageCookie, attributes: string])[] = [
    [makeCookie("harbour", { httpOnly: true }), "HttpOnly; SameSite=Lax"],
    [makeCookie("berth", { path, expires: now + lifetime }), "SameSite=Strict"],
    [makeCookie("vault", { secure: true }), "Secure"],
    [makeCookie("wharf", { value: `${secret}${signs}` }), `SameSite=Lax${domain}`],
    [makeCookie("crate", { value: secret.repeat(46) }), "SameSite=Lax"],
    [makeCookie("slip"), "SameSite=Lax"],
    [makeCookie("slip", { path, value: `${secret}-slip-below` }), "SameSite=Lax"],
    [makeCookie("flag", { expires: now + shortLifetime }), `Max-Age=${shortLifetime}`],
    [makeCookie("ebb", { removed: true }), "SameSite=Lax"],
  ];
  const scripted = makeCookie("pier");
  return {
    secret,
    cookies: [...rows.map(([cookie]) => cookie), scripted],
    headers: rows.map(([cookie, attributes]) => header(cookie, attributes)),
    script: `document.cookie = "${scripted.name}=${scripted.value}; path=/";
document.cookie = "ebb_${page}=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT";`,
  };
}

function header({ name, value, path, expires }: PageCookie, attributes: string): string {
  const end = expires === undefined || attributes.includes("Max-Age") ? "" : new Date(expires * 1000).toUTCString();
  return `${name}=${value}; Path=${path}; ${attributes}${end === "" ? "" : `; Expires=${end}`}`;
}
