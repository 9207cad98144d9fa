import type {
  Extraction,
  Issue,
  JsonSchema,
  ResponseFormat,
  StandardIssue,
  StandardSchema,
  Verdict,
} from "./schema.ts";
import { hasMethods } from "./schema-methods.ts";
import { isJsonObject, unusableFormat } from "./unusable-format.ts";

/** A `response_format` that is ready to be sent, and to validate data. */
export interface PreparedFormat {
  /** JSON Schema to be sent as `response_format`. */
  readonly jsonSchema: JsonSchema | undefined;
  /** Validates `structured` of a response, until the signal aborts. Never rejects. */
  judge(structured: unknown, signal?: AbortSignal): Promise<Extraction<unknown>>;
}

type Check = (value: unknown, signal?: AbortSignal) => Verdict<unknown> | Promise<Verdict<unknown>>;

/**
 * Prepares a `response_format`. Without one, as with `instructions` alone, any data are valid.
 *
 * Source: interface § Resources and their fields (StructuredData).
 *
 * @throws {Error} `unusableFormat` when it can't be converted to JSON Schema, or data can't be validated against it.
 */
export async function prepareFormat(format: ResponseFormat<unknown> | null | undefined): Promise<PreparedFormat> {
  const [jsonSchema, check] = await splitExtraction(format);
  const judge = async (structured: unknown, signal?: AbortSignal): Promise<Extraction<unknown>> => {
    const { success = true, error, data: raw } = isJsonObject(structured) ? structured : { data: undefined };
    // A response with an error beside `success: true` contradicts itself, and counts as failed.
    if (success !== true || (error !== undefined && error !== null && error !== "")) {
      return { success: false, reason: "failed", error: typeof error === "string" ? error : undefined, raw };
    }
    if (raw === undefined) return { success: false, reason: "missing", raw };
    const verdict = await awaitVerdict(check, raw, signal);
    if ("value" in verdict) return { success: true, data: verdict.value };
    return raw === null
      ? { success: false, reason: "missing", raw }
      : { success: false, reason: "mismatch", issues: verdict.issues, raw };
  };
  return { jsonSchema, judge };
}

/** Runs a check. One that throws, or returns an invalid result, rejects the data. */
async function awaitVerdict(
  check: Check,
  raw: unknown,
  signal?: AbortSignal,
): Promise<{ value: unknown } | { issues: readonly Issue[] }> {
  try {
    const verdict = await check(raw, signal);
    if (!verdict.issues && "value" in verdict) return { value: verdict.value };
    if (!Array.isArray(verdict.issues)) throw new Error("it returned neither a value nor issues");
    return { issues: Array.from(verdict.issues, createIssue) };
  } catch (thrown) {
    const why = findMessage(thrown) ?? "it threw a value that is not an Error";
    return { issues: [{ message: `the schema could not be applied: ${why}`, path: [] }] };
  }
}

/** Returns the message of an error; `undefined` for other values, and where it can't be read. */
function findMessage(thrown: unknown): string | undefined {
  try {
    return thrown instanceof Error ? thrown.message : undefined;
  } catch {
    return undefined;
  }
}

/** Copies message and path of an issue. Other fields differ between libraries, and may quote the data. */
function createIssue({ message, path = [] }: StandardIssue): Issue {
  return { message, path: Array.from(path, (step) => (typeof step === "object" ? step.key : step)) };
}

async function splitExtraction(format: unknown): Promise<[JsonSchema | undefined, Check]> {
  if (format === null || format === undefined) return [undefined, anything];
  if (Array.isArray(format)) {
    const [jsonSchema, check]: unknown[] = format;
    if (format.length !== 2 || !isPlain(jsonSchema)) throw unusableFormat(usage);
    return [sendable(jsonSchema), createCheck(check)];
  }
  const standard = findStandard(format);
  if (standard) return [toJsonSchema(standard), (value) => standard.validate(value)];
  if (!isPlain(format)) throw unusableFormat(usage);
  const { checkFrom } = await import("./json-schema.ts");
  const jsonSchema = sendable(format);
  return [jsonSchema, checkFrom(jsonSchema)];
}

/** Returns whether a value is a plain object, unlike a regular expression, a map, a date or a promise. */
function isPlain(value: unknown): value is JsonSchema {
  if (!isJsonObject(value) || !/^\[object (?:Object|Module)\]$/.test(Object.prototype.toString.call(value)))
    return false;
  // Of the object of a library, such as zod before 3.24, JSON would be anything, unless it says itself what.
  const prototype: unknown = Object.getPrototypeOf(value);
  const isOwn = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isOwn || typeof value["toJSON"] === "function";
}

function createCheck(check: unknown): Check {
  const standard = findStandard(check);
  if (standard) return (value) => standard.validate(value);
  if (typeof check !== "function") throw unusableFormat(usage);
  return async (value) => {
    // An untyped guard may be asynchronous: its promise must not count as true.
    const accepted: unknown = await check(value);
    return accepted === true ? { value } : { issues: [{ message: "the type guard returned false" }] };
  };
}

function anything(value: unknown): Verdict<unknown> {
  return value === null ? { issues: [] } : { value };
}

type Standard = StandardSchema<unknown>["~standard"] & { readonly jsonSchema?: unknown };

/** @throws {Error} `unusableFormat` when it is an invalid Standard Schema. */
function findStandard(schema: unknown): Standard | undefined {
  if (isJsonObject(schema) && hasMethods(schema)) throw unusableFormat(olderLibrary);
  if ((typeof schema !== "function" && !isJsonObject(schema)) || !("~standard" in schema)) return undefined;
  const standard = schema["~standard"];
  if (!isStandard(standard)) throw unusableFormat(usage);
  return standard;
}

function isStandard(standard: unknown): standard is Standard {
  return isJsonObject(standard) && typeof standard["validate"] === "function";
}

function toJsonSchema({ jsonSchema, vendor }: Standard): JsonSchema {
  if (!isJsonObject(jsonSchema) || typeof jsonSchema["input"] !== "function") {
    throw unusableFormat(`the schema of ${vendor} has no JSON Schema: pass [jsonSchema, schema]`);
  }
  const failures: unknown[] = [];
  // The specification requires both; a library may support only one.
  for (const target of ["draft-2020-12", "draft-07"]) {
    try {
      const converted: unknown = jsonSchema["input"]({ target });
      if (isPlain(converted)) return sendable(converted);
      void Promise.resolve(converted).catch(() => undefined); // an asynchronous one may reject
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  throw unusableFormat(
    `the schema of ${vendor} can't be converted to JSON Schema: pass [jsonSchema, schema]`,
    failures[0],
  );
}

/** Returns a copy of a schema as it is sent: data are validated against the same, and the caller's object is not modified. */
function sendable(jsonSchema: JsonSchema): JsonSchema {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(jsonSchema));
    if (isJsonObject(copy)) return copy;
  } catch (cause) {
    throw unusableFormat("the JSON Schema of response_format can't be serialized", cause);
  }
  throw unusableFormat(usage);
}

const usage = "response_format must be a schema that has a JSON Schema, a JSON Schema object, or [jsonSchema, check]";
const olderLibrary =
  "response_format has methods, but no JSON Schema that can be sent: use a library that has it (zod 4.2 or later), " +
  "or pass [jsonSchema, (value) => schema.safeParse(value).success]";
