import { isOfType, namedSchema, resolveSchema, typesOf, type JsonType, type Schema } from "./contract.ts";

/** A value with a word for it, which becomes part of a probe's id. Source: ours. */
export interface NamedValue {
  /** Kebab-case. */
  readonly word: string;
  /** The value, as it goes into the request. */
  readonly value: unknown;
}

/** One field of a request body, with what it takes and what it does not. Source: ours. */
export interface RequestField {
  /** As on the wire. */
  readonly name: string;
  /** Values of every kind that it takes; the first two go into combinations. */
  readonly valid: readonly NamedValue[];
  /** Values of a type that it does not take, and that no lenient reading turns into one. */
  readonly wrong: readonly NamedValue[];
  /** Arrays that it does not take because of one of their elements. */
  readonly wrongItems: readonly NamedValue[];
  /** Whether it may be null. */
  readonly nullable: boolean;
}

const named = (values: Readonly<Record<string, unknown>>): NamedValue[] =>
  Object.entries(values).map(([word, value]) => ({ word, value }));

const format = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const nestedFormat = {
  $defs: { ferry: { type: "object", properties: { pier: { type: "integer" }, at: { type: ["string", "null"] } } } },
  type: "object",
  properties: { ferries: { type: "array", items: { $ref: "#/$defs/ferry" } } },
};

/**
 * Values that every correct server takes, where more is asked of a field than its type: a selector has to be one that
 * matches something on any page, a format has to be a JSON Schema.
 */
const meaningful: Readonly<Record<string, readonly NamedValue[]>> = {
  selector: named({ body: "body" }),
  ignored_tags: named({
    two: ["nav", "footer"],
    empty: [],
    custom: ["x-banner", "NAV"],
    many: Array.from({ length: 100 }, (_, at) => `x-tag-${at}`),
  }),
  response_format: named({ schema: format, nested: nestedFormat }),
  instructions: named({
    sentence: "Keep the title as it is written.",
    unicode: 'Zeile "eins"\n\t\\ – 第二行 🛳️ é',
    empty: "",
  }),
};

const validOfType: Readonly<Record<JsonType, readonly NamedValue[]>> = {
  boolean: named({ true: true, false: false }),
  string: named({ text: "conformance" }),
  integer: named({ one: 1 }),
  number: named({ half: 0.5 }),
  array: named({ empty: [] }),
  object: named({ empty: {} }),
  null: named({ null: null }),
};

/** A number for a string, one string for a list of strings, "true" for a boolean: lenient servers read those. */
const unmistakable: Readonly<Partial<Record<JsonType, readonly NamedValue[]>>> = {
  boolean: named({ object: {}, word: "neither", array: [true, false] }),
  string: named({ object: { text: "body" }, array: ["body", "main"] }),
  array: named({ object: { tag: "nav" } }),
};

function fieldOf([name, given]: readonly [string, Schema]): RequestField {
  const schema = resolveSchema(given);
  const types = typesOf(schema);
  const nullable = types === undefined || types.includes("null");
  const type = types?.find((one) => one !== "null");
  const ordinary = meaningful[name] ?? (type === undefined ? [] : validOfType[type]);
  const [first, ...others] = ordinary;
  const nulls = nullable ? validOfType.null : [];
  return {
    name,
    valid: [...(first ? [first] : []), ...nulls, ...others],
    wrong: type === undefined ? [] : (unmistakable[type] ?? []),
    wrongItems: type === "array" && schema.items ? wrongItemsOf(schema.items) : [],
    nullable,
  };
}

/** The second element is the wrong one in the last of them: a server may look at the first alone. */
function wrongItemsOf(items: Schema): NamedValue[] {
  const types = typesOf(resolveSchema(items)) ?? [];
  if (!types.includes("string")) return [];
  const wrong = named({ object: [{ tag: "nav" }], array: [["nav", "footer"]], second: ["nav", { tag: "footer" }] });
  return isOfType(null, types) ? wrong : [...wrong, { word: "null", value: ["nav", null] }];
}

/** The fields of a page scrape, from the contract. Source: interface § Resources and their fields (ScrapeRequest). */
export const scrapeFields: readonly RequestField[] = Object.entries(namedSchema("ScrapeRequest").properties ?? {}).map(
  fieldOf,
);
