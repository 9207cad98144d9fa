import { bodyJson, type Exchange, type RawResponse } from "./exchange.ts";
import { shortestSecret } from "./secret-forms.ts";

/** Most values of a run that are looked for in other places; what is beyond is taken out where it belongs alone. */
const mostValues = 200;

/** Longest value that is looked for in other places, in UTF-16 units. */
const longestValue = 4096;

/** Most parts of one body that are looked at. */
const mostParts = 20_000;

/**
 * The values that a target has sent as secrets: values of cookies, in the answer to the cookies read and in `Set-Cookie`,
 * values of `viewer_url`, and queries of the addresses in a replay. A hostile target may repeat them where nobody expects them.
 *
 * Source: ours.
 *
 * @param known - What is no secret, whatever the target says: addresses and sessions of the setup.
 */
export function secretsSeenIn(exchanges: Iterable<Exchange>, known: readonly string[]): string[] {
  const values = new Set<string>();
  for (const exchange of exchanges) {
    if (!exchange.response) continue;
    for (const value of valuesOf(exchange.operation, exchange.response)) {
      if (values.size >= mostValues) return [...values];
      const fits = value.length >= shortestSecret && value.length <= longestValue;
      if (fits && !known.some((text) => text.includes(value))) values.add(value);
    }
  }
  return [...values];
}

function* valuesOf(operation: Exchange["operation"], response: RawResponse): Generator<string> {
  for (const [name, value] of response.headers) if (/^set-cookie2?$/i.test(name)) yield* cookieOf(value);
  switch (operation) {
    case "session_cookies":
      yield* cookiesOf(response);
      break;
    case "session_replay":
      for (const [, text] of stringsOf(jsonOf(response))) yield* queriesOf(text);
      break;
    case "automation_start":
      yield* viewersOf(response);
      break;
    case "page_scrape":
  }
}

/** The value of a cookie as `Set-Cookie` writes it. */
function* cookieOf(text: string): Generator<string> {
  const [, value] = /^[^=;]*=\s*"?([^;"]*)/.exec(text) ?? [];
  if (value !== undefined) yield value.trim();
}

/** Cookies that are no objects are read as `Set-Cookie` would write them. */
function* cookiesOf(response: RawResponse): Generator<string> {
  for (const [name, text] of stringsOf(jsonOf(response))) {
    if (name === "value") yield text;
    else if (name === "" && text.includes("=")) yield* cookieOf(text);
  }
}

/** A query as a whole, and the values in it that are credentials, also as they are before they are encoded. */
function* queriesOf(text: string): Generator<string> {
  for (const [, query = ""] of text.matchAll(/\?([^\s"'<>#]+)/g)) {
    yield query;
    for (const [name, value] of new URLSearchParams(query)) {
      if (/signature|credential|token|sig|policy/i.test(name)) yield value;
    }
  }
}

/** The events are read where they are, because a stream may be as long as it likes. */
function* viewersOf(response: RawResponse): Generator<string> {
  let left = 50;
  for (const { bytes } of response.chunks) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    for (const [, quoted = ""] of text.matchAll(/"viewer_url"\s{0,9}:\s{0,9}("(?:[^"\\]|\\.){0,4096}")/g)) {
      const value = parsed(quoted);
      if (value !== undefined) {
        yield value;
        yield* queriesOf(value);
      }
      left -= 1;
      if (left === 0) return;
    }
  }
}

function parsed(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function jsonOf(response: RawResponse): unknown {
  const body = bodyJson(response);
  return "value" in body ? body.value : undefined;
}

/** The strings in a value, each with the name of the nearest member of an object that it is in; empty for none of its own. */
function* stringsOf(root: unknown): Generator<[name: string, text: string]> {
  const open: [name: string, value: unknown][] = [["", root]];
  for (let seen = 0; seen < mostParts; seen += 1) {
    const next = open.pop();
    if (!next) return;
    const [name, value] = next;
    if (typeof value === "string") yield [name, value];
    else if (Array.isArray(value))
      for (const item of value.slice(0, mostParts)) open.push([name === "value" ? name : "", item]);
    else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value).slice(0, mostParts))
        open.push([name === "value" ? name : key, item]);
    }
  }
}
