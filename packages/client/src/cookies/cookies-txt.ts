import { convert, iterateCookies, misuse } from "./convert.ts";
import type { ConvertedCookies, Cookie, CookieList, CookieLoss } from "./cookie.ts";
import { writeDomain, writeServiceCookie } from "./service-cookie.ts";

/** A cookies.txt file. */
export interface CookiesTxt {
  /** Content of the file. A secret. */
  readonly text: string;
  /** Cookies and fields that the file lacks. */
  readonly losses: CookieLoss[];
}

/**
 * Serializes cookies of the service as a cookies.txt file in the Netscape format, which `curl -b`, `wget --load-cookies`,
 * `yt-dlp --cookies` and Python read.
 *
 * The format has neither `SameSite` nor partitions: partitioned cookies are skipped, as they would be sent everywhere. Times
 * are rounded up to whole seconds, which is not reported; 0 means a session cookie.
 *
 * Python reads lines with 0 only with `ignore_expires`, and `wget` none that are `httpOnly`.
 *
 * @throws {ClientError} `misuse` when the argument is not a list of cookies.
 *
 * @example
 * ```ts from=examples/api/client/to-cookies-txt.ts
 * import { writeFile } from "node:fs/promises";
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { toCookiesTxt } from "@cloud-browser/client/cookies";
 *
 * const response = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
 * const { text } = toCookiesTxt(response);
 * await writeFile("cookies.txt", text, { mode: 0o600 }); // curl -b cookies.txt https://ferries.example/
 * console.log(text.split("\n")[0]); // # Netscape HTTP Cookie File
 * ```
 */
export function toCookiesTxt(cookies: CookieList<Cookie>): CookiesTxt {
  const { cookies: lines, losses } = convert(iterateCookies(cookies), (cookie, lose, skip) => {
    const { name, value, hostOnly, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
    if (partitionKey !== undefined) return skip("partitionKey");
    if (sameSite) lose("dropped", "sameSite");
    const domain = (httpOnly ? httpOnlyMark : "") + writeDomain(cookie);
    const end = Math.max(0, Math.ceil(expires));
    return `${[domain, writeFlag(!hostOnly), path, writeFlag(secure), end, name, value].join("\t")}\n`;
  });
  return { text: `# Netscape HTTP Cookie File\n${lines.join("")}`, losses };
}

/**
 * Parses a cookies.txt file in the Netscape format, with any line ends.
 *
 * Blank lines and comments are ignored. A line without a value may lack its last tab. Other lines are reported as `skipped`
 * with their number, and are not quoted.
 *
 * @throws {ClientError} `misuse` when the argument is not a string.
 *
 * @example
 * ```ts from=examples/api/client/from-cookies-txt.ts
 * import { fromCookiesTxt } from "@cloud-browser/client/cookies";
 *
 * const file = "# Netscape HTTP Cookie File\nferries.example\tFALSE\t/\tTRUE\t0\tsid\ta secret\nnot a cookie\n";
 * const { cookies, losses } = fromCookiesTxt(file);
 * console.log(cookies[0]?.name, losses[0]?.reason, losses[0]?.at); // sid skipped 3
 * ```
 */
export function fromCookiesTxt(text: string): ConvertedCookies<Cookie> {
  if (typeof text !== "string") throw misuse("pass the text of a cookies.txt file");
  return convert(itemsIn(text), writeServiceCookie);
}

const httpOnlyMark = "#HttpOnly_";

function writeFlag(is: boolean): string {
  return is ? "TRUE" : "FALSE";
}

function* itemsIn(text: string): Generator<[line: number, item: unknown]> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  for (const [index, line] of lines.entries()) {
    const httpOnly = line.startsWith(httpOnlyMark);
    if (httpOnly || !/^\s*(?:#|$)/.test(line)) {
      yield [index + 1, parseItem(httpOnly ? line.slice(httpOnlyMark.length) : line, httpOnly)];
    }
  }
}

const shape = /^([^\t]*)\t(TRUE|FALSE)\t([^\t]*)\t(TRUE|FALSE)\t(-?\d+(?:\.\d+)?|)\t([^\t]*)(?:\t([^\t]*))?$/i;

/** Parses a line; returns `undefined` when it is malformed. */
function parseItem(line: string, httpOnly: boolean): unknown {
  const [whole, domain, subdomains, path, secure, expires, name, value = ""] = shape.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const flags = { hostOnly: !isTrue(subdomains), secure: isTrue(secure), httpOnly };
  return { ...flags, domain, path, expires: Number(expires), name, value };
}

function isTrue(flag?: string): boolean {
  return flag?.toUpperCase() === "TRUE";
}
