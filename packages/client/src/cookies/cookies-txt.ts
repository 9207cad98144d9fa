import { convert, itemsOf, misuse } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList, CookieLoss } from "./cookie.ts";
import { dotted, writeServiceCookie } from "./service-cookie.ts";

/** Cookies as a file. */
export interface CookiesTxt {
  /** The whole file. A secret. */
  readonly text: string;
  /** Cookies and fields that the file does not hold. */
  readonly losses: CookieLoss[];
}

/**
 * Writes cookies of the service as a cookies.txt file in the format of Netscape, which `curl -b`, `wget --load-cookies`,
 * `yt-dlp --cookies` and Python read.
 *
 * The file holds no same-site rule, and no partitions: a partitioned cookie is skipped, as its reader would send it
 * everywhere. Times are rounded up to whole seconds, which is not reported; 0 stands for the end of the session.
 *
 * Not every reader takes every line: Python takes those with 0 only when it loads with `ignore_expires`, and `wget` none that
 * is `httpOnly`.
 *
 *
 * @throws {ClientError} `misuse` when the argument is no list of cookies.
 */
export function toCookiesTxt(cookies: CookieList<Cookie>): CookiesTxt {
  const { cookies: lines, losses } = convert(itemsOf(cookies), (cookie, lose, skip) => {
    const { name, value, hostOnly, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
    if (partitionKey !== undefined) return skip("partitionKey");
    if (sameSite) lose("dropped", "sameSite");
    const domain = (httpOnly ? httpOnlyMark : "") + dotted(cookie);
    const end = Math.max(0, Math.ceil(expires));
    return `${[domain, flagOf(!hostOnly), path, flagOf(secure), end, name, value].join("\t")}\n`;
  });
  return { text: `# Netscape HTTP Cookie File\n${lines.join("")}`, losses };
}

/**
 * Reads a cookies.txt file in the format of Netscape, with any line ends.
 *
 * Blank lines and comments are passed over. A line without value may lack its last tab. What is no line of a cookie is
 * reported as `skipped` with its number, and nothing of it.
 *
 *
 * @throws {ClientError} `misuse` when the argument is no text.
 */
export function fromCookiesTxt(text: string): ConvertedCookies<Cookie> {
  if (typeof text !== "string") throw misuse("pass the text of a cookies.txt file");
  return convert(itemsIn(text), writeServiceCookie);
}

const httpOnlyMark = "#HttpOnly_";

function flagOf(is: boolean): string {
  return is ? "TRUE" : "FALSE";
}

function* itemsIn(text: string): Generator<[line: number, item: unknown]> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  for (const [index, line] of lines.entries()) {
    const httpOnly = line.startsWith(httpOnlyMark);
    if (httpOnly || !/^\s*(?:#|$)/.test(line)) {
      yield [index + 1, itemOf(httpOnly ? line.slice(httpOnlyMark.length) : line, httpOnly)];
    }
  }
}

const shape = /^([^\t]*)\t(TRUE|FALSE)\t([^\t]*)\t(TRUE|FALSE)\t(-?\d+(?:\.\d+)?|)\t([^\t]*)(?:\t([^\t]*))?$/i;

/** The cookie of a line; `undefined` when it is none. */
function itemOf(line: string, httpOnly: boolean): unknown {
  const [whole, domain, subdomains, path, secure, expires, name, value = ""] = shape.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const flags = { hostOnly: !isTrue(subdomains), secure: isTrue(secure), httpOnly };
  return { ...flags, domain, path, expires: Number(expires), name, value };
}

function isTrue(flag?: string): boolean {
  return flag?.toUpperCase() === "TRUE";
}
