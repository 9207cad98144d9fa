import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, jsonSchema, NoObjectGeneratedError, Output, type LanguageModel, type ModelMessage } from "ai";
import { boundedFetch } from "./bounded-fetch.ts";
import { readTokens, type TokenUsage } from "./cost.ts";
import { describeModelFailure, isProviderRefusal } from "./model-failure.ts";
import { checkModelSettings, type ModelLimits, type ModelPrices, type ModelSettings } from "./model-settings.ts";
import { convertProviderUsage } from "./provider-usage.ts";

/** Options of a question that is answered in JSON. */
export interface JsonQuestion {
  /** System prompt: constant, without text of a page. */
  readonly system: string;
  /** Messages so far, the question last. */
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  /** JSON Schema of the answer, for providers with `json_schema`. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Aborts the request. Its time limit holds over all calls of a task. */
  readonly signal: AbortSignal;
}

/** Answer of a model. */
export type JsonAnswer =
  | {
      /** The model answered. */
      readonly answered: true;
      /** Its text. */
      readonly text: string;
      /** The parsed JSON of its text; undefined if it is not JSON. */
      readonly value: unknown;
      /** Tokens of the call; undefined when the provider did not report them. */
      readonly tokens: TokenUsage | undefined;
    }
  | {
      /** The model did not answer. */
      readonly answered: false;
      /** The reason, as the end of a sentence that starts with "The model". Holds no secret. */
      readonly why: string;
      /** True when the provider refused the call with an error status: it costs nothing. */
      readonly isRefused: boolean;
    };

/** Language model of a provider. */
export interface Model {
  /** Name of the model, as the provider spells it. */
  readonly name: string;
  /** Prices in USD per million tokens. */
  readonly prices: ModelPrices;
  /** Bounds of its use. */
  readonly limits: ModelLimits;
  /** The same model for a tool loop of the SDK. Pass `telemetry: { isEnabled: false }` and a signal along. */
  readonly language: LanguageModel;
  /** Requests JSON. Never rejects: a failure is an answer. */
  askForJson(question: JsonQuestion): Promise<JsonAnswer>;
}

/**
 * Creates a model from its settings. Sends nothing.
 *
 * @throws {PageContentError} `usage`
 *
 * @example
 * ```ts from=examples/api/page-content/create-model.ts
 * import { createModel } from "@cloud-browser/page-content";
 *
 * const model = createModel({
 *   baseUrl: "https://models.example/v1",
 *   apiKey: process.env["MODEL_API_KEY"] ?? "",
 *   name: "small-model",
 *   prices: { input: "0.15", cachedInput: "0.08", cacheWrite: "0.15", output: "0.60" }, // USD per million tokens
 * });
 * console.log(model.name, model.limits.timeMs); // small-model 60000
 * ```
 */
export function createModel(settings: ModelSettings): Model {
  const { baseUrl, limits } = checkModelSettings(settings);
  const { name, apiKey, prices, answerFormat = "json_object" } = settings;
  // The SDK warns on standard error of what a provider does not support; its only switch is global.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const provider = createOpenAICompatible({
    name: "model",
    baseURL: baseUrl,
    ...(apiKey ? { apiKey } : {}),
    includeUsage: true,
    supportsStructuredOutputs: answerFormat === "json_schema",
    convertUsage: convertProviderUsage,
    fetch: boundedFetch(limits),
  });
  const language = provider.chatModel(name);
  return {
    name,
    prices: { ...prices },
    limits,
    language,
    async askForJson({ system, messages, schema, signal }) {
      try {
        const { text, usage } = await generateText({
          model: language,
          instructions: system,
          messages: messages.map((message): ModelMessage => ({ ...message })),
          maxOutputTokens: limits.outputTokens,
          maxRetries: limits.retries,
          abortSignal: signal,
          telemetry: { isEnabled: false },
          providerOptions: { model: { strictJsonSchema: false } },
          ...(answerFormat === "text"
            ? {}
            : {
                output: answerFormat === "json_schema" ? Output.object({ schema: jsonSchema(schema) }) : Output.json(),
              }),
        });
        return { answered: true, text, value: jsonIn(text), tokens: readTokens(usage) };
      } catch (error) {
        if (!NoObjectGeneratedError.isInstance(error))
          return {
            answered: false,
            why: describeModelFailure(signal.aborted ? signal.reason : error),
            isRefused: isProviderRefusal(error),
          };
        const text = error.text ?? "";
        return { answered: true, text, value: jsonIn(text), tokens: error.usage && readTokens(error.usage) };
      }
    },
  };
}

/** JSON of a text that is nothing else; models without a mode for JSON like to fence it. */
function jsonIn(text: string): unknown {
  const trimmed = text.trim();
  const fenced = trimmed.startsWith("```") && trimmed.endsWith("```") && trimmed.includes("\n");
  try {
    return JSON.parse(fenced ? trimmed.slice(trimmed.indexOf("\n"), -3) : trimmed);
  } catch {
    return undefined;
  }
}
