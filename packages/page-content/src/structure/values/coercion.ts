import type { Json, JsonRecord } from "../../in-page/declared/declared-data.ts";
import { plainDate, plainDateTime } from "./dates.ts";
import { foldName } from "./names.ts";
import { exactNumber, plainNumber } from "./numbers.ts";
import { addressKind } from "./synonyms.ts";
import { isThing, textOfLeaf, type Declared, type Leaf, type Thing } from "./things.ts";

/** Properties that represent a thing where a schema requires a scalar, the most reliable first. */
const nameOfThing = ["name", "headline", "text", "title", "value"];
const numberOfThing = ["value", "price", "rating value"];
const addressOfThing = ["url", "content url", "id"];
const partsOfAddress = ["street address", "address locality", "address region", "postal code", "address country"];

const trueWords: ReadonlySet<string> = new Set(["true", "yes", "in stock", "available"]);
const falseWords: ReadonlySet<string> = new Set([
  "false",
  "no",
  "out of stock",
  "sold out",
  "unavailable",
  "discontinued",
]);
const stockKeys = /\b(?:stock|available|availability)\b/;

/**
 * Converts a declared value to the type of a schema, only where nothing is lost or the meaning is clear.
 *
 * @param schema - A schema of one type that is no array and no object.
 * @param key - Key of the property.
 * @returns Undefined when the page does not say it in a form that can be taken.
 */
export function coerce(declared: Declared, schema: JsonRecord, key: string): Json | undefined {
  const allowed = Array.isArray(schema["enum"])
    ? (schema["enum"] as readonly Json[])
    : "const" in schema
      ? [schema["const"]]
      : undefined;
  const type = schema["type"];
  if (allowed) return allowedValue(declared, allowed.slice(0, 1_000), key);
  if (type === "string") return textFor(declared, schema, key);
  const leaf = isThing(declared) ? placeholderText(declared, numberOfThing) : declared;
  if (!leaf) return undefined;
  if (type === "number" || type === "integer") return numberFor(leaf, type, key);
  if (type === "boolean") return booleanFor(leaf, key);
  return undefined;
}

/** A declared value as it is, for schemas that leave the form open. */
export function asJson(declared: Declared, depth = 0): Json {
  if (!isThing(declared)) return isExact(declared) ? declared.value : textOfLeaf(declared);
  if (depth > 8) return null;
  const entries = [...declared.fields].map(([key, values]) => {
    const list = values.map((value) => asJson(value, depth + 1));
    return [declared.names.get(key) ?? key, list.length === 1 ? (list[0] ?? null) : list] as const;
  });
  return Object.fromEntries(entries);
}

function textFor(declared: Declared, schema: JsonRecord, key: string): string | undefined {
  const format = schema["format"];
  const kind = addressKind(key);
  const leaf = isThing(declared) ? leafForText(declared, format, kind) : declared;
  if (!leaf) return undefined;
  const text = plainType(textOfLeaf(leaf));
  switch (typeof format === "string" ? format : "") {
    case "uri":
    case "url":
    case "iri":
      return addressIn(leaf, kind);
    case "date":
      return plainDate(leaf.machine ?? text);
    case "date-time":
      return plainDateTime(leaf.machine ?? text);
    case "email":
      return (
        (leaf.href?.startsWith("mailto:") ? decodeURI(leaf.href.slice(7).split("?")[0] ?? "") : undefined) ??
        text.replace(/^mailto:/i, "")
      );
    default:
      return (kind === undefined ? undefined : addressIn(leaf, kind)) ?? (text === "" ? undefined : text);
  }
}

function leafForText(thing: Thing, format: Json | undefined, kind: "image" | "link" | undefined): Leaf | undefined {
  const isAddress = kind !== undefined || format === "uri" || format === "url" || format === "iri";
  if (isAddress) return placeholderText(thing, addressOfThing);
  const parts = partsOfAddress.flatMap((part) => thing.fields.get(part) ?? []);
  if (parts.length === 0) return placeholderText(thing, nameOfThing);
  return {
    value: parts
      .map((part) => (isThing(part) ? placeholderText(part, nameOfThing) : part))
      .flatMap((part) => (part === undefined ? [] : textOfLeaf(part) || []))
      .join(", "),
  };
}

