import { isAnswerTo, type Exchange } from "../http/exchange.ts";
import type { Probe } from "../http/probe.ts";
import type { Check, SuiteCheck } from "../checks/check.ts";
import { phases, type CheckGroup } from "../checks/check-group.ts";
import { authenticationGroup } from "../checks/authentication/authentication-group.ts";
import { automationGroup } from "../checks/automation/automation-group.ts";
import { circumstancesGroup } from "../checks/circumstances/circumstances-group.ts";
import { cookiesGroup } from "../checks/cookies/cookies.ts";
import { targetPageGroup } from "../checks/target-page/target-page-checks.ts";
import { pagesGroup } from "../checks/pages/page-checks.ts";
import { relationsGroup } from "../checks/relations/relation-checks.ts";
import { replayGroup } from "../checks/replay/replay.ts";
import { scrapeGroup } from "../checks/scrape/scrape-group.ts";
import { loadRequirements } from "../contract/requirements.ts";
import { defaults } from "../configuration/settings.ts";

/** Checks and probes of each folder, in the order of the report. */
const groups: readonly CheckGroup[] = [
  scrapeGroup,
  cookiesGroup,
  replayGroup,
  authenticationGroup,
  automationGroup,
  circumstancesGroup,
  targetPageGroup,
  pagesGroup,
  relationsGroup,
];

/** Probes by seed: a process may make several runs. */
const cache = new Map<number, readonly Probe[]>();

/** Returns every probe of the suite in order of sending: by phase, then by group. The same seed gives the same requests. */
export function listProbes(seed: number): readonly Probe[] {
  const cached = cache.get(seed);
  if (cached) return cached;
  const parts = groups.map(({ probes }) => probes(seed));
  const all = phases.flatMap((phase) => parts.flatMap((part) => part[phase] ?? []));
  cache.set(seed, all);
  return all;
}

const plannedIds: ReadonlySet<string> = new Set(listProbes(defaults.seed).map(({ id }) => id));

/** Returns whether a request is valid and was generated during the run. */
function isUnplanned({ id, expects }: Exchange): boolean {
  return expects === "success" && !plannedIds.has(id);
}

const requirements = new Map(loadRequirements().requirements.map((row) => [row.id, row]));

/**
 * Completes a check by its first requirement.
 *
 * @throws {Error} when there is no such requirement, or when neither says which operation the check is about.
 */
function completeCheck(check: Check): SuiteCheck {
  const { level, operation = "none" } = requirements.get(check.requirements[0] ?? "") ?? {};
  const about = check.operation ?? operation;
  if (level === undefined || about === "none") throw new Error(`${check.id} has no requirement or no operation`);
  return { needs: [], ...check, level, operation: about };
}

/** Extends a check with `coversUnplanned` to the valid requests generated during the run. */
function coverUnplanned(check: SuiteCheck): SuiteCheck {
  if (check.coversUnplanned !== true) return check;
  return { ...check, appliesTo: (exchange) => isUnplanned(exchange) && isAnswerTo(check.operation, exchange) };
}

/** Every check of the suite, in the order of the report. The status of every valid request is judged. */
export const checks: readonly SuiteCheck[] = groups
  .flatMap((group) => group.checks)
  .map((check) => groups.reduce((result, { extend }) => extend?.(result) ?? result, check))
  .map(completeCheck)
  .map(coverUnplanned);
