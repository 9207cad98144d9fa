import { PageContentError } from "../page-content-error.ts";

/**
 * Prices of a model, in USD per million tokens, as decimal strings ("0.15"): no number of a price is ever rounded.
 */
export interface ModelPrices {
  /** Price of input that was not cached. */
  readonly input: string;
  /** Price of input that was read from the provider's cache; that of `input` where the provider has no such price. */
  readonly cachedInput: string;
  /** Price of input that was written to the provider's cache; that of `input` where the provider has no such price. */
  readonly cacheWrite: string;
  /** Price of output, reasoning included. */
  readonly output: string;
}

/** Bounds of the use of a model. */
export interface ModelLimits {
  /** Time of one task, repeated calls included, in milliseconds. Default: 60,000. */
  readonly timeMs: number;
  /** Maximum number of retries of a call after a rate limit or a server error. Default: 2. */
  readonly retries: number;
  /** Characters of a page that one task sends at most (about four make a token). Default: 120,000. */
  readonly inputCharacters: number;
  /** Token limit of one answer. Default: 8,192. */
  readonly outputTokens: number;
  /** Byte limit of one answer of the provider. Default: 8 MiB. */
  readonly answerBytes: number;
}

/** A model of any provider with an OpenAI-compatible address. */
export interface ModelSettings {
  /** Address before `/chat/completions`, such as `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** Key of the provider; absent for a server without keys. */
  readonly apiKey?: string;
  /** Name of the model, as the provider spells it. */
  readonly name: string;
  /** Prices of the model. */
  readonly prices: ModelPrices;
  /** Bounds that differ from the usual ones. */
  readonly limits?: Partial<ModelLimits>;
  /** Format in which JSON is requested: `json_object` by default; `json_schema` or `text` for servers that don't support it. */
  readonly answerFormat?: "json_object" | "json_schema" | "text";
}

const defaultLimits: ModelLimits = {
  timeMs: 60_000,
  retries: 2,
  inputCharacters: 120_000,
  outputTokens: 8_192,
  answerBytes: 8 * 2 ** 20,
};

const priceKinds = ["input", "cachedInput", "cacheWrite", "output"] as const;

/**
 * Refuses settings that no model can be used with.
 *
 * @returns The address without its last slash, and all limits.
 * @throws {PageContentError} `usage`
 */
export function checkModelSettings(settings: ModelSettings): {
  readonly baseUrl: string;
  readonly limits: ModelLimits;
} {
  if (!settings.name) throw new PageContentError("usage", "the model name is empty: give it as the provider spells it");
  checkPrices(settings);
  const limits = { ...defaultLimits, ...settings.limits };
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && (value > 0 || (name === "retries" && value === 0))) continue;
    throw new PageContentError("usage", `the model limit ${name} must be a positive integer`);
  }
  return { baseUrl: checkAddress(settings.baseUrl), limits };
}

function checkPrices({ name, prices }: ModelSettings): void {
  for (const kind of priceKinds) {
    const price: unknown = prices?.[kind];
    if (typeof price === "string" && /^\d{1,9}(\.\d{1,18})?$/.test(price)) continue;
    const advice = `give US dollars per million tokens as a decimal string such as "0.15"${kind === "cachedInput" || kind === "cacheWrite" ? ', or the price of "input" when the provider has no other' : ""}`;
    throw new PageContentError("usage", `missing price "${kind}" of the model ${name}; ${advice}`);
  }
}

function checkAddress(baseUrl: string): string {
  const address = URL.parse(baseUrl);
  if (!address || !["http:", "https:"].includes(address.protocol)) {
    throw new PageContentError(
      "usage",
      "malformed model URL: give an http or https URL such as https://api.example.com/v1",
    );
  }
  if (address.username || address.password || address.search || address.hash) {
    throw new PageContentError(
      "usage",
      "the model URL must not have a user, password, query or fragment: give the key as the API key",
    );
  }
  return address.href.replace(/\/+$/, "");
}
