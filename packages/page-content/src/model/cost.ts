import { Decimal } from "decimal.js";
import type { LanguageModelUsage } from "ai";
import type { ModelPrices } from "./model-settings.ts";

/** Exact for any sum of tokens and prices that the settings allow. */
const Exact = Decimal.clone({ precision: 80 });
const million = new Exact(1_000_000);

/** Tokens of one or several calls, each counted once. */
export interface TokenUsage {
  /** Input that was in no cache. */
  readonly uncachedInput: number;
  /** Input that was read from the provider's cache. */
  readonly cachedInput: number;
  /** Input that was written to the provider's cache. */
  readonly cacheWrite: number;
  /** Output, reasoning included. */
  readonly output: number;
}

/** No tokens: the start of a sum. */
export const noTokens: TokenUsage = { uncachedInput: 0, cachedInput: 0, cacheWrite: 0, output: 0 };

/**
 * Counts the tokens of a call, each once.
 *
 * @returns Undefined if the provider reported no usage: the cost is unknown then, not 0.
 *
 * @example
 * ```ts from=examples/api/page-content/read-tokens.ts
 * import { readTokens } from "@cloud-browser/page-content";
 *
 * // `usage` of a result of the AI SDK
 * const inputTokenDetails = { noCacheTokens: 1_000, cacheReadTokens: 9_000, cacheWriteTokens: 0 };
 * const outputTokenDetails = { textTokens: 200, reasoningTokens: 0 };
 * const usage = { inputTokens: 10_000, outputTokens: 200, totalTokens: 10_200, inputTokenDetails, outputTokenDetails };
 * console.log(readTokens(usage)?.cachedInput); // 9000
 * ```
 */
export function readTokens(usage: LanguageModelUsage): TokenUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cachedInput = inputTokenDetails.cacheReadTokens ?? 0;
  const cacheWrite = inputTokenDetails.cacheWriteTokens ?? 0;
  const uncachedInput = inputTokenDetails.noCacheTokens ?? Math.max(0, inputTokens - cachedInput - cacheWrite);
  return { uncachedInput, cachedInput, cacheWrite, output: outputTokens };
}

/** Adds two usages. */
export function addTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    uncachedInput: one.uncachedInput + other.uncachedInput,
    cachedInput: one.cachedInput + other.cachedInput,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    output: one.output + other.output,
  };
}

/**
 * Returns the cost of tokens, in USD, to the last digit.
 *
 * @example
 * ```ts from=examples/api/page-content/compute-cost.ts
 * import { computeCost } from "@cloud-browser/page-content";
 *
 * const tokens = { uncachedInput: 1_000, cachedInput: 9_000, cacheWrite: 0, output: 200 };
 * const prices = { input: "0.15", cachedInput: "0.08", cacheWrite: "0.15", output: "0.60" };
 * console.log(computeCost(tokens, prices).toString()); // 0.00099
 * ```
 */
export function computeCost(tokens: TokenUsage, prices: ModelPrices): Decimal {
  return new Exact(tokens.uncachedInput)
    .times(prices.input)
    .plus(new Exact(tokens.cachedInput).times(prices.cachedInput))
    .plus(new Exact(tokens.cacheWrite).times(prices.cacheWrite))
    .plus(new Exact(tokens.output).times(prices.output))
    .dividedBy(million);
}
