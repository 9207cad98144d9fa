import { expect, test } from "vitest";
import { addTokens, computeCost, noTokens, readTokens, type TokenUsage } from "../../src/model/cost.ts";
import { createModel } from "../../src/model/model.ts";
import type { ModelPrices, ModelSettings } from "../../src/model/model-settings.ts";
import { convertProviderUsage } from "../../src/model/provider-usage.ts";

const prices: ModelPrices = { input: "3", cachedInput: "0.3", cacheWrite: "3.75", output: "15" };
const settings: ModelSettings = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "sk-very-secret", name: "m", prices };

test.each<[string, TokenUsage, ModelPrices, string]>([
  ["nothing", noTokens, prices, "0"],
  ["input and output", { ...noTokens, uncachedInput: 2_586, output: 100 }, prices, "0.009258"],
  [
    "each kind at its price",
    { uncachedInput: 1_000, cachedInput: 2_000, cacheWrite: 400, output: 7 },
    prices,
    "0.005205",
  ],
  ["a price that no binary number holds", { ...noTokens, uncachedInput: 3 }, { ...prices, input: "0.1" }, "0.0000003"],
  [
    "eighteen digits",
    { ...noTokens, output: 999_999_937 },
    { ...prices, output: "0.123456789012345678" },
    "123.456781234567970222222286",
  ],
])("the cost of %s is exact", (_, tokens, at, cost) => {
  expect(computeCost(tokens, at).toFixed()).toBe(cost);
});

test("a sum of a million small costs is exact", () => {
  let tokens = noTokens;
  for (let call = 0; call < 1_000; call += 1)
    tokens = addTokens(tokens, { uncachedInput: 1, cachedInput: 1, cacheWrite: 1, output: 1 });
  expect(computeCost(tokens, { input: "0.1", cachedInput: "0.2", cacheWrite: "0.3", output: "0.7" }).toFixed()).toBe(
    "0.0013",
  );
});

test.each([
  [
    "cached tokens as a part of the input",
    { prompt_tokens: 1_000, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 800 } },
    { uncachedInput: 200, cachedInput: 800, cacheWrite: 0, output: 50 },
  ],
  [
    "reasoning as a part of the output",
    { prompt_tokens: 10, completion_tokens: 50, completion_tokens_details: { reasoning_tokens: 40 } },
    { uncachedInput: 10, cachedInput: 0, cacheWrite: 0, output: 50 },
  ],
  [
    "writes to the cache",
    {
      prompt_tokens: 1_000,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 600 },
    },
    { uncachedInput: 100, cachedInput: 300, cacheWrite: 600, output: 5 },
  ],
  [
    "cached tokens that are counted apart",
    { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 800 } },
    { uncachedInput: 10, cachedInput: 800, cacheWrite: 0, output: 5 },
  ],
  [
    "a cache under another name",
    { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 60 },
    { uncachedInput: 40, cachedInput: 60, cacheWrite: 0, output: 5 },
  ],
  ["nothing as unknown, not as 0", undefined, undefined],
  ["half of it as unknown", { prompt_tokens: 100 }, undefined],
  ["numbers that are none as unknown", { prompt_tokens: -1, completion_tokens: 0.5 }, undefined],
])("counts %s", (_, reported, tokens) => {
  const { inputTokens, outputTokens } = convertProviderUsage(reported);
  const usage = {
    inputTokens: inputTokens.total,
    inputTokenDetails: {
      noCacheTokens: inputTokens.noCache,
      cacheReadTokens: inputTokens.cacheRead,
      cacheWriteTokens: inputTokens.cacheWrite,
    },
    outputTokens: outputTokens.total,
    outputTokenDetails: { textTokens: outputTokens.text, reasoningTokens: outputTokens.reasoning },
    totalTokens: undefined,
  };
  expect(readTokens(usage)).toEqual(tokens);
});

test.each<[string, object, RegExp]>([
  ["no price of output", { prices: { ...prices, output: undefined } }, /missing price "output" of the model m/],
  ["no price of cached input", { prices: { input: "1", output: "2" } }, /price "cachedInput".*or the price of "input"/],
  ["no prices", { prices: undefined }, /price "input"/],
  ["a price that is a number", { prices: { ...prices, input: 3 } }, /price "input"/],
  ["a negative price", { prices: { ...prices, input: "-3" } }, /price "input"/],
  ["no name", { name: "" }, /model name is empty/],
  ["an address that is none", { baseUrl: "api.example.com" }, /http or https URL/],
  [
    "an address with a password",
    { baseUrl: "https://a:sk-very-secret@api.example.com/v1" },
    /must not have a user, password/,
  ],
  ["a limit of nothing", { limits: { timeMs: 0 } }, /timeMs/],
])("refuses settings with %s", (_, change, message) => {
  const wrong = JSON.parse(JSON.stringify({ ...settings, ...change }));
  expect(() => createModel(wrong)).toThrow(
    expect.objectContaining({ code: "usage", message: expect.stringMatching(message) }),
  );
  expect(() => createModel(wrong)).not.toThrow(/sk-very-secret/);
});
