import { hasDecimalComma } from "../../in-page/declared/decimal-comma.ts";
import type {
  DeclaredContent,
  DeclaredPairs,
  DeclaredTable,
  Json,
  JsonRecord,
  ShownValue,
} from "../../in-page/declared/declared-data.ts";
import { isRecord } from "./json.ts";
import { foldName } from "./names.ts";

/** A scalar value. */
export interface Leaf {
  /** The value. */
  readonly value: string | number | boolean;
  /** Spelling of a number on the page, where that has more than its value: `1.10`. */
  readonly spelled?: string;
  /** Address of its only link. */
  readonly href?: string;
  /** Address of its only image. */
  readonly src?: string;
  /** Machine form of its time. */
  readonly machine?: string;
  /** Its parts, when it is a list or several lines. */
  readonly parts?: readonly Leaf[];
  /** True when it is written in a language whose decimals have a comma. */
  readonly decimalComma?: boolean;
  /** True when a point in it separates thousands, as other numbers of its column show. */
  readonly thousandsPoint?: boolean;
}

/** The text of a value, as the page spells it. */
export function textOfLeaf({ value, spelled }: Leaf): string {
  return spelled ?? String(value);
}

/** Item with properties. */
export interface Thing {
  /** Its types, such as `Product`. */
  readonly types: readonly string[];
  /** Its properties by key; none is empty. */
  readonly fields: ReadonlyMap<string, readonly Declared[]>;
  /** Its properties as the page names them. */
  readonly names: ReadonlyMap<string, string>;
}

/** Anything that a page declares. */
export type Declared = Leaf | Thing;

/** Returns whether a node is a thing, not a leaf. */
export function isThing(declared: Declared): declared is Thing {
  return "fields" in declared;
}

/** A thing of entries; entries with the same key are put together. */
export function toThing(types: readonly string[], entries: Iterable<readonly [string, readonly Declared[]]>): Thing {
  const fields = new Map<string, readonly Declared[]>();
  const names = new Map<string, string>();
  for (const [name, values] of entries) {
    const key = foldName(name);
    if (key === "" || values.length === 0) continue;
    fields.set(key, [...(fields.get(key) ?? []), ...values]);
    if (!names.has(key)) names.set(key, name);
  }
  return { types, fields, names };
}

/** A thing of an item of JSON-LD, microdata or RDFa. An entry of a list is the item that it holds. */
export function thingOfItem(item: JsonRecord): Thing {
  const type = item["@type"];
  const types = (Array.isArray(type) ? type : [type]).filter((each) => typeof each === "string");
  const entries = Object.entries(item).map(([name, value]) => [name, declaredIn(value)] as const);
  const held = types.includes("ListItem") ? declaredIn(item["item"] ?? null).find(isThing) : undefined;
  if (!held) return toThing(types, entries);
  const own = entries.filter(([name]) => !["item", "@type", "@id"].includes(name) && !held.fields.has(foldName(name)));
  return toThing(held.types, [
    ...[...held.fields].map(([key, values]) => [held.names.get(key) ?? key, values] as const),
    ...own,
  ]);
}

function declaredIn(value: Json): readonly Declared[] {
  if (value === null || value === "") return [];
  if (Array.isArray(value)) return value.flatMap(declaredIn);
  if (!isRecord(value)) return typeof value === "object" ? [] : [{ value }];
  const literal = value["@value"];
  if (literal === undefined) return [thingOfItem(value)];
  const spelled = value["@spelled"];
  if (typeof literal === "number" && typeof spelled === "string") return [{ value: literal, spelled }];
  const language = value["@language"];
  if (typeof literal !== "string" || typeof language !== "string") return declaredIn(literal);
  return literal === "" ? [] : [{ value: literal, ...inLanguage(hasDecimalComma(language)) }];
}

/**
 * Creates a leaf from the visible text of an element.
 *
 * @param decimalComma - Whether the decimals of its language have a comma.
 */
