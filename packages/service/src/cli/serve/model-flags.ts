import { InvalidArgumentError, type Command } from "commander";
import type { ModelPrices, ModelSettings } from "@cloud-browser/page-content";
import { ServiceError } from "../../service-error.ts";
import { isAmount } from "../../setting-ranges.ts";
import { makeEnvOption, readSecret } from "../env-option.ts";

/** Prices that a provider may have, in US dollars per million tokens. */
const priceRange = { min: 0, max: 100_000 };

/** Command-line flags of the model. */
export interface ModelFlags {
  /** Address before `/chat/completions`. */
  readonly modelUrl?: string;
  /** Name of the model. */
  readonly model?: string;
  /** Prices of the model, in US dollars per million tokens. */
  readonly modelPrices?: ModelPrices;
}

/** Adds the flags that name a model. */
export function addModelFlags(command: Command): Command {
  return command
    .addOption(
      makeEnvOption(
        "--model-url <url>",
        "OpenAI-compatible address of a model, before /chat/completions; its key: CLOUD_BROWSER_MODEL_KEY",
      ),
    )
    .addOption(makeEnvOption("--model <name>", "name of the model, as its provider spells it"))
    .addOption(
      makeEnvOption(
        "--model-prices <prices>",
        "US dollars per million tokens: input/output, or input/cached/written/output",
      ).argParser(parsePrices),
    );
}

/**
 * The model that the flags name; undefined when they name none.
 *
 * @throws {ServiceError} `usage` when only a part of it is named.
 */
export function readModelFlags({ modelUrl, model, modelPrices }: ModelFlags): ModelSettings | undefined {
  if (modelUrl === undefined && model === undefined && modelPrices === undefined) return undefined;
  if (modelUrl === undefined || model === undefined || modelPrices === undefined) {
    throw new ServiceError("usage", "a model needs --model-url, --model and --model-prices; give all three, or none");
  }
  const apiKey = readSecret("CLOUD_BROWSER_MODEL_KEY");
  return { baseUrl: modelUrl, name: model, prices: modelPrices, ...(apiKey === undefined ? {} : { apiKey }) };
}

function parsePrices(text: string): ModelPrices {
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
