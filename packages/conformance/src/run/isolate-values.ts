import { makeIsolatingProbes } from "../checks/scrape/combined.ts";
import { unlistedNameProbes } from "../checks/scrape/unknown-properties.ts";
import { isolatingTargetPageProbes } from "../checks/target-page/defaults.ts";
import { isolatingDefaultProbes } from "../checks/relations/same-answers.ts";
import type { Exchange } from "../http/exchange.ts";
import type { SendMore } from "../http/probe.ts";

/**
 * Isolates the cause of failed combinations: sends each value of a refused combined scrape alone, each unknown
 * name that an answer to many of them did not name, and each default alone where written-out defaults changed a response. Sends
 * nothing when nothing of that happened.
 */
export async function isolateValues(exchanges: ReadonlyMap<string, Exchange>, sendMore: SendMore): Promise<void> {
  const probes = [
    ...makeIsolatingProbes(exchanges),
    ...unlistedNameProbes(exchanges),
    ...isolatingDefaultProbes(exchanges),
    ...isolatingTargetPageProbes(exchanges),
  ];
  for (const probe of probes) await sendMore(probe);
}
