import type { RawResponse } from "../http/exchange.ts";
import { parseJson } from "../http/json.ts";

/** Fields of a cookie record whose texts are no secret. */
const textField = /^(?:name|domain|path|sameSite|storeId|partitionKey)$/;

/** Fields of a cookie record that hold no text; any other content may be the value of a cookie of that name. */
const otherField = /^(?:httpOnly|hostOnly|secure|session|expirationDate|expires)$/;

/** A truth value, a number or a date, written as text. */
const plainText =
  /^(?:true|false|yes|no|-?\d{1,16}(?:\.\d{1,9})?|\d{4}-\d\d-\d\d[\d:.TZ+ -]{0,24}|[a-z]{3,9}, \d\d[ -][a-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d gmt)?$/i;

/** Pattern of numbers long enough to be the value of a cookie. */
const secretNumber = /^-?\d{4}/;

/** A part of the body of the cookies operation that may be the value of a cookie. */
export interface CookieValue {
  /** Its start, in UTF-16 units. */
  readonly start: number;
  /** Its end, in UTF-16 units. */
  readonly end: number;
  /** The text without the quotes and escapes of JSON. */
  readonly text: string;
  /** True when it is part of a JSON text; false for the rest of a body after the end of valid JSON. */
  readonly json: boolean;
  /** True when it is in the field that the interface names for cookie values. */
  readonly isNamed: boolean;
}

/** An object or array that contains a place of the text. */
interface Holder {
  readonly array: boolean;
  /** An object that stands in an array: only there the fields of a cookie are known by their names. */
  readonly record: boolean;
  /** True when all that is in it belongs to a value. */
  readonly isNamed: boolean;
  /** Name of the member that is being read. */
  key: string;
}

/**
 * Finds the texts that may be values of cookies in the body of the cookies operation, whatever its form: every text but those in
 * the other fields of a cookie record, long numbers, and everything after the first character that can't be JSON. Keys are
 * taken for names.
 *
 * @param path - Place of the text in the body: names of members, `*` for an item of an array. Default: it is the body.
 */
export function* cookieValuesIn(text: string, path: readonly string[] = []): Generator<CookieValue> {
  const holders: Holder[] = [holderAt(path)];
  const whole = holders.length;
  let awaits: "value" | "key" | "more" | "end" = "value";
  let justOpened = false;
  let at = 0;
  for (;;) {
    at = skip(space, text, at);
    if (at >= text.length) return;
    const character = text[at] ?? "";
    const holder = holders.at(-1) ?? holderAt([]);
    const closes = character === (holder.array ? "]" : "}") && holders.length > whole;
    if (closes && (awaits === "more" || justOpened)) {
      holders.pop();
      awaits = holders.length === whole ? "end" : "more";
      justOpened = false;
      at += 1;
    } else if (awaits === "more" && character === ",") {
      awaits = holder.array ? "value" : "key";
      at += 1;
    } else if (awaits === "key" && character === '"') {
      const end = stringEnd(text, at);
      const colon = end === undefined ? text.length : skip(space, text, end);
      if (text[colon] !== ":") return yield readRest(text, at);
      holder.key = decode(text.slice(at, end));
      awaits = "value";
      justOpened = false;
      at = colon + 1;
    } else if (awaits === "value" && (character === "{" || character === "[")) {
      const array = character === "[";
      const isNamed = holder.isNamed || isValue(holder);
      holders.push({ array, record: !array && holder.array, isNamed, key: "" });
      awaits = array ? "value" : "key";
      justOpened = true;
      at += 1;
    } else if (awaits === "value") {
      const end = character === '"' ? (stringEnd(text, at) ?? text.length) : skip(word, text, at);
      const token = text.slice(at, end);
      if (character !== '"' && !/^(?:-?\d[\d.e+-]*|true|false|null)$/i.test(token)) return yield readRest(text, at);
      const isNamed = holder.isNamed || isValue(holder);
      const value = character === '"' ? decode(token) : token;
      if (isNamed || isTaken(value, character === '"', holder))
        yield { start: at, end, text: value, json: true, isNamed };
      awaits = holders.length === whole ? "end" : "more";
      justOpened = false;
      at = end;
    } else return yield readRest(text, at);
  }
}

/**
 * Returns the body of the cookies operation, or a value of it written as JSON, without the values of cookies.
 *
 * @param path - Where in the body the text stands: names of members, `*` for an item of an array. Default: it is the body.
 */
export function removeCookieValues(text: string, path: readonly string[] = []): string {
  let clean = "";
  let at = 0;
  for (const { start, end, json } of cookieValuesIn(text, path)) {
    clean += text.slice(at, start) + (json ? '"[redacted]"' : "[redacted]");
    at = end;
  }
  return clean + text.slice(at);
}

/** Returns whether a response of the cookies operation is a refusal, which holds no cookies and has texts for people. */
export function isCookiesRefusal({ status }: Pick<RawResponse, "status">): boolean {
  return status >= 400 && status < 500;
}

function holderAt(path: readonly string[]): Holder {
  const key = path.at(-1) ?? "";
  const array = key === "*";
  return { array, record: !array && path.at(-2) === "*", isNamed: path.includes("value"), key: array ? "" : key };
}

function isValue({ array, key }: Holder): boolean {
  return !array && key.toLowerCase() === "value";
}

function isTaken(value: string, isText: boolean, { record, key }: Holder): boolean {
  if (record && textField.test(key)) return false;
  if (record && otherField.test(key)) return isText && !plainText.test(value);
  return isText || secretNumber.test(value);
}

function readRest(text: string, start: number): CookieValue {
  return { start, end: text.length, text: text.slice(start), json: false, isNamed: false };
}

const space = /[ \t\r\n]*/y;
const word = /[^\s,:[\]{}"]*/y;

/** Returns the end of a match at a place. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(at, pattern.lastIndex);
}

/** Returns the end of a quoted text; undefined when the body ends before it. */
function stringEnd(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text[first - 1] === "\\") first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return undefined;
}

/** Decodes a JSON token; returns one that was cut or is not JSON as it is. */
function decode(token: string): string {
  const value = parseJson(token);
  return typeof value === "string" ? value : token.replace(/^"|"$/g, "");
}
