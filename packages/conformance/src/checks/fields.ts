import { type Level } from "../contract/requirements.ts";
import { combine, notAbout, nothingSeen, verdict, type Check, type Finding, type Judgement } from "./check.ts";
import type { Operation } from "../contract/contract.ts";
import {
  isOfType,
  jsonType,
  problemsOf,
  resolveSchema,
  schemaAt,
  typesOf,
  type JsonType,
  type Schema,
} from "../contract/contract.ts";
import { withoutCookieValues } from "../redaction/cookie-values.ts";
import { isAnswerOf, jsonAnswer } from "../http/exchange.ts";

/**
 * Kind of assertion on one place in a JSON value.
 *
 * - `present`: it is there.
 * - `type`: it is of one of the types that the contract names.
 * - `not-null`: being there, it is not null.
 * - `valid`: being of the right type, it has the form or is one of the values that the contract names.
 */
export type Rule = "present" | "type" | "not-null" | "valid";

/** One rule on one place of a named schema, and its requirement. */
export interface FieldRule {
  /** Last part of the check's id. */
  readonly name: string;
  /** The behaviour that a pass proves, as a sentence. */
  readonly title: string;
  /** The requirement that a finding names. */
  readonly requirement: string;
  /** Other requirements that hold when this rule was seen to hold. */
  readonly also: readonly string[];
  /** The schema of the contract that the value is held against. */
  readonly schema: string;
  /** Path below it: names of properties; `*` for the items of an array. */
  readonly path: readonly string[];
  /** Kind of assertion. */
  readonly rule: Rule;
  /** `stated` decides the verdict, `assumed` only warns. */
  readonly level: Level;
  /** Treatment of null: as a value of another type, or as an absent field. */
  readonly nulls: Nulls;
}

/** `typed`: null is a value of the type null only. `absent`: null counts as a missing value. */
export type Nulls = "typed" | "absent";

/**
 * A rule as a row: its name, which ends in the rule; the path, with `/` between its steps; the requirement; what holds.
 */
export type FieldRow = readonly [
  name: `${string}-${Rule}`,
  path: string,
  requirement: string,
  title: string,
  also?: readonly string[],
];

/** The rules on one schema, from rows. */
export function fieldRules(
  schema: string,
  rows: readonly FieldRow[],
  level: Level = "stated",
  nulls: Nulls = "typed",
): FieldRule[] {
  return rows.map(([name, path, requirement, title, also = []]) => {
    const rule = rules.find((known) => name.endsWith(`-${known}`)) ?? "type";
    return { name, title, requirement, also, schema, path: path === "" ? [] : path.split("/"), rule, level, nulls };
  });
}

const rules: readonly Rule[] = ["present", "type", "not-null", "valid"];

/** One place in a value: where it is, and what stands there. */
interface Place {
  readonly pointer: string;
  readonly value: unknown;
}

/**
 * Holds a value against one rule. `where` says which part of the exchange the value is, such as `body`.
 */
export function judgeField(field: FieldRule, value: unknown, where: string): Judgement {
  const places = placesOf(value, field.path, field.rule === "present");
  const reason = `No answer carried ${field.path.length === 0 ? "it" : `/${field.path.join("/")}`}.`;
  return combine(
    places.map((place) => judgePlace(field, place, where)),
    reason,
  );
}

function judgePlace(field: FieldRule, place: Place, where: string): Judgement {
  const schema = schemaOf(field);
  const findingOf = (received: string, orNothing = ""): Omit<Finding, "exchange"> => ({
    requirement: field.requirement,
    where: place.pointer === "" ? where : `${where} ${place.pointer}`,
    expected: `${expectation(schema)}${orNothing}`,
    received,
  });
  if (field.rule === "present") return verdict(place.value !== undefined, () => findingOf("nothing"));
  if (field.rule === "not-null") return verdict(place.value !== null, () => findingOf("null", ", or nothing"));
  if (field.nulls === "absent" && place.value === null) return nothingSeen("It was null, which counts as absent.");
  const types = typesOf(schema);
  const typeHolds = types === undefined || isOfType(place.value, types);
  if (field.rule === "type") return verdict(typeHolds, () => findingOf(describe(place, field)));
  if (!typeHolds || place.value === null) return nothingSeen("No value of the right type came.");
  const holds = problemsOf(place.value, schema).length === 0;
  return verdict(holds, () => findingOf(describe(place, field)));
}

