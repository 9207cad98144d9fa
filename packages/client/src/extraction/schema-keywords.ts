import { format as formats } from "@cfworker/json-schema";
import { pausingText, writeCanonicalJson } from "./canonical-json.ts";
import { runPausing, type CheckBudget, type Pausing } from "./budget.ts";
import { isJsonObject } from "./unusable-format.ts";

/** Returns a message about an invalid value; `undefined` for a valid one, and for types that the keyword does not apply to. */
export type Assertion = (value: unknown, budget: CheckBudget) => string | undefined | Pausing<string | undefined>;

/** Creates the assertion of a keyword from its value; returns `undefined` when that is invalid. */
type Make = (value: unknown, schema: Readonly<Record<string, unknown>>, isDraft4: boolean) => Assertion | undefined;

/** Formats that are checked; the library has more, which no standard defines. */
const checked = new Set(
  (
    "date time date-time duration email hostname ipv4 ipv6 json-pointer relative-json-pointer regex uri uri-reference " +
    "uri-template uuid"
  ).split(" "),
);
const types = new Set<unknown>(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** Keywords without subschemas. */
export const assertions = new Map<string, Make>(
  Object.entries({
    type(keywordValue) {
      const allowed = new Set([keywordValue].flat());
      if (allowed.size === 0 || ![...allowed].every((type) => types.has(type))) return undefined;
      const names = [...allowed].join(" or ");
      return (value) => {
        const type = getType(value);
        if (allowed.has(type) || (allowed.has("integer") && Number.isInteger(value))) return undefined;
        return `Expected type ${names}, received ${type}.`;
      };
    },
    enum: (keywordValue) =>
      Array.isArray(keywordValue) ? oneOfValues(keywordValue, "Expected one of the values of enum.") : undefined,
    const: (keywordValue) => oneOfValues([keywordValue], "Expected the value of const."),
    minimum: bound((value, limit) => value >= limit, "at least", "exclusiveMinimum", "above"),
    maximum: bound((value, limit) => value <= limit, "at most", "exclusiveMaximum", "below"),
    exclusiveMinimum: bound((value, limit) => value > limit, "above"),
    exclusiveMaximum: bound((value, limit) => value < limit, "below"),
    multipleOf: (keywordValue) =>
      typeof keywordValue === "number" && keywordValue > 0
        ? (value, budget) => {
            budget.spend(50);
            return typeof value === "number" && !isMultiple(value, keywordValue)
              ? `Expected a multiple of ${keywordValue}.`
              : undefined;
          }
        : undefined,
    minLength: size(measureLength, (length, limit) => length >= limit, "at least", "characters"),
    maxLength: size(measureLength, (length, limit) => length <= limit, "at most", "characters"),
    minItems: size(countItems, (length, limit) => length >= limit, "at least", "items"),
    maxItems: size(countItems, (length, limit) => length <= limit, "at most", "items"),
    minProperties: size(countProperties, (length, limit) => length >= limit, "at least", "properties"),
    maxProperties: size(countProperties, (length, limit) => length <= limit, "at most", "properties"),
    required(keywordValue) {
      if (!isNames(keywordValue)) return undefined;
      return (value, budget) => (isJsonObject(value) ? missing(keywordValue, value, budget) : undefined);
    },
    dependentRequired(keywordValue) {
      if (!isJsonObject(keywordValue)) return undefined;
      const all = new Map<string, readonly string[]>();
      for (const [name, needed] of Object.entries(keywordValue)) {
        if (!isNames(needed)) return undefined;
        all.set(name, needed);
      }
      return (value, budget) => {
        if (!isJsonObject(value)) return undefined;
        for (const [name, needed] of all) {
          const wrong = Object.hasOwn(value, name) ? missing(needed, value, budget) : undefined;
          if (wrong) return wrong;
        }
        budget.spend(all.size);
        return undefined;
      };
    },
    uniqueItems(keywordValue) {
      if (typeof keywordValue !== "boolean") return undefined;
      return (value, budget) => (keywordValue && Array.isArray(value) ? findRepeated(value, budget) : undefined);
    },
    format(keywordValue) {
      if (typeof keywordValue !== "string") return undefined;
      const fits = checked.has(keywordValue) ? formats[keywordValue] : undefined;
      return (value, budget) => {
        if (!fits || typeof value !== "string") return undefined;
        budget.spend(10 * value.length);
        return fits(value) ? undefined : `Expected the format ${keywordValue}.`;
      };
    },
  } satisfies Record<string, Make>),
);

/** Returns the name of the type of a JSON value. */
function getType(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function isNames(keywordValue: unknown): keywordValue is readonly string[] {
  return Array.isArray(keywordValue) && keywordValue.every((name) => typeof name === "string");
}

function missing(names: readonly string[], value: object, budget: CheckBudget): string | undefined {
  budget.spend(names.length);
  const name = names.find((each) => !Object.hasOwn(value, each));
  return name === undefined ? undefined : `The property ${JSON.stringify(name)} is missing.`;
}

/** @param exclusive - the keyword that makes it exclusive in draft 4, with the value `true` */
function bound(
  holds: (value: number, limit: number) => boolean,
  words: string,
  exclusive?: string,
  strictly?: string,
): Make {
  return (keywordValue, schema, isDraft4) => {
    // Its assertion is that of the keyword beside it.
    if (isDraft4 && !exclusive && typeof keywordValue === "boolean") return () => undefined;
    if (typeof keywordValue !== "number" || (isDraft4 && !exclusive)) return undefined;
    const strict = isDraft4 && exclusive !== undefined && schema[exclusive] === true;
    const message = `Expected a number ${strict ? strictly : words} ${keywordValue}.`;
    return (value) =>
      typeof value !== "number" || (holds(value, keywordValue) && !(strict && value === keywordValue))
        ? undefined
        : message;
  };
}

function size(
  measure: (value: unknown, budget: CheckBudget) => number | undefined,
  holds: (length: number, limit: number) => boolean,
  words: string,
  units: string,
): Make {
  return (keywordValue) => {
    if (!Number.isInteger(keywordValue) || Number(keywordValue) < 0) return undefined;
    return (value, budget) => {
      const length = measure(value, budget);
      return length === undefined || holds(length, Number(keywordValue))
        ? undefined
        : `Expected ${words} ${String(keywordValue)} ${units}.`;
    };
  };
}

/** Returns the number of characters of a text; a surrogate pair is one. */
function measureLength(value: unknown, budget: CheckBudget): number | undefined {
  if (typeof value !== "string") return undefined;
  budget.spend(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) length++;
  return length;
}

function countItems(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function countProperties(value: unknown, budget: CheckBudget): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const { length } = Object.keys(value);
  budget.spend(length);
  return length;
}

function oneOfValues(values: readonly unknown[], message: string): Assertion {
  const allowed = new Set(values.map(writeCanonicalJson));
  const compound = values.some((value) => typeof value === "object" && value !== null);
  return (value, budget) => {
    if (typeof value !== "object" || value === null) {
      budget.spend(typeof value === "string" ? value.length : 1);
      return allowed.has(JSON.stringify(value)) ? undefined : message;
    }
    return compound ? compareItems(value, budget) : message;
  };
  function* compareItems(value: unknown, budget: CheckBudget): Pausing<string | undefined> {
    return allowed.has(yield* runPausing(pausingText(value, budget))) ? undefined : message;
  }
}

function* findRepeated(items: readonly unknown[], budget: CheckBudget): Pausing<string | undefined> {
  const distinct = new Set<string>();
  for (const item of items) {
    const text = yield* runPausing(pausingText(item, budget));
    if (distinct.has(text)) return "Expected items that differ from each other.";
    distinct.add(text);
  }
  return undefined;
}

/** Returns whether a number is a multiple of another one, of both as they are written in JSON. */
function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value)) return false;
  const [[digits, exponent], [unit, unitExponent]] = [toDecimal(value), toDecimal(of)];
  const least = Math.min(exponent, unitExponent);
  return (digits * 10n ** BigInt(exponent - least)) % (unit * 10n ** BigInt(unitExponent - least)) === 0n;
}

function toDecimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
