import type { Probe } from "../http/probe.ts";
import type { Sender } from "../http/sender.ts";
import { SuiteError } from "../http/suite-error.ts";
import type { Target } from "../target/target.ts";
import { isGiven, notScraped } from "../checks/given-page/given-probes.ts";
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
    const bills = probe.startsRun && target.kind === "live";
    const full = bills ? sender.ledger.refusalAt(runs) : undefined;
    const needless = isGiven(probe) ? notScraped(target) : undefined;
    const reason = missingCapability(probe.needs, target) ?? needless ?? sender.forbids(probe) ?? full;
    if (bills && reason === undefined) runs += 1;
    if (reason !== undefined) unsent.set(probe.id, reason);
    return reason === undefined;
  });
  return { send, unsent };
}

/** Returns the error of a run with more requests than allowed. */
export function tooMany(total: number, most: number): SuiteError {
  const advice = "allow more with --max-requests, or select less with --only and --skip";
  return new SuiteError("usage", `the run would send ${total} requests, and at most ${most} are allowed; ${advice}`);
}