/** Cache, since a rule is held against many values. */
const schemas = new WeakMap<FieldRule, Schema>();

/** The schema of the value that a rule is about. */
function schemaOf(field: FieldRule): Schema {
  const schema = schemas.get(field) ?? schemaAt(field.schema, field.path);
  schemas.set(field, schema);
  return schema;
}

/**
 * Returns every place that a path leads to. A place whose parent is missing, or is not an object or an array, is left out:
 * another rule judges the parent. A missing last step counts only with `keepAbsent`.
 */
function placesOf(value: unknown, path: readonly string[], keepAbsent: boolean): Place[] {
  let places: Place[] = [{ pointer: "", value }];
  for (const [index, step] of path.entries()) {
    const last = index === path.length - 1;
    places = places
      .flatMap((place) => childrenOf(place, step))
      .filter((place) => place.value !== undefined || (last && keepAbsent));
  }
  return places;
}

function childrenOf(place: Place, step: string): Place[] {
  const { pointer, value } = place;
  if (step === "*") {
    return Array.isArray(value)
      ? value.map((item: unknown, index) => ({ pointer: `${pointer}/${index}`, value: item }))
      : [];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const own: unknown = Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  return [{ pointer: `${pointer}/${step}`, value: own }];
}

/** Describes in words the values that a schema of the contract allows. */
function expectation(schema: Schema): string {
  const values = [schema, ...(schema.anyOf ?? [])].flatMap((choice) => resolveSchema(choice).enum ?? []);
  const types = typesOf(schema)?.map(article) ?? ["any JSON value"];
  if (values.length > 0) return `one of ${values.join(", ")}${types.includes("null") ? " or null" : ""}`;
  const form = schema.format === "uuid" ? "in UUID form" : schema["x-form"];
  return form === undefined ? types.join(" or ") : `${types.join(" or ")}, ${form}`;
}

function article(type: JsonType): string {
  if (type === "null") return "null";
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Longest piece of a value that a finding quotes, in characters. */
const quoteLimit = 120;

/** Maximum length of a value that is searched for the part that a finding quotes, in characters. */
const lookLimit = 4_096;

/** Names of fields whose value no finding may quote. */
const secretFields: ReadonlySet<string> = new Set(["value", "viewer_url", "playlist_content"]);

function describe(place: Place, { schema, path }: FieldRule): string {
  const type = jsonType(place.value);
  if (type === "null") return "null";
  const field = place.pointer.split("/").at(-1) ?? "";
  if (secretFields.has(field)) return article(type);
  const json = JSON.stringify(place.value);
  const start = json.slice(0, lookLimit);
  const text = schema === "CookiesResponse" ? withoutCookieValues(start, path) : start;
  const quote = text.length > quoteLimit || start.length < json.length ? `${text.slice(0, quoteLimit)}…` : text;
  return `${article(type)}: ${quote}`;
}

/** Makes a check of a rule on JSON bodies answered with one status. */
export function bodyCheck(
  field: FieldRule,
  on: {
    readonly operation: Operation;
    /** Operations whose answers with this status have the same body. Default: the one that it is about. */
    readonly operations?: readonly Operation[];
    readonly word: string;
    readonly status: number;
    readonly probes: readonly string[];
  },
): Check {
  const { operations = [on.operation] } = on;
  return {
    id: `${on.word}/${field.name}`,
    title: field.title,
    requirements: [field.requirement, ...field.also],
    level: field.level,
    operation: on.operation,
    probes: on.probes,
    appliesTo: (exchange) => operations.some((operation) => isAnswerOf(operation, exchange)),
    needs: [],
    judge: (exchange) => {
      const body = jsonAnswer(exchange, on.status);
      return "reason" in body ? notAbout(body.reason) : judgeField(field, body.value, "body");
    },
  };
}
