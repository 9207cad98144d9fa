import { isolatingProbes } from "../checks/scrape/combined.ts";
import { isolatingDefaultProbes } from "../checks/relations/same-answers.ts";
import type { Exchange } from "../http/exchange.ts";
import type { SendMore } from "./confirm-setup.ts";

/**
 * Isolates the cause of failed combinations: sends each value of a refused combined scrape alone, and each default alone where
 * written-out defaults changed a response. Sends nothing when no combination failed.
 */
export async function isolateValues(exchanges: ReadonlyMap<string, Exchange>, sendMore: SendMore): Promise<void> {
  const probes = [...isolatingProbes(exchanges), ...isolatingDefaultProbes(exchanges)];
  for (const probe of probes) await sendMore(probe);
}
