/*! With code of @cloud-browser/client and of @cfworker/json-schema 4.1.6 (MIT, Copyright (c) 2020 Jeremy Danyow): see THIRD-PARTY-LICENSES.txt */
import {
  dereference,
  patterns as engine,
  validate,
  type OutputUnit,
  type Schema,
  type SchemaDraft,
} from "@cfworker/json-schema";
import { checkKeywords } from "./json-schema-keywords.ts";
import { sizeOf } from "./json-size.ts";
import type { Issue, JsonSchema, Verdict } from "./schema.ts";
import { isJsonObject, unusableFormat } from "./unusable-format.ts";

const drafts: readonly (readonly [part: string, draft: SchemaDraft])[] = [
  ["draft-04", "4"],
  ["draft-06", "7"],
  ["draft-07", "7"],
  ["2019-09", "2019-09"],
];

/** For data with more values than this, only the first issues are collected: all of them could take many times the memory of the data. */
const maxValues = 10_000;
/** Maximum number of pairs of items that are compared for `uniqueItems`: about a second of work. */
const maxPairs = 1e8;

/**
 * Creates a check of data against a JSON Schema, of the draft that `$schema` names; by default of draft 2020-12.
 *
 * @param given - the schema, as JSON data
 * @throws {Error} `unusableFormat` when the schema is invalid, or has keywords that can't be checked, or not in bounded time.
 */
export async function checkFrom(given: JsonSchema): Promise<(value: unknown) => Verdict<unknown>> {
  const named = String(given["$schema"]);
  const draft = drafts.find(([part]) => named.includes(part))?.[1] ?? "2020-12";
  const schema: Schema = structuredClone(given); // the validator annotates it
  const lookup = lookupOf(schema);
  const { unique, patterns } = checkKeywords(schema, lookup, draft);
  // Regular expressions of the language can take exponential time. Loaded on demand, as few schemas have patterns.
  const linear = patterns.size > 0 ? (await import("./linear-pattern.ts")).linearPatterns(patterns) : undefined;
  /** Sets the engine of patterns, which is global to the validator, and validates synchronously. */
  const judge = (value: unknown, short?: boolean): ReturnType<typeof validate> => {
    if (linear) engine.compile = linear();
    return validate(value, schema, draft, lookup, short);
  };
  try {
    for (const trial of [null, true, 0, "", [], {}]) judge(trial);
  } catch (cause) {
    throw unusableFormat("the JSON Schema of response_format has circular references", cause);
  }
  return (value) => {
    const { values, pairs, finite } = sizeOf(value);
    if (!finite) return { issues: [{ message: "A number is too large." }] };
    if (unique && pairs > maxPairs) return { issues: [{ message: "Too many items to check uniqueItems." }] };
    const { valid, errors } = judge(value, values > maxValues);
    return valid ? { value } : { issues: issuesOf(errors, value) };
  };
}

function lookupOf(schema: Schema): Readonly<Record<string, Schema | boolean>> {
  try {
    return dereference(schema);
  } catch (cause) {
    throw unusableFormat("the JSON Schema of response_format has malformed identifiers", cause);
  }
}

/** Keywords whose errors only wrap those of their subschemas, which are listed, too. */
const passing = new Set(
  (
    "$ref $recursiveRef allOf if dependentSchemas properties patternProperties additionalProperties propertyNames " +
    "unevaluatedProperties items prefixItems additionalItems unevaluatedItems"
  ).split(" "),
);

function issuesOf(errors: readonly OutputUnit[], data: unknown): readonly Issue[] {
  const telling = errors.filter(({ keyword }) => !passing.has(keyword));
  return (telling.length > 0 ? telling : errors).map(({ keyword, error, instanceLocation }) => ({
    message: keyword === "false" ? "No value is allowed here." : error,
    path: pathOf(instanceLocation, data),
  }));
}

/** @param pointer - JSON pointer as a URI fragment, such as `#/items/0`. */
function pathOf(pointer: string, data: unknown): readonly PropertyKey[] {
  const steps = pointer.split("/").slice(1);
  let here: unknown = data;
  return steps.map((encoded) => {
    const step = decodeURIComponent(encoded).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!Array.isArray(here)) {
      here = isJsonObject(here) ? here[step] : undefined;
      return step;
    }
    here = here[Number(step)];
    return Number(step);
  });
}
