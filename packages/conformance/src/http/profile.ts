import type { Target } from "../target/target.ts";
import { parseJson } from "./json.ts";
import type { Outgoing } from "./transport.ts";

/** Returns the reason why a profile forbids a request; undefined when it may be sent. Looks only at what would go over the wire. */
export function profileRefusal(profile: Profile, request: Outgoing, target: Target): string | undefined {
  if (profile === "read-only" && request.plan.method !== "GET") {
    return "The profile read-only sends nothing but GET (--profile free or full sends more).";
  }
  if (profile === "free" && couldStartRun(request, target)) {
    return "The profile free starts no billed automation run (--profile full does).";
  }
  return undefined;
}

/**
 * Returns whether a live target could start a billed automation run for this request: it carries the key, it calls no session-scoped
 * operation, and some parser finds a `query` in it.
 *
 * Errs on the side of yes: other spellings of the key and its beginnings count as the key, and a body counts that only a lenient server
 * reads. A mock bills nothing.
 *
 * Source: interface § Endpoints, § Limits.
 */
export function couldStartRun(request: Outgoing, target: Target): boolean {
  const result = startable.get(request) ?? readsAsRun(request, target);
  startable.set(request, result);
  return result;
}

/** Cache, since profile, budget and retry policy each ask it of a request. */
const startable = new WeakMap<Outgoing, boolean>();

function readsAsRun(request: Outgoing, target: Target): boolean {
  if (target.kind === "mock" || isSessionOperation(request.url, target.baseUrl)) return false;
  return carriesKey(request, target.apiKey) && hasQuery(request);
}

/** Returns whether a URL is certainly one of a session-scoped operation; not with encoded dots or slashes, which a server may resolve. */
function isSessionOperation(url: string, baseUrl: string): boolean {
  const address = new URL(url);
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, "");
  if (address.origin !== base.origin || !address.pathname.startsWith(`${prefix}/`)) return false;
  const path = address.pathname.slice(prefix.length);
  return /^\/sessions\/[^/]+\/(page\/scrape|cookies|replay)$/.test(path) && !/%(2f|5c|2e)/i.test(path);
}

function carriesKey({ url, headers, plan }: Outgoing, apiKey: string): boolean {
  const key = apiKey.toLowerCase();
  const values = Object.values(headers);
  const decoded = values.map((value) => Buffer.from(value.replace(/^\S+\s+/, ""), "base64").toString());
  const texts = [url, percentDecoded(url), ...values, ...values.map(percentDecoded), ...decoded, plan.body ?? ""];
  return texts.some((text) => text.toLowerCase().includes(key)) || values.some((value) => isKeyPrefix(key, value));
}

/** Returns whether a header value is the beginning of the key: a server may compare only that. */
function isKeyPrefix(key: string, value: string): boolean {
  const [, token = ""] = /^bearer\s+(.*)$/i.exec(value.trim()) ?? [];
  const lower = token.toLowerCase();
  return token !== "" && (key.startsWith(lower) || differsInOneLetter(key, lower));
}

/** Returns whether a token differs from the key in one letter: a server may compare another part of the key, or only its length. */
function differsInOneLetter(key: string, token: string): boolean {
  return token.length === key.length && key.split("").filter((letter, at) => letter !== token[at]).length === 1;
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());
}

function hasQuery({ url, plan: { body } }: Outgoing): boolean {
  const names = [...new URL(url).searchParams.keys()];
  return names.some(isQuery) || (body !== undefined && bodyHasQuery(body));
}

/**
 * Returns whether some server may find a `query` in a body. Servers read more than JSON: a beginning of the body that is JSON, trailing
 * commas, single quotes, YAML, forms. So every body that mentions the word has a query, unless it is JSON in which no property is called
 * so, or JSON that is cut off: no reading of that has an end.
 */
function bodyHasQuery(body: string): boolean {
  const text = unescape(body);
  if (!/query/i.test(text)) return false;
  const value = parseJson(body.replace(/^[\uFEFF\s]+/, ""));
  if (value !== undefined) return namesQuery(value) || /(^|[&;?"])\s*query\s*=/i.test(text);
  return !/^\s*[{[][^}\]]*$/.test(body);
}

/** Decodes escapes of JSON and of forms, and UTF-16 letters. */
function unescape(text: string): string {
  return percentDecoded(text)
    .replace(/\\(?:u00|x)([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll("\0", "");
}

/** Returns whether an object anywhere in a value has the property in any case: some servers ignore the case. */
function namesQuery(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next) && Object.keys(next).some(isQuery)) return true;
    open.push(...Object.values(next));
  }
  return false;
}

function isQuery(name: string): boolean {
  return name.trim().toLowerCase() === "query";
}

/**
 * Set of requests that a run may send.
 *
 * `free`: none that could start a billed automation run. `read-only`: GET only. `full`: all, runs within the budget.
 */
export type Profile = "free" | "read-only" | "full";
