import type { Exchanges } from "../check.ts";
import { rejectedFields } from "../blamed-fields.ts";
import { isAnswerTo, type Exchange } from "../../http/exchange.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import { isObject } from "../../http/json.ts";
import { everyOptionalHeader } from "./scrape-probe.ts";
import { readSentOptions } from "./sent-options.ts";

/** Statuses of a value that is refused for its length, its number or its notation. Source: RFC 9110, section 15.5; RFC 6585 (431). */
const ofBounds: ReadonlySet<number> = new Set([400, 413, 414, 422, 431]);

/** Longest instructions that no bound is expected to refuse, in UTF-16 units. */
const usualLength = 256;

/** Most tags that no bound is expected to refuse. */
const usualCount = 20;

/** Names of HTML elements that every list of tags has. */
const usualTags: ReadonlySet<string> = new Set(
  "a article aside br button div footer form h1 h2 h3 h4 h5 h6 header hr iframe img input li main nav noscript ol p script section span style svg table template ul video wbr".split(
    " ",
  ),
);

/** Returns whether a text is blank, or has control characters other than tabs and line breaks. */
const isOdd = (text: string): boolean => text.trim() === "" || /\p{Cc}/u.test(text.replaceAll(/[\t\n\r]/g, ""));

/** A part of a request whose valid values may have bounds, or be written in one of several notations. */
interface BoundedPart {
  /** Returns whether a value may be refused, in the tolerant reading. */
  readonly mayBeRefused: (value: unknown) => boolean;
  /** Returns whether the accepted values show that a refusal is about the value. Default: nothing has to be accepted. */
  readonly isShownBy?: (accepted: PartValues["accepted"]) => boolean;
}

const ofNotation: BoundedPart = {
  mayBeRefused: (value) => typeof value === "string" && value !== "",
  isShownBy: ({ size }) => size > 0,
};

const [plainSchema] = scrapeFields.find(({ name }) => name === "response_format")?.valid ?? [];

/** The parts, by their names. */
const parts: Readonly<Record<string, BoundedPart>> = {
  selector: ofNotation,
  instructions: {
    mayBeRefused: (value) => typeof value === "string" && value !== "" && (value.length > usualLength || isOdd(value)),
  },
  ignored_tags: {
    mayBeRefused: (value) =>
      Array.isArray(value) &&
      (value.length === 0 ||
        value.length > usualCount ||
        new Set(value).size < value.length ||
        !value.every((tag) => usualTags.has(String(tag)))),
  },
  response_format: {
    mayBeRefused: (value) => isObject(value) && !hasReference(value),
    // Where the plain one is refused, too, it is the page that may not have the data.
    isShownBy: (accepted) => accepted.has(JSON.stringify(plainSchema?.value)),
  },
  ...Object.fromEntries(Object.keys(everyOptionalHeader).map((name) => [name, ofNotation])),
};

/** Returns the value of a part of a request; undefined where it lacks the part. */
function readValue(exchange: Exchange, name: string): unknown {
  if (Object.hasOwn(everyOptionalHeader, name)) return exchange.plan.headers?.[name];
  const options = readSentOptions(exchange) ?? {};
  return Object.hasOwn(options, name) ? options[name] : undefined;
}

const isScrape = (exchange: Exchange): boolean => exchange.expects === "success" && isAnswerTo("page_scrape", exchange);

/** Counts the parts that a request has beyond the plain one. */
function countParts({ plan, ...exchange }: Exchange): number {
  const options = readSentOptions({ plan, ...exchange }) ?? {};
  return Object.keys(options).length + Object.keys(plan.headers ?? {}).length + (plan.path.includes("?") ? 1 : 0);
}

/** Returns whether a request has a value of the part that may have bounds. */
export function hasBoundedValue(exchange: Exchange, name: string): boolean {
  return isScrape(exchange) && parts[name]?.mayBeRefused(readValue(exchange, name)) === true;
}

/** The accepted and refused values of each part in a run, as JSON; alone: by requests that have no other part. */
interface PartValues {
  /** Accepted values, each with the ids of its probes. */
  readonly accepted: ReadonlyMap<string, readonly string[]>;
  readonly refusedAlone: ReadonlySet<string>;
}

/** Cache, since each refused scrape of a run is judged by many checks. */
const caches = new WeakMap<
  ReadonlyMap<string, Exchange>,
  { readonly size: number; readonly byPart: Map<string, PartValues> }
>();

function summarizeAnswer(run: ReadonlyMap<string, Exchange>, name: string): PartValues {
  const values = caches.get(run);
  const cache = values?.size === run.size ? values : { size: run.size, byPart: new Map<string, PartValues>() };
  caches.set(run, cache);
  const partValues = cache.byPart.get(name) ?? readPartValues(run, name);
  cache.byPart.set(name, partValues);
  return partValues;
}

function readPartValues(run: ReadonlyMap<string, Exchange>, name: string): PartValues {
  const accepted = new Map<string, string[]>();
  const refusedAlone = new Set<string>();
  for (const exchange of run.values()) {
    const isValid = exchange.expects !== "refusal" && isAnswerTo("page_scrape", exchange);
    const value = isValid ? readValue(exchange, name) : undefined;
    if (value === undefined || value === null || value === "") continue;
    const status = exchange.response?.status ?? 0;
    const text = JSON.stringify(value);
    if (status === 200) accepted.set(text, [...(accepted.get(text) ?? []), exchange.id]);
    else if (ofBounds.has(status) && countParts(exchange) === 1) refusedAlone.add(text);
  }
  return { accepted, refusedAlone };
}

/**
 * Returns the part of a valid scrape whose value is refused for its length, its number or its notation: the same value is accepted nowhere,
 * and it is shown to be the reason. Undefined for every other answer.
 */
export function findRefusedPart(exchange: Exchange, run: Exchanges): string | undefined {
  if (!run || !isScrape(exchange) || !ofBounds.has(exchange.response?.status ?? 0)) return undefined;
  const fields = rejectedFields(exchange);
  return Object.entries(parts).find(([name, { mayBeRefused, isShownBy }]) => {
    const value = readValue(exchange, name);
    if (!mayBeRefused(value) || (fields.length > 0 && !fields.every((one) => one === name))) return false;
    const { accepted, refusedAlone } = summarizeAnswer(run, name);
    const text = JSON.stringify(value);
    const isAccepted = accepted.get(text)?.some((id) => id !== exchange.id) ?? false;
    if (isAccepted || isShownBy?.(accepted) === false) return false;
    return fields.length > 0 || countParts(exchange) === 1 || refusedAlone.has(text);
  })?.[0];
}

/** Returns whether a schema refers to another, or to a part of itself. */
export function hasReference(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasReference);
  if (!isObject(schema)) return false;
  return typeof schema["$ref"] === "string" || Object.values(schema).some(hasReference);
}
