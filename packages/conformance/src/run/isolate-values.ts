import { isolatingProbes } from "../checks/scrape/combined.ts";
import type { Exchange } from "../http/exchange.ts";
import type { SendMore } from "./confirm-setup.ts";

/**
 * Sends the values of combined scrapes alone that were turned down together, so that a finding names the one that is to blame.
 * Sends nothing when all combinations succeeded, and no more than what tells the values apart: not one that was sent already.
 */
export async function isolateValues(exchanges: ReadonlyMap<string, Exchange>, sendMore: SendMore): Promise<void> {
  for (const probe of isolatingProbes(exchanges)) await sendMore(probe);
}
