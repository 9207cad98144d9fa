import type { Schema, SchemaDraft } from "@cfworker/json-schema";
import { isJsonObject, unusableFormat } from "./unusable-format.ts";

/** Formats that are checked. The validator has more: some that no standard defines, and inherited properties of objects. */
const formats = new Set(
  (
    "date time date-time duration email hostname ipv4 ipv6 json-pointer relative-json-pointer regex uri uri-reference " +
    "uri-template uuid"
  ).split(" "),
);

const types = new Set<unknown>(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** Parts of a schema that are expensive to check. */
export interface Costs {
  /** True when the schema has `uniqueItems`. */
  readonly unique: boolean;
  /** All regular expressions, of `pattern` and of `patternProperties`. */
  readonly patterns: ReadonlySet<string>;
}

/** Returns whether the value of a keyword is valid; calls `visit` with its subschemas. */
type Shape = (value: unknown, visit: (schema: unknown, step: string) => boolean, draft: SchemaDraft) => boolean;

const one: Shape = (value, visit) => visit(value, "");
const list: Shape = (value, visit) => Array.isArray(value) && value.every((each, index) => visit(each, `/${index}`));
const map: Shape = (value, visit) => everyEntry(value, (each, name) => visit(each, `/${name}`));
const names: Shape = (value) => Array.isArray(value) && value.every((name) => typeof name === "string");
const count: Shape = (value) => Number.isInteger(value) && Number(value) >= 0;
const number: Shape = (value) => typeof value === "number";
const bound: Shape = (value, _, draft) => typeof value === (draft === "4" ? "boolean" : "number");
const pattern: Shape = (value) => typeof value === "string" && isPattern(value);

const shapes = new Map<string, Shape>(
  Object.entries({
    ...named("additionalProperties unevaluatedProperties propertyNames additionalItems unevaluatedItems", one),
    ...named("contains not if then else", one),
    ...named("prefixItems allOf anyOf oneOf", list),
    ...named("$defs definitions properties dependentSchemas", map),
    ...named("minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains", count),
    ...named("minimum maximum", number),
    ...named("exclusiveMinimum exclusiveMaximum", bound),
    ...named("$id id $anchor format", (value) => typeof value === "string"),
    pattern,
    patternProperties: (value, visit) => everyEntry(value, (each, name) => isPattern(name) && visit(each, `/${name}`)),
    items: (value, visit, draft) => (Array.isArray(value) ? list : one)(value, visit, draft),
    dependencies: (value, visit, draft) =>
      everyEntry(value, (each, name) => names(each, visit, draft) || visit(each, `/${name}`)),
    required: names,
    dependentRequired: (value, visit, draft) => everyEntry(value, (each) => names(each, visit, draft)),
    enum: (value) => Array.isArray(value),
    type: (value) => [value].flat().every((type) => types.has(type)),
    multipleOf: (value) => typeof value === "number" && value > 0,
    uniqueItems: (value) => typeof value === "boolean",
    $recursiveRef: (value, _, draft) => value === "#" && draft === "2019-09",
    $dynamicRef: () => false,
  } satisfies Record<string, Shape>),
);

/**
 * Checks what the validator assumes about keywords and references; removes formats that are not checked.
 *
 * @param lookup - all schemas, by absolute URI
 * @returns the parts that are expensive to check
 * @throws {Error} `unusableFormat`, with the location in the schema.
 */
export function checkKeywords(
  root: Schema,
  lookup: Readonly<Record<string, Schema | boolean>>,
  draft: SchemaDraft,
): Costs {
  const seen = new Set<unknown>();
  let unique = false;
  const patterns = new Set<string>();
  const visit = (schema: unknown, at: string): boolean => {
    if (typeof schema === "boolean" || seen.has(schema)) return true;
    if (!isSchema(schema)) return false;
    seen.add(schema);
    unique ||= schema.uniqueItems === true;
    const { pattern: own, patternProperties = {} } = schema;
    for (const source of [own, ...Object.keys(Object(patternProperties))]) {
      if (typeof source === "string" && isPattern(source)) patterns.add(source);
    }
    for (const [keyword, value] of Object.entries(schema)) {
      const here = `${at}/${keyword}`;
      const shape = keyword === "$ref" ? refersTo(lookup[schema["__absolute_ref__"] ?? ""]) : shapes.get(keyword);
      if (!shape || shape(value, (below, step) => visit(below, here + step), draft)) continue;
      throw unusableFormat(`the JSON Schema of response_format can't be checked at #${here}: pass a pair`);
    }
    if (schema.format !== undefined && !formats.has(schema.format)) delete schema.format;
    return true;
  };
  visit(root, "");
  return { unique, patterns };
}

function refersTo(target: Schema | boolean | undefined): Shape {
  return (_, visit) => target !== undefined && visit(target, "");
}

function named(keywords: string, shape: Shape): Record<string, Shape> {
  return Object.fromEntries(keywords.split(" ").map((keyword) => [keyword, shape]));
}

function everyEntry(value: unknown, fits: (each: unknown, name: string) => boolean): boolean {
  return isJsonObject(value) && Object.entries(value).every(([name, each]) => fits(each, name));
}

function isSchema(value: unknown): value is Schema {
  return isJsonObject(value);
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "u").unicode;
  } catch {
    return false;
  }
}
