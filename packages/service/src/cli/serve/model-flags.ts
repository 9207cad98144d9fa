import { InvalidArgumentError } from "commander";
import type { ModelPrices, ModelSettings } from "@cloud-browser/page-content";
import { ServiceError } from "../../service-error.ts";
import { isAmount } from "../../setting-ranges.ts";
import { readSecret } from "../env-option.ts";

/** Prices that a provider may have, in US dollars per million tokens. */
const priceRange = { min: 0, max: 100_000 };

/**
 * Completes the model that flags name with its key, from the environment.
 *
 * @throws {ServiceError} `usage` when only a part of it is named.
 */
export function completeModel({ baseUrl, name, prices }: Partial<ModelSettings>): ModelSettings {
  if (baseUrl === undefined || name === undefined || prices === undefined) {
    throw new ServiceError("usage", "a model needs --model-url, --model and --model-prices; give all three, or none");
  }
  const apiKey = readSecret("CLOUD_BROWSER_MODEL_KEY");
  return { baseUrl, name, prices, ...(apiKey === undefined ? {} : { apiKey }) };
}

/** Parses the prices of a model: two, or four. @throws {InvalidArgumentError} */
export function parsePrices(text: string): ModelPrices {
  const parts = text.split("/").map((part) => part.trim());
  const [input = "", second = "", third, fourth] = parts;
  if (!parts.every((part) => isAmount(part, priceRange)) || (parts.length !== 2 && parts.length !== 4)) {
    throw new InvalidArgumentError(
      `Give two prices from ${priceRange.min} to ${priceRange.max}, such as 0.25/2.00, or four, such as 0.25/0.025/0.25/2.00.`,
    );
  }
  if (third === undefined || fourth === undefined)
    return { input, cachedInput: input, cacheWrite: input, output: second };
  return { input, cachedInput: second, cacheWrite: third, output: fourth };
}
