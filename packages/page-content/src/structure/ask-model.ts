import type { DeclaredContent, Json } from "../in-page/declared/declared-data.ts";
import { addTokens, noTokens, type TokenUsage } from "../model/cost.ts";
import type { Model } from "../model/model.ts";
import { extractionPrompt, repairPrompt } from "./extraction-prompt.ts";
import { inventedAddresses, inventedPlaceholders, withAddresses } from "./link-placeholders.ts";
import { makeFailure, makeSuccess, type StructuredData } from "./structured-data.ts";
import { validateData } from "./schema/validate-data.ts";

/** Options of an extraction by a model. */
export interface ModelExtraction {
  /** The model. */
  readonly model: Model;
  /** Data that the page declares. */
  readonly declared: DeclaredContent;
  /** The page as Markdown. */
  readonly markdown: string;
  /** Placeholder to absolute address. */
  readonly placeholders: ReadonlyMap<string, string>;
  /** JSON Schema that was found usable; undefined when there are only instructions. */
  readonly schema: object | undefined;
  /** Instructions of the caller. */
  readonly instructions: string | undefined;
  /** Aborts the extraction. */
  readonly signal: AbortSignal | undefined;
  /** Called once with the usage; undefined if the provider did not report it for every call. */
  readonly onUsage?: ((tokens: TokenUsage | undefined) => void) | undefined;
}

/** One call, and one more when the answer does not follow the schema. */
const rounds = 2;

/** Extracts data with a model, and validates it. Never throws because of the model. */
export async function askModel(extraction: ModelExtraction): Promise<StructuredData> {
  const { model, schema, signal, onUsage } = extraction;
  const { system, user } = extractionPrompt({
    ...extraction,
    hasPlaceholders: extraction.placeholders.size > 0,
    longest: model.limits.inputCharacters,
  });
  const messages: { role: "user" | "assistant"; content: string }[] = [{ role: "user", content: user }];
  const limit = AbortSignal.timeout(model.limits.timeMs);
  const question = { system, schema: envelope(schema), signal: signal ? AbortSignal.any([signal, limit]) : limit };
  let tokens: TokenUsage | undefined = noTokens;
  let problems: readonly string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const answer = await model.askForJson({ ...question, messages });
      if (!answer.answered) return makeFailure(`The model ${answer.why}.`);
      tokens = tokens && answer.tokens && addTokens(tokens, answer.tokens);
      const judged = await validateAnswer(answer.value, extraction);
      if (!Array.isArray(judged)) return judged;
      problems = judged;
      messages.push(
        { role: "assistant", content: answer.text.slice(0, model.limits.inputCharacters) || "(nothing)" },
        { role: "user", content: repairPrompt(problems) },
      );
    }
  } finally {
    onUsage?.(tokens);
  }
  return makeFailure(`The model's answer does not follow response_format, after one repair: ${problems.join("; ")}.`);
}

/** Returns the data, the failure, or the problems to repair. */
async function validateAnswer(value: unknown, extraction: ModelExtraction): Promise<StructuredData | string[]> {
  if (!isEnvelope(value)) return ['the answer is not one JSON object with the property "data"'];
  const { schema, placeholders } = extraction;
  const { data, missing } = value;
  if (data === null && typeof missing === "string") {
    return makeFailure(`The page does not contain the requested data, according to the model: ${oneLine(missing)}`);
  }
  const madeUp = inventedPlaceholders(data, placeholders);
  if (madeUp.length > 0) return madeUp.slice(0, 5).map((name) => `${name} is not a placeholder of the page`);
  const addressed = withAddresses(data, placeholders);
  const foreign = inventedAddresses(addressed, addressSources(extraction));
  if (foreign.length > 0) return foreign.slice(0, 5).map((address) => `${address.slice(0, 200)} is not on the page`);
  if (schema) {
    const verdict = await validateData(schema, { value: addressed });
    if (verdict.kind === "unusable") return makeFailure(`response_format ${verdict.why}.`);
    if (verdict.kind === "invalid") return [...verdict.problems];
  }
  return addressed === null ? ['"data" is null, and "missing" does not say why'] : makeSuccess(addressed);
}

function addressSources({
  declared,
  markdown,
  placeholders,
  schema,
  instructions = "",
}: ModelExtraction): readonly string[] {
  return [
    markdown,
    JSON.stringify(declared),
    [...placeholders.values()].join("\n"),
    JSON.stringify(schema ?? null),
    instructions,
  ];
}

function isEnvelope(value: unknown): value is { readonly data: Json; readonly missing?: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "data" in value;
}

/** The form of the answer. References of the schema start at its root, so its definitions are there. */
function envelope(schema: object | undefined): Record<string, unknown> {
  const definitions = Object.entries(schema ?? {}).filter(([name]) => name === "$defs" || name === "definitions");
  const properties = { data: schema ?? {}, missing: { type: "string" } };
  return { type: "object", properties, required: ["data"], ...Object.fromEntries(definitions) };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().slice(0, 300);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
