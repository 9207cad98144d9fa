import type { Json, JsonRecord } from "./declared-data.ts";
import { absoluteAddress } from "./shown-value.ts";

const maxScripts = 50;
const maxScriptCharacters = 1_000_000;
const maxValues = 20_000;
const maxDepth = 16;
const maxItems = 500;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00a0",
  quot: '"',
};

/** Properties whose values are addresses when they look like a path. */
const addresses: ReadonlySet<string> = new Set(
  "url image logo thumbnailUrl contentUrl embedUrl sameAs item mainEntityOfPage downloadUrl photo target".split(" "),
);

/**
 * Reads the JSON-LD of a document. Changes nothing, so it may run on the live document: a copy of it may have lost its
 * scripts. A script that is not JSON costs that script only.
 */
export function readJsonLd(document: Document): JsonRecord[] {
  const items: JsonRecord[] = [];
  const scripts = document.querySelectorAll('script[type^="application/ld+json" i]');
  let left = maxValues;
  const blocks = [...scripts].slice(0, maxScripts).map((script) => flattenGraph(parse(script.textContent ?? "")));
  const elsewhere = uniqueItems(blocks.map(itemsById));
  for (const block of blocks) {
    const named = new Map([...elsewhere, ...itemsById(block)]);
    for (const item of block) {
      if (items.length >= maxItems || left <= 0) return items;
      const cleaned = clean(item, [], named);
      if (isRecord(cleaned) && Object.keys(cleaned).length > 0) items.push(cleaned);
    }
  }
  return items;

  function clean(value: Json, path: readonly Json[], named: ReadonlyMap<string, JsonRecord>, name = ""): Json {
    left -= 1;
    if (left <= 0 || path.length > maxDepth) return null;
    if (typeof value === "string") return cleanText(value, name);
    if (isList(value)) return value.map((each) => clean(each, [...path, value], named, name));
    if (!isRecord(value)) return value;
    const target = resolveReference(value, path, named);
    const entries = Object.entries(target).filter(([key]) => key !== "@context" && key !== "@graph");
    return Object.fromEntries(
      entries.map(([key, each]) => [plain(key), clean(each, [...path, target], named, plain(key))]),
    );
  }

  function cleanText(written: string, name: string): string {
    if (name === "@type") return plain(written);
    const text = decodeEntities(written);
    const isPath = addresses.has(name) && !/\s/.test(text) && /[/.#]/.test(text);
    return (isPath ? absoluteAddress(text, document.baseURI) : undefined) ?? text.trim();
  }
}

/** Decodes HTML entities, which many pages have in JSON-LD. Unknown ones stay. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (entity: string, ...groups: string[]) => {
    const [decimal, hexadecimal, name] = groups;
    if (name) return entities[name] ?? entity;
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal ?? "", 16);
    const isCharacter = code >= 32 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
    return isCharacter ? String.fromCodePoint(code) : entity;
  });
}

/** Returns items by `@id`. */
function itemsById(items: readonly JsonRecord[]): ReadonlyMap<string, JsonRecord> {
  const named = new Map<string, JsonRecord>();
  for (const item of items) {
    const id = item["@id"];
    if (typeof id === "string" && Object.keys(item).length > 1) named.set(id, item);
  }
  return named;
}

/** Returns the items whose `@id` is unique over all scripts, which a reference in any script may resolve to. */
function uniqueItems(scripts: readonly ReadonlyMap<string, JsonRecord>[]): ReadonlyMap<string, JsonRecord> {
  const all = scripts.flatMap((named) => [...named]);
  const counts = new Map<string, number>();
  for (const [id] of all) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Map(all.filter(([id]) => counts.get(id) === 1));
}

/** Resolves a reference, unless it is circular. */
function resolveReference(
  value: JsonRecord,
  path: readonly Json[],
  named: ReadonlyMap<string, JsonRecord>,
): JsonRecord {
  const id = value["@id"];
  if (Object.keys(value).length > 1 || typeof id !== "string") return value;
  const target = named.get(id);
  return target && !path.includes(target) ? target : value;
}

function parse(script: string): Json | undefined {
  if (script.length > maxScriptCharacters) return undefined;
  const body = script
    .replace(/^\s*(?:<!--|(?:\/\/|\/\*)?\s*<!\[CDATA\[(?:\*\/)?)/, "")
    .replace(/(?:-->|(?:\/\/|\/\*)?\s?\]\]>(?:\*\/)?)\s*$/, "");
  const tidy = body.replace(/\p{Cc}+/gu, " ").replace(/;\s?$/, "");
  for (const text of [body, tidy, withoutTrailingCommas(tidy)]) {
    try {
      return JSON.parse(text, withSpelling);
    } catch {
      // Common mistakes are a line break within a string and a trailing comma: the other variants have none.
    }
  }
  return undefined;
}

/** Keeps how a number is spelled where that is more than its value: 1.10, or more digits than a number can hold. */
function withSpelling(key: string, value: Json, context?: { readonly source?: string }): Json {
  const source = context?.source;
  if (typeof value !== "number" || key === "" || source === undefined || source === String(value)) return value;
  return { "@value": value, "@spelled": source };
}

/** Matches a string, closed or not, or a trailing comma. */
const stringOrTrailingComma = /("(?:[^"\\]|\\[^])*"?)|,(?=\s*[\]}])/g;

function withoutTrailingCommas(json: string): string {
  return json.replace(stringOrTrailingComma, (_, string: string | undefined) => string ?? "");
}

/** Returns the items of a script, with lists and `@graph` flattened. */
function flattenGraph(parsed: Json | undefined): JsonRecord[] {
  const items: JsonRecord[] = [];
  const waiting: Json[] = parsed === undefined ? [] : [parsed];
  while (waiting.length > 0 && items.length < maxItems) {
    const next = waiting.shift();
    if (isList(next)) waiting.unshift(...next.slice(0, maxItems));
    else if (isRecord(next)) {
      const graph = next["@graph"];
      if (Object.keys(next).some((key) => !["@context", "@graph", "@id", "@value", "@spelled"].includes(key)))
        items.push(next);
      if (graph !== undefined) waiting.push(graph);
    }
  }
  return items;
}

function plain(name: string): string {
  return name.replace(/^(?:https?:\/\/schema\.org\/|schema:)/i, "");
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