function placeholderText(thing: Thing, keys: readonly string[]): Leaf | undefined {
  for (const key of keys) {
    const values = thing.fields.get(key) ?? [];
    const [value] = values;
    if (value && values.length === 1 && !isThing(value)) return value;
  }
  return undefined;
}

function addressIn({ value, href, src }: Leaf, kind: "image" | "link" | undefined): string | undefined {
  const marked = kind === "image" ? (src ?? href) : (href ?? src);
  return marked ?? (typeof value === "string" && /^https?:\/\/\S+$/i.test(value) ? value : undefined);
}

function numberFor(leaf: Leaf, type: "number" | "integer", key: string): number | undefined {
  if (!isExact(leaf)) return undefined;
  const candidates = [leaf.value, ...(leaf.machine === undefined ? [] : [leaf.machine])];
  for (const value of candidates) {
    const number =
      typeof value === "number"
        ? value
        : value === leaf.value
          ? shownNumber(leaf, key)
          : plainNumber(String(value), key);
    if (number !== undefined && (type === "number" || Number.isSafeInteger(number))) return number;
  }
  return undefined;
}

/** Returns whether the value of a leaf equals its spelling: a number may have more digits than a double. */
function isExact({ value, spelled }: Leaf): boolean {
  return typeof value !== "number" || exactNumber(spelled ?? String(value)) !== undefined;
}

/** Returns the number in a text; undefined when several of its parts are numbers. */
function shownNumber({ value, parts = [], ...marks }: Leaf, key: string): number | undefined {
  if (typeof value !== "string") return undefined;
  const numbers = parts.filter((part) => /\d/.test(String(part.value)));
  return numbers.length > 1 ? undefined : plainNumber(value, key, marks);
}

/** `InStock` is true for `in_stock` and `available`; other words are true or false only when they say so. */
function booleanFor({ value }: Leaf, key: string): boolean | undefined {
  if (typeof value !== "string") return typeof value === "boolean" ? value : undefined;
  const folded = foldName(plainType(value));
  const isStock = /stock|available|sold|discontinued/.test(folded);
  if (isStock && !stockKeys.test(key)) return undefined;
  return trueWords.has(folded) ? true : falseWords.has(folded) ? false : undefined;
}

function allowedValue(declared: Declared, allowed: readonly Json[], key: string): Json | undefined {
  const leaf = isThing(declared) ? placeholderText(declared, nameOfThing) : declared;
  if (!leaf) return undefined;
  const spelled = typeof leaf.value === "string" ? plainType(leaf.value) : leaf.value;
  const number = typeof spelled === "string" ? shownNumber(leaf, key) : spelled;
  return (
    allowed.find((value) => value === spelled || (leaf.spelled !== undefined && value === leaf.spelled)) ??
    allowed.find((value) => typeof value === "number" && value === number) ??
    allowed.find(
      (value) =>
        typeof value === "string" &&
        typeof spelled === "string" &&
        foldName(value) !== "" &&
        foldName(value) === foldName(spelled),
    ) ??
    allowed.find((value) => typeof value === "string" && typeof spelled === "string" && isSameWord(value, spelled)) ??
    allowed.find((value) => typeof value === "boolean" && value === booleanFor(leaf, key))
  );
}

/** Returns whether two texts are the same letters, however parted: `preorder` is `PreOrder`. With digits they may differ by a point. */
function isSameWord(one: string, other: string): boolean {
  const [first = "", second = ""] = [one, other].map((text) => text.replace(/[\s_-]+/g, "").toLowerCase());
  return first === second && /^\p{L}+$/u.test(first);
}

/** A member of schema.org without its address: `https://schema.org/InStock` is `InStock`. */
function plainType(text: string): string {
  return text.replace(/^https?:\/\/schema\.org\/(?=\w+$)/i, "").trim();
}
