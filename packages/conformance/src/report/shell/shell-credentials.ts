import {
  longWrongKey,
  splitCredentials,
  prefixes,
  findSimple,
  findStranger,
  wrongKey,
  type KeyForm,
  type Scheme,
} from "../../http/credentials.ts";
import { shellQuote } from "./shell-quote.ts";
import type { RecordedExchange } from "../report.ts";

/** The environment variable from which a reproduction takes the API key. */
export const keyVariable = "CLOUD_BROWSER_API_KEY";

/** The environment variable from which a reproduction takes the value of a header that is secret, such as `HEADER_X_BYPASS`. */
export function headerVariable(name: string): string {
  return `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** Shell expansion of the API key. It fails when the variable is not set, since an empty key would reproduce another request. */
const key = `\${${keyVariable}:?}`;

const half = `$((\${#${keyVariable}} / 2))`;
const middle = `\${${keyVariable}:${half}:1}`;

/** Shell text of the key with its middle character replaced by the next one of ASCII. */
const otherLetter = `\${${keyVariable}:0:${half}}$(printf %s "${middle}" | tr '!-~' '"-~!')\${${keyVariable}:${half}+1}`;

/** Each form of the key, for use within double quotes of a shell. */
const keyWords: Readonly<Record<KeyForm, string>> = {
  key,
  wrong: wrongKey,
  empty: "",
  "first-half": `\${${keyVariable}:0:${half}}`,
  "but-last": `\${${keyVariable}%?}`,
  extended: `${key}x`,
  "other-letter": otherLetter,
  "other-case": `$(printf %s "${key}" | tr a-zA-Z A-Za-z)`,
  "then-more": `${key} ${wrongKey}`,
  "in-list": `${wrongKey}, ${key}`,
  twice: `${key}${key}`,
  "beyond-ascii": `${key}$(printf '\\351')`,
  "wrong-long": longWrongKey,
  "word-null": "null",
  "word-undefined": "undefined",
};

/** Returns the value of a header, for use within double quotes of a shell. */
function composeHeader(scheme: Scheme, word: string): string {
  return scheme === "basic" ? `Basic $(printf %s: "${word}" | base64 | tr -d '\\n')` : `${prefixes[scheme]}${word}`;
}

/** Returns the value in a query or a cookie, percent-encoded, for use within double quotes of a shell. */
function encodeValue(scheme: Scheme, form: KeyForm): string {
  const inUtf8 = scheme !== "basic" && form === "beyond-ascii";
  const value = composeHeader(scheme, inUtf8 ? `${key}$(printf '\\303\\251')` : keyWords[form]);
  return `$(printf %s "${value}" | od -An -v -tx1 | tr -d '\\n' | tr ' ' %)`;
}

/** Returns the query of a request with secret credentials in it, for use between double quotes of a shell; undefined for any other. */
export function queryWord({ credentials, url }: RecordedExchange["request"]): string | undefined {
  const parts = credentials === undefined ? undefined : splitCredentials(credentials);
  return parts?.place === "query" && url.includes("[redacted]") ? encodeValue(parts.scheme, parts.form) : undefined;
}

/**
 * Returns the header `Authorization` of a request as a word of a shell that takes the key, or the part of it, from the environment;
 * undefined when nothing secret was taken out of it, or the report does not name it.
 */
export function authorizationWord(request: RecordedExchange["request"], name: string): string | undefined {
  const { credentials } = request;
  if (credentials === undefined) return undefined;
  const parts = splitCredentials(credentials);
  if (parts) {
    const { place, scheme, form } = parts;
    if (place !== name.toLowerCase()) return undefined;
    const value = place === "cookie" ? `api_key=${encodeValue(scheme, form)}` : composeHeader(scheme, keyWords[form]);
    return `"${name}: ${value}"`;
  }
  if (name.toLowerCase() !== "authorization") return undefined;
  const plain = credentials === "wrong" ? `Bearer ${wrongKey}` : findStranger(credentials);
  if (plain !== undefined) return shellQuote(`${name}: ${plain}`);
  const simple = findSimple(credentials);
  return simple && `"${name}: ${composeHeader(simple[0], keyWords[simple[1]])}"`;
}

/** Returns whether sending an exchange again may start a billed automation run. Source: interface § Limits. */
export function mayBeBilled({ operation, request }: RecordedExchange): boolean {
  if (operation !== "automation_start") return false;
  const { credentials, headers } = request;
  if (credentials === undefined) return headers.some(([name]) => name.toLowerCase() === "authorization");
  const parts = splitCredentials(credentials);
  return parts ? !["wrong", "empty", "wrong-long"].includes(parts.form) : credentials.startsWith("key");
}
