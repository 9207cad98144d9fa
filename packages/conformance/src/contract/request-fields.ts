import { namedSchema, resolveSchema, findTypes, type JsonType, type Schema } from "./contract.ts";
import {
  nameValues,
  schemaClasses,
  selectorClasses,
  tagClasses,
  textClasses,
  type NamedValue,
} from "./value-classes.ts";
import { valuesOfOtherTypes, listWrongLists } from "./wrong-values.ts";

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

function makeField([name, given]: readonly [string, Schema]): RequestField {
  const schema = resolveSchema(given);
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

/** The fields of a page scrape, from the contract. Source: interface § Resources and their fields (ScrapeRequest). */
export const scrapeFields: readonly RequestField[] = Object.entries(namedSchema("ScrapeRequest").properties ?? {}).map(
  makeField,
);
