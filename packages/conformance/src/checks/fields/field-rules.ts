import { makeCheck, coverAnswers } from "../make-check.ts";
import { combine, notAbout, nothingSeen, verdict, type Check, type Judgement, type Violation } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import {
  isOfType,
  jsonType,
  listProblems,
  resolveSchema,
  schemaAt,
  findTypes,
  type JsonType,
  type Schema,
} from "../../contract/contract.ts";
import { fieldTable, type FieldRow, type Rule } from "./field-table.ts";
import { forms } from "./forms.ts";
import { removeCookieValues } from "../../redaction/cookie-values.ts";
import { isAnswerTo, jsonAnswer } from "../../http/exchange.ts";

/** A rule for one place of an answer. */
export interface FieldRule {
  /** Rule that must hold. */
  readonly holds: Rule;
  /** The schema of the contract that the value is held against. */
  readonly schema: string;
  /** Path below it: names of properties; `*` for the items of an array. */
  readonly path: readonly string[];
}

/** Makes the check of a row. */
export function makeFieldCheck(
  [id, , , requirement, title, { also = [] } = {}]: FieldRow,
  operation: Operation,
  probes: readonly string[],
  judge: Check["judge"],
): Check {
  const requirements = [requirement, ...also];
  return makeCheck(id, probes, judge, { ...coverAnswers(operation), title, requirements });
}

/** A place in a value, and the value there. */
interface Place {
  readonly pointer: string;
  readonly value: unknown;
}

/** Judges a value by one rule. `where` names the part of the exchange that holds the value, such as `body`. */
export function judgeField(field: FieldRule, value: unknown, where: string): Judgement {
  const places = listPlaces(value, field.path, field.holds === "present");
  const reason = `No answer carried ${field.path.length === 0 ? "it" : `/${field.path.join("/")}`}.`;
  return combine(
    places.map((place) => judgePlace(field, place, where)),
    reason,
  );
}

function judgePlace(field: FieldRule, { pointer, value }: Place, where: string): Judgement {
  const { holds } = field;
  const schema = findSchema(field);
  const makeFinding = (received: string, expected = describeExpectation(schema)): Violation => ({
    where: pointer === "" ? where : `${where} ${pointer}`,
    expected,
    received,
  });
  const describeValue = (): string => describe({ pointer, value }, field);
  if (holds === "present") return verdict(value !== undefined, () => makeFinding("nothing"));
  if (holds === "not-null")
    return verdict(value !== null, () => makeFinding("null", `${describeExpectation(schema)}, or nothing`));
  if (holds === "type-or-null" && value === null) return nothingSeen("It was null, which counts as absent.");
  const types = findTypes(schema);
  const typeHolds = types === undefined || isOfType(value, types);
  if (holds === "type" || holds === "type-or-null") return verdict(typeHolds, () => makeFinding(describeValue()));
  if (!typeHolds || value === null) return nothingSeen("No value of the right type came.");
  if (holds === "valid") return verdict(listProblems(value, schema).length === 0, () => makeFinding(describeValue()));
  const { expected, findFault: faultOf } = forms[holds];
  const fault = faultOf(value);
  return verdict(fault === undefined, () => makeFinding(fault ?? "", expected));
}

/** Cache, since one rule judges many values. */
const schemas = new WeakMap<FieldRule, Schema>();

/** Returns the schema of the value that a rule is about. */
function findSchema(field: FieldRule): Schema {
  const schema = schemas.get(field) ?? schemaAt(field.schema, field.path);
  schemas.set(field, schema);
  return schema;
}

/**
 * Returns every place that a path leads to. A place whose parent is missing, or is not an object or an array, is left out:
 * another rule judges the parent. A missing last step counts only with `keepAbsent`.
 */
function listPlaces(value: unknown, path: readonly string[], keepAbsent: boolean): Place[] {
  let places: Place[] = [{ pointer: "", value }];
  for (const [index, step] of path.entries()) {
    const last = index === path.length - 1;
    places = places
      .flatMap((place) => listChildren(place, step))
      .filter((place) => place.value !== undefined || (last && keepAbsent));
  }
  return places;
}

function listChildren(place: Place, step: string): Place[] {
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
function describeExpectation(schema: Schema): string {
  const values = [schema, ...(schema.anyOf ?? [])].flatMap((choice) => resolveSchema(choice).enum ?? []);
  const types = findTypes(schema)?.map(addArticle) ?? ["any JSON value"];
  if (values.length > 0) return `one of ${values.join(", ")}${types.includes("null") ? " or null" : ""}`;
  const form = schema.format === "uuid" ? "in UUID form" : schema["x-form"];
  return form === undefined ? types.join(" or ") : `${types.join(" or ")}, ${form}`;
}

function addArticle(type: JsonType): string {
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
  if (secretFields.has(field)) return addArticle(type);
  const json = JSON.stringify(place.value);
  const start = json.slice(0, lookLimit);
  const text = schema === "CookiesResponse" ? removeCookieValues(start, path) : start;
  const quote = text.length > quoteLimit || start.length < json.length ? `${text.slice(0, quoteLimit)}…` : text;
  return `${addArticle(type)}: ${quote}`;
}

/** Answers of the session-scoped operations: their operation, their status, and the schema of their body. */
const answers = {
  scrape: { operations: ["page_scrape"], status: 200, schema: "DataSpace" },
  // That of the replay is not shown.
  "validation-error": { operations: ["page_scrape", "session_cookies"], status: 422, schema: "HTTPValidationError" },
  cookies: { operations: ["session_cookies"], status: 200, schema: "CookiesResponse" },
  replay: { operations: ["session_replay"], status: 200, schema: "ReplayResponse" },
} as const satisfies Record<
  string,
  { operations: readonly [Operation, ...Operation[]]; status: number; schema: string }
>;

/**
 * Makes the checks of the rows about the JSON bodies of one answer.
 *
 * @param probes - Ids of the requests that are sent for them.
 */
export function listFieldChecks(answer: keyof typeof answers, probes: readonly string[]): Check[] {
  const { operations, status, schema } = answers[answer];
  return fieldTable[answer].map((row) => {
    const [, place, holds] = row;
    const rule: FieldRule = { holds, schema, path: place === "" ? [] : place.split("/") };
    const check = makeFieldCheck(row, operations[0], probes, (exchange) => {
      const body = jsonAnswer(exchange, status);
      return "reason" in body ? notAbout(body.reason) : judgeField(rule, body.value, "body");
    });
    const appliesTo: Check["appliesTo"] = (exchange) => operations.some((operation) => isAnswerTo(operation, exchange));
    return Object.assign(check, { appliesTo });
  });
}
