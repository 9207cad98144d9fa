import { randomBytes } from "node:crypto";
import type { PageCookie, PageName } from "../../target/opened-pages.ts";

/** How long the cookie with an end lasts, in seconds: browsers shorten what is much longer. */
const lifetime = 7 * 24 * 3600;

function secret(): string {
  return randomBytes(12).toString("hex");
}

/** The cookies that one page sets, each with a value that nobody else knows. Source: ours. */
export interface CookieJar {
  /** All of them. */
  readonly cookies: readonly PageCookie[];
  /** Headers `Set-Cookie` of the answer that carries the page. */
  readonly headers: readonly string[];
  /** The statement by which the page sets the last one of them. */
  readonly script: string;
}

/**
 * Makes the cookies of a page: one that scripts can't read and that ends with the session, one with a path and an end, one for
 * secure connections alone, and one that a script sets.
 *
 * Their names differ from page to page, so that two sessions that share a browser can still keep all of them.
 *
 * Source: RFC 6265, section 4.1.
 */
export function cookieJar(page: PageName, path: string): CookieJar {
  const until = Math.floor(Date.now() / 1000) + lifetime;
  const base = { path: "/", httpOnly: false, secure: false, expires: undefined };
  const hidden: PageCookie = { ...base, name: `harbour_${page}`, value: secret(), httpOnly: true };
  const lasting: PageCookie = { ...base, name: `berth_${page}`, value: secret(), path, expires: until };
  const secure: PageCookie = { ...base, name: `vault_${page}`, value: secret(), secure: true };
  const scripted: PageCookie = { ...base, name: `pier_${page}`, value: secret() };
  const expires = new Date(until * 1000).toUTCString();
  return {
    cookies: [hidden, lasting, secure, scripted],
    headers: [
      `${hidden.name}=${hidden.value}; Path=/; HttpOnly; SameSite=Lax`,
      `${lasting.name}=${lasting.value}; Path=${path}; Expires=${expires}; SameSite=Strict`,
      `${secure.name}=${secure.value}; Path=/; Secure`,
    ],
    script: `document.cookie = "${scripted.name}=${scripted.value}; path=/";`,
  };
}
