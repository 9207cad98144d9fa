import type { Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";

/** Options of a page scrape, by their names. */
export type SentOptions = Readonly<Record<string, unknown>>;

/** Cache, since many checks ask for the options of the same request. */
const known = new WeakMap<Exchange["plan"], { readonly options: SentOptions | undefined }>();

/** Returns the options in the body of a request; undefined when the body is not a JSON object. */
export function sentOptions({ plan }: Pick<Exchange, "plan">): SentOptions | undefined {
  const read = known.get(plan) ?? { options: readOptions(plan.body ?? "") };
  known.set(plan, read);
  return read.options;
}

function readOptions(body: string): SentOptions | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
