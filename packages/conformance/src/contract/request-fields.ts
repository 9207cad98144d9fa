import {
  namedSchema,
  resolveSchema,
  findTypes,
  type JsonType,
  type Schema,
  isOfType,
  listProblems,
} from "./contract.ts";
import {
  nameValues,
  schemaClasses,
  selectorClasses,
  tagClasses,
  textClasses,
  type NamedValue,
} from "./value-classes.ts";

/** A field of a request body, with valid and invalid values. */
export interface RequestField {
  /** Name on the wire. */
  readonly name: string;
  /** Type that it takes beside null; undefined when it takes every one. */
  readonly type: JsonType | undefined;
  /** Valid values of every type, each of which is sent alone. */
  readonly valid: readonly NamedValue[];
  /** Further valid values of every kind, which are sent in combinations. */
  readonly kinds: readonly NamedValue[];
  /** Values that a lenient server converts to the type, and a strict one rejects. */
  readonly open: readonly NamedValue[];
  /** Default that the document names; null where it names none. */
  readonly default: unknown;
  /** Values of a wrong type that even a lenient server can't convert. */
  readonly wrong: readonly NamedValue[];
  /** Arrays that are invalid because of one of their elements. */
  readonly wrongItems: readonly NamedValue[];
  /** True when it may be null. */
  readonly nullable: boolean;
}

const format = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const nestedFormat = {
  $defs: { ferry: { type: "object", properties: { pier: { type: "integer" }, at: { type: ["string", "null"] } } } },
  type: "object",
  properties: { ferries: { type: "array", items: { $ref: "#/$defs/ferry" } } },
};

/** Valid values of fields that need more than a type: a selector has to match on any page, a format has to be a JSON Schema. */
const meaningful: Readonly<Record<string, readonly NamedValue[]>> = {
  selector: nameValues({ body: "body" }),
  ignored_tags: nameValues({
    two: ["nav", "footer"],
    empty: [],
    custom: ["x-banner", "NAV"],
    many: Array.from({ length: 100 }, (_, at) => `x-tag-${at}`),
  }),
  response_format: nameValues({ schema: format, nested: nestedFormat }),
  instructions: nameValues({
    sentence: "Keep the title as it is written.",
    unicode: 'Zeile "eins"\n\t\\ – 第二行 🛳️ é',
    empty: "",
  }),
};

const validOfType: Readonly<Record<JsonType, readonly NamedValue[]>> = {
  boolean: nameValues({ true: true, false: false }),
  string: nameValues({ text: "conformance" }),
  integer: nameValues({ one: 1 }),
  number: nameValues({ half: 0.5 }),
  array: nameValues({ empty: [] }),
  object: nameValues({ empty: {} }),
  null: nameValues({ null: null }),
};

/** Kinds of values, where more is known of a field than its type. */
const kindsOfField: Readonly<Record<string, readonly NamedValue[]>> = {
  selector: selectorClasses,
  ignored_tags: tagClasses,
  response_format: schemaClasses,
};

function makeField([name, declaration]: readonly [string, Schema]): RequestField {
  const schema = resolveSchema(declaration);
  const types = findTypes(schema);
  const nullable = types === undefined || types.includes("null");
  const type = types?.find((one) => one !== "null");
  const ordinary = meaningful[name] ?? (type === undefined ? [] : validOfType[type]);
  const [first, ...others] = ordinary;
  const nulls = nullable ? validOfType.null : [];
  return {
    name,
    type,
    valid: [...(first ? [first] : []), ...nulls, ...others],
    kinds: kindsOfField[name] ?? (type === "string" ? textClasses : []),
    wrong: valuesOfOtherTypes(schema, "refused"),
    wrongItems: type === "array" ? listWrongLists(schema) : [],
    open: valuesOfOtherTypes(schema, "open"),
    nullable,
    default: schema.default ?? null,
  };
}

/** Verdict of the interface on a value: valid, invalid, or open because it depends on how leniently scalars are converted. */
export type ValueVerdict = "taken" | "refused" | "open";

