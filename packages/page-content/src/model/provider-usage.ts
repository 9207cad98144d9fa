import type { OpenAICompatibleProviderSettings } from "@ai-sdk/openai-compatible";

type ConvertUsage = NonNullable<OpenAICompatibleProviderSettings["convertUsage"]>;

/**
 * Reads the usage that an OpenAI-compatible provider reports. Cached tokens are a part of `prompt_tokens`, reasoning is
 * a part of `completion_tokens`. A provider whose cached tokens exceed `prompt_tokens` counts them apart: then `prompt_tokens` counts
 * those that were not cached. What was not reported stays unknown.
 */
export const convertProviderUsage: ConvertUsage = (usage) => {
  const input = count(usage?.prompt_tokens);
  const output = count(usage?.completion_tokens);
  const details = usage?.prompt_tokens_details;
  const read = count(details?.cached_tokens) ?? count(usage?.["prompt_cache_hit_tokens"]) ?? 0;
  const written =
    count(details?.["cache_write_tokens"]) ??
    count(details?.["cache_creation_tokens"]) ??
    count(usage?.["cache_creation_input_tokens"]) ??
    0;
  const reasoning = count(usage?.completion_tokens_details?.reasoning_tokens) ?? 0;
  const apart = input !== undefined && read + written > input;
  return {
    inputTokens: {
      total: apart ? input + read + written : input,
      noCache: apart ? input : input === undefined ? undefined : input - read - written,
      cacheRead: read,
      cacheWrite: written,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - reasoning),
      reasoning,
    },
  };
};

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
