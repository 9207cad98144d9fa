import type { Probe } from "../http/probe.ts";
import type { Sender } from "../http/sender.ts";
import type { Target } from "../target/target.ts";
import { isOfTargetPage, notScraped } from "../checks/target-page/target-page-probes.ts";
import { missingCapability } from "./evaluation.ts";

/** Probes that a run will send, and those that it will not. */
export interface ProbePlan {
  /** The probes that will be sent, in their order. */
  readonly send: readonly Probe[];
  /** Ids of the others, each with the reason. */
  readonly unsent: ReadonlyMap<string, string>;
}

/** Decides which probes will be sent, and gives a reason for each of the others. */
export function planProbes(probes: readonly Probe[], target: Target, sender: Sender): ProbePlan {
  const unsent = new Map<string, string>();
  let runs = 0;
  const send = probes.filter((probe) => {
    const bills = probe.startsRun === true && target.kind === "live";
    const full = bills ? sender.ledger.refusalAt(runs) : undefined;
    const needless = isOfTargetPage(probe) ? notScraped(target) : undefined;
    const reason = missingCapability(probe.needs, target) ?? needless ?? sender.forbids(probe) ?? full;
    if (bills && reason === undefined) runs += 1;
    if (reason !== undefined) unsent.set(probe.id, reason);
    return reason === undefined;
  });
  return { send, unsent };
}