/**
 * Returns whether a schema takes a value, refuses it, or leaves that open.
 *
 * Servers convert scalars: the words and the whole numbers that stand for booleans, numbers and booleans in place of a text, one
 * value in place of a list of it, and a list of one value in its place. The interface says nothing about that, so all of it is open.
 * A list of several, an object, null, a fraction or another word in place of a boolean: no reading makes those right.
 */
export function judgeValue(value: unknown, schema: Schema): ValueVerdict {
  if (listProblems(value, schema).length === 0) return "taken";
  return formatReadings(value, findTypes(schema) ?? []).some((reading) => listProblems(reading, schema).length === 0)
    ? "open"
    : "refused";
}

const booleanWords = /^\s*(true|false|t|f|yes|no|y|n|on|off|[01]|)\s*$/i;

/** Returns the values that a lenient server may convert a value to. */
function formatReadings(value: unknown, types: readonly JsonType[]): unknown[] {
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const alone = items.length === 1 && !types.includes("array") ? [items[0], ...formatReadings(items[0], types)] : [];
    return [...alone, items.map((item) => (isNumberOrBoolean(item) ? JSON.stringify(item) : item))];
  }
  if (typeof value === "object") return [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const isWord = typeof value === "string" ? booleanWords.test(value) : Number.isInteger(value);
  return [...(isWord ? [true] : []), text, [text]];
}

const isNumberOrBoolean = (value: unknown): boolean => typeof value === "number" || typeof value === "boolean";

/** Returns values of every JSON type, of each the kinds that a server may distinguish. Null is missing: another rule is about it. */
const universe = (types: readonly JsonType[]): NamedValue[] =>
  nameValues({
    object: {},
    "filled-object": { value: true },
    ...(types.includes("array") ? { "array-like": { 0: "nav", length: 1 } } : {}),
    word: "neither",
    array: types.includes("boolean") ? [true, false] : ["body", "main"],
    "empty-array": [],
    ...(types.includes("string") ? { "array-in-array": [["body", "main"], []] } : {}),
    fraction: 0.5,
    number: 7,
    boolean: true,
    "word-true": "TRUE",
    "empty-word": "",
    "array-of-one": types.includes("boolean") ? [true] : ["body"],
  });

/** Returns values of other types than the schema's, with the given verdict. */
function valuesOfOtherTypes(schema: Schema, outcome: ValueVerdict): NamedValue[] {
  const types = findTypes(schema);
  if (types === undefined) return [];
  return universe(types).filter(({ value }) => !isOfType(value, types) && judgeValue(value, schema) === outcome);
}

/** Elements that are invalid in a list of strings, even when numbers and booleans are converted. */
const wrongElements: readonly NamedValue[] = nameValues({
  object: { tag: "footer" },
  array: ["nav", "footer"],
  null: null,
});

/** Places in a list, as the number of valid elements before and after. */
const places = [
  { word: "", before: 0, behind: 0 },
  { word: "first", before: 0, behind: 2 },
  { word: "amid", before: 1, behind: 1 },
  { word: "second", before: 1, behind: 0 },
  { word: "late", before: 120, behind: 1 },
] as const;

const rightElement = (at: number): string => (at === 0 ? "nav" : `x-tag-${at}`);

/** Returns lists with one invalid element, of each kind and at each place: a server may check only some places. */
function listWrongLists(schema: Schema): NamedValue[] {
  const lists = places.flatMap(({ word: place, before, behind }) =>
    wrongElements.map(({ word, value }): NamedValue => {
      const right = Array.from({ length: before + behind }, (_, at) => rightElement(at));
      return {
        word: place === "" ? word : `${word}-${place}`,
        value: [...right.slice(0, before), value, ...right.slice(before)],
      };
    }),
  );
  return lists.filter(({ value }) => judgeValue(value, schema) === "refused");
}

/** The fields of a page scrape, from the contract. Source: interface § Resources and their fields (ScrapeRequest). */
export const scrapeFields: readonly RequestField[] = Object.entries(namedSchema("ScrapeRequest").properties ?? {}).map(
  makeField,
);
