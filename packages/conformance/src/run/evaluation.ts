import { applicableExchanges, type SuiteCheck, type Finding, type Judgement, listFindings } from "../checks/check.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Probe } from "../http/probe.ts";
import { redactStart, type Redact } from "../redaction/redact.ts";
import type { CheckResult, RequirementResult } from "../report/report.ts";
import type { Status } from "../report/verdict.ts";
import type { Requirement } from "../contract/requirements.ts";
import { notSelectedReason } from "./selection.ts";
import type { Target } from "../target/target.ts";

/** Evidence that the checks of a run are evaluated against. */
export interface Evidence {
  /** The implementation under test. */
  readonly target: Target;
  /** Completed exchanges, by the ids of their probes. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Ids of the probes that were not sent, or not completed, each with the reason. */
  readonly unsent: ReadonlyMap<string, string>;
  /** Those of them that were cut off when the run was interrupted. */
  readonly interrupted: ReadonlySet<string>;
  /** Those of them whose runs were displaced by requests that the target should have refused. */
  readonly displacedRuns: ReadonlySet<string>;
  /** Redacts secrets in quoted texts. */
  readonly redact: Redact;
}

/** Returns the reason for the first required capability that a target lacks. */
export function missingCapability(needs: Probe["needs"], target: Target): string | undefined {
  return needs?.map((need) => target.lacks.get(need)).find((reason) => reason !== undefined);
}

/** Evaluates a check. A finding needs only some of its requests; a pass needs all of them to be complete. */
export function evaluateCheck(check: SuiteCheck, evidence: Evidence): CheckResult {
  const { target, exchanges, unsent, interrupted, displacedRuns, redact } = evidence;
  const lacking = missingCapability(check.needs, target);
  if (lacking !== undefined) return skip(check, lacking);
  const applicable = applicableExchanges(check, exchanges.values());
  const [reason = "Its request was not sent."] = check.probes.flatMap((probe) => unsent.get(probe) ?? []);
  // What the target did to other requests kept its own from being sent: to call that conforming would be too early.
  const notSent = check.probes.some((probe) => displacedRuns.has(probe)) ? inError(check, reason) : skip(check, reason);
  if (applicable.length === 0) return notSent;
  const judgements = applicable.map((exchange) => {
    const judgement = check.judge(exchange, target, exchanges);
    const findings = judgement.findings.slice(0, perExchange);
    return {
      exchange,
      judgement: { ...judgement, findings: findings },
      leftOut: judgement.findings.length - findings.length,
    };
  });
  const allFindings = judgements.flatMap(({ exchange, judgement }) => listFindings(check, judgement, exchange));
  const clean = (text: string): string => redactStart(text, valueLimit, (part) => redact(part, check.operation));
  const findings = mostTelling(allFindings).map((finding) =>
    Object.assign({}, finding, { received: clean(finding.received) }),
  );
  const omittedCount = judgements.reduce((sum, { leftOut }) => sum + leftOut, allFindings.length - findings.length);
  const interruptedProbe = check.probes.find((probe) => interrupted.has(probe));
  if (interruptedProbe !== undefined && findings.length === 0) return skip(check, unsent.get(interruptedProbe) ?? "");
  const outcome = decideOutcome(judgements.map(({ judgement }) => judgement));
  // Other answers show nothing of what its own requests would have shown: the reason is why those were not sent.
  const wasSent = applicable.some(({ id }) => check.probes.includes(id));
  if (outcome.status === "skip" && !wasSent) return notSent;
  return {
    ...describeCheck(check),
    ...outcome,
    ...(outcome.reason === undefined ? {} : { reason: redact(outcome.reason, check.operation) }),
    findings,
    ...(omittedCount > 0 ? { findingsLeftOut: omittedCount } : {}),
    exchanges: applicable.map((exchange) => exchange.id),
  };
}

/** Longest value that a finding quotes, in UTF-16 units. */
const valueLimit = 1_000;

/** Maximum number of findings of one check for one exchange, and in total. */
const perExchange = 1_000;
const perCheck = 300;

/** Sorts findings: first one for each requirement, then one for each requirement in each exchange. */
function mostTelling(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= perCheck) return findings;
  const firsts = [
    Map.groupBy(findings, ({ requirement }) => requirement),
    Map.groupBy(findings, ({ requirement, exchange }) => `${requirement} ${exchange}`),
  ].flatMap((groups) => [...groups.values()].flatMap((group) => group.slice(0, 1)));
  const selection = new Set([...new Set([...firsts, ...findings])].slice(0, perCheck));
  return findings.filter((finding) => selection.has(finding));
}

/** Returns the result of a check that was not selected. The report does not list it; the expected failures need it. */
export function notSelected(check: SuiteCheck): CheckResult {
  return skip(check, notSelectedReason);
}

function skip(check: SuiteCheck, reason: string): CheckResult {
  return { ...describeCheck(check), status: "skip", reason, findings: [], exchanges: [] };
}

function inError(check: SuiteCheck, reason: string): CheckResult {
  return { ...skip(check, reason), status: "error" };
}

function describeCheck({
  id,
  title,
  requirements,
  level,
  operation,
}: SuiteCheck): Omit<CheckResult, "status" | "findings" | "exchanges"> {
  return { id, title, requirements, level, operation };
}

function decideOutcome(judgements: readonly Judgement[]): { status: Status; reason?: string } {
  if (judgements.some((judgement) => judgement.findings.length > 0)) return { status: "fail" };
  const error = judgements.find((judgement) => judgement.error !== undefined)?.error;
  if (error !== undefined) return { status: "error", reason: error };
  if (judgements.some((judgement) => judgement.assertions > 0)) return { status: "pass" };
  const telling = judgements.find(({ isBeside }) => isBeside !== true) ?? judgements[0];
  return { status: "skip", reason: telling?.reason ?? "There was nothing to judge." };
}

/**
 * Evaluates requirements: each has the worst status of its checks. Skipped checks do not count when another one was judged.
 *
 * @param results - Every check of the suite, the ones that were left out as well.
 */
export function evaluateRequirements(
  rows: readonly Requirement[],
  results: readonly CheckResult[],
): RequirementResult[] {
  const pairs = results.flatMap((result) => result.requirements.map((requirement) => ({ requirement, result })));
  const judging = Map.groupBy(pairs, ({ requirement }) => requirement);
  return rows.map((row) => {
    const mine = judging.get(row.id)?.map(({ result }) => result);
    return evaluateRequirement(row, mine ?? []);
  });
}

function evaluateRequirement(row: Requirement, mine: readonly CheckResult[]): RequirementResult {
  const { id, section, text, operation, level, observable, checks } = row;
  const about = { id, section, text, operation, level, observable, checks };
  const hasFailed = mine.some((result) => result.findings.some((finding) => finding.requirement === id));
  if (hasFailed) return { ...about, status: "fail" };
  const errored = mine.find((result) => result.status === "error");
  if (errored) return { ...about, status: "error", reason: errored.reason ?? "" };
  if (mine.some((result) => result.status === "pass")) return { ...about, status: "pass" };
  const other = mine.find((result) => result.status === "fail");
  if (other) return { ...about, status: "skip", reason: `Its check failed on another requirement: ${other.id}.` };
  const run = mine.find((result) => result.reason !== notSelectedReason) ?? mine[0];
  return { ...about, status: "skip", reason: run?.reason ?? row.reason ?? "It has no check." };
}
