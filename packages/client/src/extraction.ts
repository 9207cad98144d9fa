import { ClientError, isRecord } from "./client-error.ts";
import type { ScrapedData } from "./scrape.ts";
import type { Extraction, JsonSchema, ResponseFormat, StandardSchema, Verdict } from "./schema.ts";

/**
 * The data of an extraction alone.
 *
 * @throws {ClientError} `extraction` when there are none.
 */
export function dataOf<Data>({ structured: extraction }: ScrapedData<Data>, response: Response): Data {
  if (extraction.success) return extraction.data;
  const message = `the page gave no data: ${extraction.reason}`;
  throw new ClientError("extraction", message, { operation: "page_scrape", response, extraction });
}

/** A structure that data must follow, ready to be sent and to be judged by. */
export interface PreparedFormat {
  /** What is sent as `response_format`. */
  readonly jsonSchema: JsonSchema | undefined;
  /** Judges `structured` of an answer. Never rejects. */
  judge(structured: unknown): Promise<Extraction<unknown>>;
}

type Check = (value: unknown) => Verdict<unknown> | Promise<Verdict<unknown>>;

/**
 * Prepares a structure. Without one, as with `instructions` alone, any data fit.
 *
 * Source: interface § Resources and their fields (StructuredData).
 *
 * @throws {ClientError} `misuse` when no JSON Schema comes of it.
 */
export async function prepareFormat(format: ResponseFormat<unknown> | null | undefined): Promise<PreparedFormat> {
  const [jsonSchema, check] = await partsOf(format);
  const judge = async (structured: unknown): Promise<Extraction<unknown>> => {
    const { success = true, error, data: raw } = isRecord(structured) ? structured : { data: undefined };
    if (success !== true)
      return { success: false, reason: "failed", error: typeof error === "string" ? error : undefined, raw };
    if (raw === undefined) return { success: false, reason: "missing", raw };
    let verdict: Verdict<unknown>;
    try {
      verdict = await check(raw);
    } catch (thrown) {
      verdict = { issues: [{ message: `the schema could not be applied: ${String(thrown)}` }] };
    }
    if (!verdict.issues) return { success: true, data: verdict.value };
    return raw === null
      ? { success: false, reason: "missing", raw }
      : { success: false, reason: "mismatch", issues: verdict.issues, raw };
  };
  return { jsonSchema, judge };
}

async function partsOf(format: unknown): Promise<[JsonSchema | undefined, Check]> {
  if (format === null || format === undefined) return [undefined, anything];
  if (Array.isArray(format)) {
    const [jsonSchema, check]: unknown[] = format;
    if (format.length !== 2 || !isRecord(jsonSchema)) throw misuse();
    if (isStandard(check)) return [jsonSchema, check["~standard"].validate];
    if (typeof check !== "function") throw misuse();
    return [jsonSchema, (value) => (check(value) ? { value } : { issues: [{ message: "the guard refuses it" }] })];
  }
  if (isStandard(format)) return [jsonSchemaOf(format), format["~standard"].validate];
  if (!isRecord(format)) throw misuse();
  const { checkFrom } = await import("./json-schema.ts");
  return [format, checkFrom(format)];
}

function anything(value: unknown): Verdict<unknown> {
  return value === null ? { issues: [] } : { value };
}

function isStandard(value: unknown): value is StandardSchema<unknown> {
  return (typeof value === "function" || isRecord(value)) && "~standard" in value;
}

function jsonSchemaOf(schema: StandardSchema<unknown> & { "~standard": { jsonSchema?: unknown } }): JsonSchema {
  const { jsonSchema } = schema["~standard"];
  if (!isRecord(jsonSchema) || typeof jsonSchema["input"] !== "function") throw misuse();
  let given: unknown;
  try {
    given = jsonSchema["input"]({ target: "draft-2020-12" });
  } catch (cause) {
    throw new ClientError("misuse", "the schema can't be given as JSON Schema: pass [jsonSchema, schema]", { cause });
  }
  if (!isRecord(given)) throw misuse();
  return given;
}

function misuse(): ClientError {
  return new ClientError(
    "misuse",
    "response_format must be a schema that gives JSON Schema, a JSON Schema object, or [jsonSchema, schema]",
  );
}
