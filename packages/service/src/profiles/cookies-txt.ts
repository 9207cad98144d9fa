import type { StateCookie } from "@cloud-browser/browsers";

/** A line of a file that can't be read. Contains none of its text. */
export interface LineFault {
  /** Its number, from 1. */
  readonly line: number;
  /** Fault, and what to do. */
  readonly why: string;
}

/** A cookie and the number of its line, from 1. */
export interface LineCookie {
  readonly line: number;
  readonly cookie: StateCookie;
}

const httpOnlyMark = "#HttpOnly_";
const fields = 7;

/** Reads a cookies.txt file (the Netscape format), with any line ends, or returns what is wrong with each line that is not as it should be. */
export function readCookiesTxt(text: string): readonly LineCookie[] | { readonly faults: readonly LineFault[] } {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  const cookies: LineCookie[] = [];
  const faults: LineFault[] = [];
  for (const [index, whole] of lines.entries()) {
    const httpOnly = whole.startsWith(httpOnlyMark);
    if (!httpOnly && /^\s*(?:#|$)/.test(whole)) continue;
    const line = index + 1;
    const result = readLine(httpOnly ? whole.slice(httpOnlyMark.length) : whole, httpOnly);
    if (typeof result === "string") faults.push({ line, why: result });
    else cookies.push({ line, cookie: result });
  }
  if (cookies.length === 0 && faults.length === 0)
    return { faults: [{ line: 1, why: "there is no cookie in the file" }] };
  return faults.length > 0 ? { faults } : cookies;
}

function readLine(line: string, httpOnly: boolean): StateCookie | string {
  const parts = line.split("\t");
  // A cookie without a value may lack its last tab.
  if (parts.length !== fields && parts.length !== fields - 1) {
    const hint = parts.length === 1 ? "; its fields must be separated by tabs, not by spaces" : "";
    return `it has ${parts.length} fields in place of ${fields} (domain, subdomains, path, secure, expiry, name, value)${hint}`;
  }
  const [domain = "", subdomains = "", path = "", secure = "", expiry = "", name = "", value = ""] = parts;
  if (!isFlag(subdomains)) return "its second field, subdomains, must be TRUE or FALSE";
  if (!isFlag(secure)) return "its fourth field, secure, must be TRUE or FALSE";
  if (!/^(?:-?\d+(?:\.\d+)?)?$/.test(expiry))
    return "its fifth field, expiry, must be a time in seconds since 1970, or 0 for a session cookie";
  const bare = domain.replace(/^\./, "");
  if (bare === "") return "its first field, domain, is empty";
  const seconds = Number(expiry);
  return {
    name,
    value,
    domain: isTrue(subdomains) ? `.${bare}` : bare,
    path,
    expires: seconds > 0 ? seconds : -1,
    httpOnly,
    secure: isTrue(secure),
  };
}

function isFlag(text: string): boolean {
  return /^(?:true|false)$/i.test(text);
}

function isTrue(text: string): boolean {
  return text.toUpperCase() === "TRUE";
}
