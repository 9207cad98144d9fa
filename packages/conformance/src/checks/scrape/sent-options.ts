import type { Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";

/** Options of a page scrape, by their names. */
export type SentOptions = Readonly<Record<string, unknown>>;

/** Cache, since many checks ask for the options of the same request. */
const cache = new WeakMap<Exchange["plan"], { readonly options: SentOptions | undefined }>();

/** Returns the options in the body of a request; undefined when the body is not a JSON object. */
export function readSentOptions({ plan }: Pick<Exchange, "plan">): SentOptions | undefined {
  const result = cache.get(plan) ?? { options: readOptions(plan.body ?? "") };
  cache.set(plan, result);
  return result.options;
}

function readOptions(body: string): SentOptions | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
