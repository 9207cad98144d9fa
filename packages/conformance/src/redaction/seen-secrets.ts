import { cookieValuesIn, isCookiesRefusal } from "./cookie-values.ts";
import { bodyJson, firstBytes, type Exchange, type RawResponse } from "../http/exchange.ts";
import { parseJson } from "../http/json.ts";
import { isDistinct, minSecretLength } from "./secret-forms.ts";

/** Maximum number of values of a run that are redacted everywhere; further ones are redacted only in their own place. */
const maxValues = 200;

/** Maximum length of a value that is redacted everywhere, in UTF-16 units. */
const maxValueLength = 4096;

/** Maximum number of parts of one body that are searched. */
const maxParts = 20_000;

/** Maximum length of the searched part of a cookies body, and of one that is not JSON, in UTF-16 units. */
const maxBodyLength = 262_144;
const maxRestLength = 65_536;

/**
 * Returns the values that a target has sent as secrets: values of cookies, in the answer to the cookies read and in `Set-Cookie`, values of
 * `viewer_url`, and queries of the addresses in a replay. A hostile target may repeat them where nobody expects them.
 *
 * @param harmless - Texts that are not secrets, whatever the target says: addresses and sessions of the setup.
 */
export function secretsSeenIn(exchanges: Iterable<Exchange>, harmless: readonly string[]): string[] {
  const values = new Set<string>();
  const candidates = new Set<string>();
  const isSecret = (value: string): boolean =>
    value.length >= minSecretLength && value.length <= maxValueLength && !harmless.some((text) => text.includes(value));
  for (const exchange of exchanges) {
    if (!exchange.response) continue;
    for (const value of listValues(exchange.operation, exchange.response)) {
      if (values.size >= maxValues) return [...values];
      if (isSecret(value)) values.add(value);
    }
    for (const value of listCandidates(exchange.operation, exchange.response)) {
      if (candidates.size >= maxValues) break;
      if (isSecret(value)) candidates.add(value);
    }
  }
  return [...new Set([...values, ...candidates])].slice(0, maxValues);
}

function* listValues(operation: Exchange["operation"], response: RawResponse): Generator<string> {
  for (const [name, value] of response.headers) if (/^set-cookie2?$/i.test(name)) yield* findCookie(value);
  switch (operation) {
    case "session_cookies":
      yield* listCookies(response);
      break;
    case "session_replay":
      for (const text of listStrings(readBody(response))) yield* listQueries(text);
      break;
    case "automation_start":
      yield* listViewers(response);
      break;
    case "page_scrape":
  }
}

/** Returns the part of a body that is searched. A unit of UTF-16 takes three bytes of UTF-8 at most. */
function readBeginning(response: RawResponse): string {
  return new TextDecoder().decode(firstBytes(response, 3 * maxBodyLength)).slice(0, maxBodyLength);
}

/** Yields the value of a cookie as `Set-Cookie` writes it. */
function* findCookie(text: string): Generator<string> {
  const [, value] = /^[^=;]*=\s*"?([^;"]*)/.exec(text) ?? [];
  if (value !== undefined) yield value.trim();
}

/** Yields the values of cookies in a body. Strings are read in the syntax of `Cookie` and `Set-Cookie`. */
function* listCookies(response: RawResponse): Generator<string> {
  let remaining = maxParts;
  for (const { text, isNamed: named } of cookieValuesIn(readBeginning(response))) {
    if (named) yield text;
    else if (cookiePairs.test(text)) yield* listPairs(text);
    remaining -= 1;
    if (remaining === 0) return;
  }
}

function* listPairs(text: string): Generator<string> {
  for (const [at, pair] of text.split(/[;\r\n]/).entries()) {
    if (at === 0 || !cookieAttribute.test(pair)) yield* findCookie(pair);
  }
}

/** Pattern of names with values; what follows the first may be attributes. */
const cookiePairs = /^\s*[^\s=;,"<>]{1,256}=[^;\r\n]*(?:[;\r\n][ \t]*(?:[^\s=;,"<>]{1,256}(?:=[^;\r\n]*)?)?)*$/;

/** Pattern of the attributes of `Set-Cookie`, whose values are no secret. */
const cookieAttribute = /^\s*(?:domain|path|expires|max-age|samesite|priority)\s*=/i;

/** Pattern of a host, an address without a query, a path or a media type: such a text is not taken for a cookie value. */
const namesPlace = /^(?:https?:\/\/|\/|[a-z]+\/[a-z.+-]+$|\.?(?:[a-z\d-]+\.)+[a-z]{2,24}$)/i;

/** Finds texts that may be values of cookies by their place. They are redacted elsewhere only when they look like no ordinary word. */
function* listCandidates(operation: Exchange["operation"], response: RawResponse): Generator<string> {
  if (operation !== "session_cookies" || isCookiesRefusal(response)) return;
  let remaining = maxParts;
  for (const { text, json, isNamed: named } of cookieValuesIn(readBeginning(response))) {
    const pieces = json ? [text] : (text.slice(0, maxRestLength).match(/[^\s"'<>=;,&(){}[\]]{8,}/g) ?? []);
    for (const piece of pieces) {
      if (!named && !/\s/.test(piece) && isDistinct(piece) && !namesPlace.test(piece)) yield piece;
      remaining -= 1;
      if (remaining <= 0) return;
    }
  }
}

/** Yields a query as a whole, and the values in it that are credentials, also as they are before they are encoded. */
function* listQueries(text: string): Generator<string> {
  for (const [, query = ""] of text.matchAll(/\?([^\s"'<>#]+)/g)) {
    yield query;
    for (const [name, value] of new URLSearchParams(query)) {
      if (/signature|credential|token|sig|policy/i.test(name)) yield value;
    }
  }
}

/** Yields the values of `viewer_url` of a stream, without parsing the whole of it. */
function* listViewers(response: RawResponse): Generator<string> {
  let remaining = 50;
  for (const { bytes } of response.chunks) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    for (const [, quoted = ""] of text.matchAll(/"viewer_url"\s{0,9}:\s{0,9}("(?:[^"\\]|\\.){0,4096}")/g)) {
      const value = parseJson(quoted);
      if (typeof value === "string") {
        yield value;
        yield* listQueries(value);
      }
      remaining -= 1;
      if (remaining === 0) return;
    }
  }
}

function readBody(response: RawResponse): unknown {
  const body = bodyJson(response);
  return "value" in body ? body.value : undefined;
}

/** Yields the strings in a value. */
function* listStrings(root: unknown): Generator<string> {
  const open: unknown[] = [root];
  for (let count = 0; count < maxParts; count += 1) {
    if (open.length === 0) return;
    const value = open.pop();
    if (typeof value === "string") yield value;
    else if (typeof value === "object" && value !== null) open.push(...Object.values(value).slice(0, maxParts));
  }
}