export function toLeaf({ text, parts, ...rest }: ShownValue, decimalComma: boolean): Leaf {
  return {
    value: text,
    ...rest,
    ...(parts ? { parts: parts.map((part) => toLeaf(part, decimalComma)) } : {}),
    ...inLanguage(decimalComma),
  };
}

function inLanguage(decimalComma: boolean): Pick<Leaf, "decimalComma"> {
  return decimalComma ? { decimalComma } : {};
}

/**
 * Converts the rows of a table to items. "Event name" is the name of a row when no other column is a name, and a column under a header of
 * two lines also has the name of the lower one, where no other column has it.
 */
export function toRows({ columns, lowest = columns, rows }: DeclaredTable, decimalComma: boolean): readonly Thing[] {
  const named = columns.filter((column) => ` ${foldName(column)}`.endsWith(" name"));
  const marks = columns.map((_, at) =>
    partsThousands(rows.map((row) => row[at]?.text ?? "")) ? { thousandsPoint: true } : {},
  );
  return rows.map((row) => {
    const entries = columns.map(
      (column, at) => [column, row[at] ? [{ ...toLeaf(row[at], decimalComma), ...marks[at] }] : []] as const,
    );
    const isOnly = named.length === 1 && foldName(named[0] ?? "") !== "name";
    const called = isOnly ? entries.filter(([column]) => column === named[0]) : [];
    const lower = entries.flatMap(([column, values], at) => {
      const line = lowest[at] ?? "";
      const isNew = line !== column && !columns.includes(line) && lowest.indexOf(line) === lowest.lastIndexOf(line);
      return isNew ? [[line, values] as const] : [];
    });
    return toThing([], [...entries, ...lower, ...called.map(([, values]) => ["name", values] as const)]);
  });
}

/** Returns whether the points in the numbers of a column part thousands: one of them has several, and in none it can be another. */
function partsThousands(column: readonly string[]): boolean {
  const pointed = column.filter((text) => /\d\.\d/.test(text));
  return (
    pointed.some((text) => /\d\.\d{3}\.\d{3}(?!\d)/.test(text)) &&
    pointed.every((text) => /^\D*[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?\D*$/.test(text))
  );
}

/** Labels with values as one thing. */
export function thingOfPairs({ pairs }: DeclaredPairs, decimalComma: boolean): Thing {
  return toThing(
    [],
    pairs.map(([label, value]) => [label, [toLeaf(value, decimalComma)]] as const),
  );
}

/** Creates an item from the meta elements of the page. */
export function thingOfMeta({ meta }: DeclaredContent): Thing {
  const entries = Object.entries(meta).map(([name, values]) => [name, values.map((value) => ({ value }))] as const);
  const type = meta["og:type"]?.[0];
  // On a page that is about one thing, Open Graph's title is the name of that thing.
  const named = type !== undefined && type !== "website" ? (meta["og:title"] ?? []).map((value) => ({ value })) : [];
  return toThing([], [...entries, ["name", named]]);
}

/** Creates an item from the metadata of the document. */
export function thingOfPage({ title, canonical, url, lang, headings }: DeclaredContent): Thing {
  const heading = headings.filter(({ level }) => level === 1);
  return toThing(
    [],
    [
      ["heading", heading.length === 1 ? textLeaf(heading[0]?.text) : []],
      ["page title", textLeaf(title)],
      ["canonical", textLeaf(canonical ?? url)],
      ["language", textLeaf(lang)],
    ],
  );
}

function textLeaf(value: string | undefined): readonly Leaf[] {
  return value ? [{ value }] : [];
}

/** Returns everything that a thing declares at a path of keys, such as `offer.price`. */
export function declaredAt(thing: Thing, path: string): readonly Declared[] {
  let at: readonly Declared[] = [thing];
  for (const key of path.split(".")) {
    at = at.flatMap((each) => (isThing(each) ? (each.fields.get(key) ?? []) : [])).slice(0, 2_000);
  }
  return at;
}
