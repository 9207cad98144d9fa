import { isolatingProbes } from "../checks/scrape/combined.ts";
import { isolatingDefaultProbes } from "../checks/relations/same-answers.ts";
import type { Exchange } from "../http/exchange.ts";
import type { SendMore } from "./confirm-setup.ts";

/**
 * Sends the values of combined scrapes alone that were turned down together, and defaults one by one that together change an
 * answer, so that a finding names the one that is to blame. Sends nothing when nothing was turned down and nothing changed.
 */
export async function isolateValues(exchanges: ReadonlyMap<string, Exchange>, sendMore: SendMore): Promise<void> {
  const probes = [...isolatingProbes(exchanges), ...isolatingDefaultProbes(exchanges)];
  for (const probe of probes) await sendMore(probe);
}
