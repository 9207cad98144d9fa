import { isDeepStrictEqual } from "node:util";
import { isObject, asList, readNode, type ContractDocument, type Node } from "./document.ts";

/** Type of a value. Numbers are split into integers and fractions, so that sets of types can be compared. */
export type ValueType = "null" | "boolean" | "integer" | "fraction" | "string" | "array" | "object";

const allTypes: readonly ValueType[] = ["null", "boolean", "integer", "fraction", "string", "array", "object"];

/** A normalized schema: equal meanings have equal forms. */
export interface SchemaForm {
  /** Keywords, after references and `allOf` were resolved. */
  readonly keywords: Node;
  /** Types that it allows. */
  readonly types: ReadonlySet<ValueType>;
  /** Values that `enum` or `const` allows; undefined for no such limit. */
  readonly values: readonly unknown[] | undefined;
  /** Schemas of the fields. */
  readonly properties: Node;
  /** Required fields. */
  readonly required: ReadonlySet<string>;
  /** Schemas of which one has to hold; undefined when there is no such choice. `null` counts as a type, not as a choice. */
  readonly choices: readonly unknown[] | undefined;
}

/** Normalizes a schema. */
export function schemaForm(schema: unknown, document: ContractDocument): SchemaForm {
  const { keywords, nullable } = withoutNullChoice(flat(schema, document, 0), document);
  const choices = listChoices(keywords);
  const types = new Set(listTypes(keywords, choices, document));
  if (nullable) types.add("null");
  const { enum: listed, const: single } = keywords;
  const values = Object.hasOwn(keywords, "const") ? [single] : Array.isArray(listed) ? listed : undefined;
  return {
    keywords,
    types,
    values,
    properties: readNode(keywords["properties"]),
    required: new Set(asList(keywords["required"]).map(String)),
    choices,
  };
}

function listChoices(keywords: Node): readonly unknown[] | undefined {
  const choices = keywords["oneOf"] ?? keywords["anyOf"];
  return Array.isArray(choices) ? choices : undefined;
}

/** Maximum depth at which `allOf` and unions of types are resolved. */
const deepest = 20;

function flat(schema: unknown, document: ContractDocument, depth: number): Node {
  const node = document.resolve(schema);
  if (node === false) return { not: {} };
  if (!isObject(node)) return {};
  const { allOf, ...rest } = node;
  if (!Array.isArray(allOf) || depth === deepest) return node;
  return allOf.map((part) => flat(part, document, depth + 1)).reduce(merge, rest);
}

/** Merges two schemas of `allOf`. Keywords that can't be merged are kept side by side, so that no change of them is lost. */
function merge(first: Node, second: Node): Node {
  const result: Record<string, unknown> = { ...first };
  for (const [keyword, value] of Object.entries(second)) {
    const earlier = result[keyword];
    if (earlier === undefined) result[keyword] = value;
    else if (keyword === "required") result[keyword] = [...new Set([...asList(earlier), ...asList(value)])];
    else if (keyword === "properties") result[keyword] = join(readNode(earlier), readNode(value));
    else if (!isDeepStrictEqual(earlier, value) && !isAnnotation(keyword)) result[`${keyword} (of allOf)`] = value;
  }
  return result;
}

function join(first: Node, second: Node): Node {
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const pairs = names.map((name): [string, unknown] => {
    const both = [first, second].flatMap((holder) => (Object.hasOwn(holder, name) ? [holder[name]] : []));
    return [name, both.length === 1 ? both[0] : { allOf: both }];
  });
  return Object.fromEntries(pairs);
}

/** Replaces `anyOf: [X, null]` by X with one more type. */
function withoutNullChoice(keywords: Node, document: ContractDocument): { keywords: Node; nullable: boolean } {
  const name = Array.isArray(keywords["oneOf"]) ? "oneOf" : "anyOf";
  const choices = asList(keywords[name]);
  const others = choices.filter((choice) => readNode(document.resolve(choice))["type"] !== "null");
  if (others.length === choices.length) return { keywords, nullable: false };
  const { [name]: _, ...rest } = keywords;
  const [only] = others;
  if (others.length !== 1) return { keywords: { ...rest, [name]: others }, nullable: true };
  return { keywords: merge(rest, flat(only, document, 0)), nullable: true };
}

function listTypes(
  keywords: Node,
  choices: readonly unknown[] | undefined,
  document: ContractDocument,
  depth = 0,
): readonly ValueType[] {
  const { type } = keywords;
  if (typeof type === "string" || Array.isArray(type)) return [type].flat().flatMap((name) => expanded(String(name)));
  if (!choices || depth === deepest) return typesOfValues(keywords) ?? allTypes;
  return choices.flatMap((choice) => {
    const inner = flat(choice, document, depth);
    return listTypes(inner, listChoices(inner), document, depth + 1);
  });
}

/** Returns the types of the values in `enum` or `const`. */
function typesOfValues(keywords: Node): readonly ValueType[] | undefined {
  const values = Object.hasOwn(keywords, "const") ? [keywords["const"]] : keywords["enum"];
  if (!Array.isArray(values)) return undefined;
  return values.flatMap((value): ValueType[] => {
    if (value === null) return ["null"];
    if (Array.isArray(value)) return ["array"];
    return expanded(typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value);
  });
}

function expanded(type: string): ValueType[] {
  if (type === "number") return ["integer", "fraction"];
  return allTypes.filter((one) => one === type);
}

/** Renders names of types for people. */
export function typeNames(types: Iterable<ValueType>): string {
  const names = new Set<string>(types);
  if (names.has("integer") && names.has("fraction")) names.add("number").delete("integer");
  names.delete(names.has("number") ? "fraction" : "");
  return [...names].map((name) => (name === "fraction" ? "number with a fraction" : name)).join(" or ");
}

const annotations: ReadonlySet<string> = new Set([
  "title",
  "description",
  "summary",
  "examples",
  "example",
  "deprecated",
  "externalDocs",
  "xml",
  "$comment",
  "$id",
  "$anchor",
  "$schema",
  "$defs",
]);

/** Returns whether a keyword only explains, so that nothing on the wire depends on it. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith("x-");
}

/** Returns a part of a document with references resolved and annotations removed, for comparing it as a whole. */
export function readMeaning(value: unknown, document: ContractDocument, depth = 0): unknown {
  const node = depth < deepest ? document.resolve(value) : value;
  if (Array.isArray(node)) return node.map((item) => readMeaning(item, document, depth + 1));
  if (!isObject(node)) return node;
  const pairs = Object.entries(node).filter(([keyword]) => !isAnnotation(keyword));
  return Object.fromEntries(
    pairs.map(([keyword, inner]) => {
      const byName = namedSchemas.has(keyword) && isObject(inner);
      return [keyword, byName ? readMeanings(inner, document, depth) : readMeaning(inner, document, depth + 1)];
    }),
  );
}

/** Keywords whose value has names of its own: a field may be called `description`. */
const namedSchemas: ReadonlySet<string> = new Set(["properties", "patternProperties", "dependentSchemas"]);

function readMeanings(schemas: Node, document: ContractDocument, depth: number): Node {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, readMeaning(schema, document, depth + 1)]),
  );
}
