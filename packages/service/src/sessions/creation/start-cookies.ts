import type { BrowserContext } from "playwright-core";
import { ServiceError } from "../../service-error.ts";
import type { StartCookie } from "../session-options.ts";

/** Fault in a cookie that a session is to start with, and its field. Never contains the value. */
export interface CookieFault {
  /** The field. */
  readonly field: keyof StartCookie;
  /** Reason why the browser would refuse it. */
  readonly why: string;
}

/** Value of `expires` that Playwright writes for a cookie that lasts as long as its session. */
const noExpiry = -1;
/** Longest name and value together that browsers take, in bytes. */
const maxBytes = 4_096;
/** Longest path that browsers take, in characters. */
const maxPathCharacters = 1_024;
/** Longest host name that there may be, in characters. */
const maxHostLength = 253;
/** First second of the year 10000, which browsers don't know. */
const endOfTime = 253_402_300_800;
// oxlint-disable-next-line no-control-regex -- what no cookie may hold
const control = /[\u0000-\u001f\u007f]/;

/** Returns the reason why the browser would not take a cookie, as far as that can be known without asking it; undefined when nothing is wrong. */
export function findCookieFault(cookie: StartCookie): CookieFault | undefined {
  const { name, value, domain, path = "/", expires, secure = false, sameSite } = cookie;
  if (!name.isWellFormed()) return { field: "name", why: "a name must be well-formed Unicode" };
  if (/[;=]/.test(name) || control.test(name) || name.trim() !== name)
    return { field: "name", why: "a name must not contain ;, = or a control character, or have spaces around it" };
  if (value.includes(";") || control.test(value) || value.trim() !== value)
    return { field: "value", why: "a value must not contain ; or a control character, or have spaces around it" };
  if (Buffer.byteLength(name + value) > maxBytes)
    return { field: "value", why: `name and value together are limited to ${maxBytes} bytes` };
  if (findHost(domain) === undefined) return { field: "domain", why: "a domain is a host name, not an address" };
  if (!/^\/[ -:<-~]*$/.test(path))
    return { field: "path", why: "a path must begin with / and have ASCII characters only, no ; or control character" };
  if (path.length > maxPathCharacters)
    return { field: "path", why: `a path is limited to ${maxPathCharacters} characters` };
  // oxlint-disable-next-line no-restricted-properties -- a cookie names the moment
  if (expires !== undefined && expires !== noExpiry && expires * 1_000 <= Date.now())
    return { field: "expires", why: "it has expired: expires is in seconds since 1970" };
  if (expires !== undefined && expires >= endOfTime)
    return { field: "expires", why: "expires is in seconds since 1970, not milliseconds, and before the year 10000" };
  if (sameSite === "None" && !secure) return { field: "secure", why: "SameSite None requires secure" };
  if (/^__(?:Secure|Host)-/i.test(name) && !secure)
    return { field: "secure", why: "the prefixes __Secure- and __Host- require secure" };
  if (/^__Host-/i.test(name) && domain.startsWith("."))
    return { field: "domain", why: "the prefix __Host- requires a domain without a dot in front" };
  if (/^__Host-/i.test(name) && path !== "/") return { field: "path", why: "the prefix __Host- requires the path /" };
  return undefined;
}

/** Returns the message for a refused cookie. */
export function describeCookieRefusal({ name }: StartCookie, why: string): string {
  return `the browser refuses the cookie ${JSON.stringify(name)}: ${why}`;
}

/**
 * Gives a context the cookies that its session starts with.
 *
 * @throws {ServiceError} `usage`, naming the cookie that the browser does not take.
 */
export async function setCookies(context: BrowserContext, cookies: readonly StartCookie[]): Promise<void> {
  if (cookies.length === 0) return;
  for (const [index, cookie] of cookies.entries()) {
    const fault = findCookieFault(cookie);
    if (fault) throw makeRefusal(cookie, fault.why, [index, fault.field]);
    // What the browser says of it may hold its value.
    await context
      .addCookies([{ path: "/", ...cookie }])
      .catch(() => Promise.reject(makeRefusal(cookie, general, [index])));
  }
  const accepted = await context.cookies();
  for (const [index, cookie] of cookies.entries()) {
    const isReplaced = cookies.slice(index + 1).some((later) => isSame(later, cookie));
    const match = accepted.find((one) => isSame(one, cookie));
    if (!match) throw makeRefusal(cookie, general, [index]);
    if (!isReplaced && match.value !== cookie.value)
      throw makeRefusal(cookie, "its value has a character that is not allowed in cookies", [index, "value"]);
  }
}

const general = "check its domain (a host, no address), path and date; SameSite None requires secure";

function makeRefusal(cookie: StartCookie, why: string, at: readonly (string | number)[]): ServiceError {
  return new ServiceError("usage", describeCookieRefusal(cookie, why), { loc: ["cookies", ...at] });
}

function isSame(one: StartCookie, other: StartCookie): boolean {
  return (
    one.name === other.name &&
    (one.path ?? "/") === (other.path ?? "/") &&
    findHost(one.domain) === findHost(other.domain)
  );
}

/** The host of the domain of a cookie, with or without a dot in front, as browsers write it; undefined if it is malformed. */
function findHost(domain: string): string | undefined {
  const bare = domain.replace(/^\./, "");
  if (/[/@:?#\\*]|^\.|\.\./.test(bare.replace(/^\[.*\]$/, ""))) return undefined;
  const url = URL.parse(`http://${bare}/`);
  if (url?.pathname !== "/" || url.hostname === "" || url.hostname.length > maxHostLength) return undefined;
  return url.hostname;
}
