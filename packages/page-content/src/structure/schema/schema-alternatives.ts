import type { Json, JsonRecord } from "../../in-page/declared/declared-data.ts";
import { isRecord, toList } from "../values/json.ts";
import type { StepBudget } from "./step-budget.ts";

const maxReferenceDepth = 32;
const maxAlternatives = 32;
/** Steps of one expansion: it copies a schema. */
const costOfExpansion = 10;

/** Keywords that one schema adds to another by being put together. */
const merged = ["properties", "patternProperties", "$defs", "definitions"];

/**
 * Expands a schema into schemas without references and combinations, one type each; the first is to be tried first.
 * `if`, `not` and others are left to the validation.
 *
 * @throws {StepsExhausted}
 */
export function listAlternatives(schema: Json | undefined, root: Json, budget: StepBudget): readonly JsonRecord[] {
  return expand(schema, root, budget, 0).slice(0, maxAlternatives).flatMap(byType);
}

/** Returns whether a schema allows null. */
export function allowsNull(alternatives: readonly JsonRecord[]): boolean {
  return alternatives.some(
    (schema) => schema["type"] === "null" || schema["const"] === null || toList(schema["enum"]).includes(null),
  );
}

function expand(schema: Json | undefined, root: Json, budget: StepBudget, depth: number): readonly JsonRecord[] {
  budget.spend(costOfExpansion);
  if (!isRecord(schema)) return schema === false ? [] : [{}];
  if (depth > maxReferenceDepth) return [];
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  let found: readonly JsonRecord[] = [own];
  const target = typeof $ref === "string" ? [resolvePointer($ref, root)] : [];
  for (const part of [...target, ...toList(allOf)])
    found = combine(found, expand(part, root, budget, depth + 1), budget);
  for (const choice of [toList(anyOf), toList(oneOf)]) {
    if (choice.length === 0) continue;
    const choices: JsonRecord[] = [];
    for (const each of choice.slice(0, maxAlternatives)) {
      choices.push(...expand(each, root, budget, depth + 1));
      if (choices.length >= maxAlternatives) break;
    }
    found = combine(found, choices, budget);
  }
  return found;
}

function combine(
  some: readonly JsonRecord[],
  others: readonly JsonRecord[],
  budget: StepBudget,
): readonly JsonRecord[] {
  const pairs = some.flatMap((one) => others.map((other) => [one, other] as const)).slice(0, maxAlternatives);
  return pairs.map(([one, other]) => merge(one, other, budget));
}

function merge(one: JsonRecord, other: JsonRecord, budget: StepBudget): JsonRecord {
  const both = new Map<string, Json>([...Object.entries(other), ...Object.entries(one)]);
  for (const keyword of merged) {
    const [first, second] = [one[keyword], other[keyword]];
    if (!isRecord(first) || !isRecord(second)) continue;
    budget.spend(Object.keys(first).length + Object.keys(second).length);
    const shared = Object.entries(first).map(
      ([name, schema]) =>
        [name, Object.hasOwn(second, name) ? { allOf: [schema, second[name] ?? true] } : schema] as const,
    );
    both.set(keyword, Object.fromEntries([...Object.entries(second), ...shared]));
  }
  const required = [...new Set([...toList(one["required"]), ...toList(other["required"])])];
  if (required.length > 0) both.set("required", required);
  return Object.fromEntries(both);
}

/** A local reference: `#`, or a pointer within the schema. */
function resolvePointer(reference: string, root: Json): Json {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return false;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split("/").slice(0, 64)) {
    const name = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? at[Number(name)] : isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at ?? false;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function byType(schema: JsonRecord): readonly JsonRecord[] {
  const declaredType = schema["type"];
  const types =
    typeof declaredType === "string" ? [declaredType] : toList(declaredType).filter((type) => typeof type === "string");
  const known = types.length > 0 ? types : inferTypes(schema);
  const typed =
    known.length === 0
      ? [schema]
      : known.map((type) => Object.fromEntries([...Object.entries(schema), ["type", type] as const]));
  return schema["nullable"] === true ? [...typed, { type: "null" }] : typed;
}

/** The type implied by keywords without `type`. */
function inferTypes(schema: JsonRecord): readonly string[] {
  if ("properties" in schema || "required" in schema || "additionalProperties" in schema) return ["object"];
  if ("items" in schema || "prefixItems" in schema) return ["array"];
  if ("pattern" in schema || "minLength" in schema || "maxLength" in schema || "format" in schema) return ["string"];
  return "minimum" in schema || "maximum" in schema || "multipleOf" in schema ? ["number"] : [];
}
