import { setImmediate as nextTurn } from "node:timers/promises";
import type { Check, Finding, Judgement, Probe } from "./check.ts";
import { contractVersion } from "./contract.ts";
import { streamEvents, streamLines } from "./event-stream.ts";
import { bodyText, type Exchange } from "./exchange.ts";
import { observe } from "./observations.ts";
import { recordExchange } from "./record.ts";
import { createRedact, type Redact } from "./redact.ts";
import {
  countsOf,
  exitCodes,
  sentenceOf,
  verdictOf,
  type CheckResult,
  type Report,
  type RequirementResult,
  type Status,
} from "./report.ts";
import { loadRequirements, type Requirement } from "./requirements.ts";
import { SuiteError } from "./suite-error.ts";
import { checks as allChecks, probes as allProbes } from "./suite.ts";
import { suiteName, suiteVersion } from "./suite-version.ts";
import type { Target } from "./target.ts";
import { defaultLimits, exchangeWith, type Limits } from "./transport.ts";

/** What a run tells while it goes on. Source: ours. */
export interface Progress {
  /** Requests sent, the one under way among them. */
  readonly sent: number;
  /** Requests that the run will send in all. */
  readonly total: number;
  /** Id of the probe that is under way. */
  readonly probe: string;
  /** Data lines of the event stream that is being read; absent when none is. */
  readonly events?: number;
}

/** How a run is made. Source: ours. */
export interface RunOptions {
  /** Bounds of time and size. Default: `defaultLimits`, each by itself. */
  limits?: Partial<Limits>;
  /** Called before each request, and for each event of a stream. Default: nothing. */
  onProgress?: (progress: Progress) => void;
}

/**
 * Judges a target against the interface.
 *
 * Sends each probe once, one after the other, and judges all checks on what came back. Starts at most one billed
 * automation run on a live target. Writes nothing.
 *
 * Source: ours.
 *
 * @returns The report, whatever the verdict is.
 * @throws {SuiteError} `unreachable` when the first request finds no connection.
 */
export async function runConformance(target: Target, options: RunOptions = {}): Promise<Report> {
  const startedAt = new Date();
  const redact = createRedact(target.apiKey);
  const exchanges = await exchangesWith(target, options);
  const checks = allChecks.map((check) => resultOf(check, target, exchanges, redact));
  const verdict = verdictOf(checks);
  const { requirements: rows, unspecified } = loadRequirements();
  const requirements = rows.map((row) => requirementResult(row, checks));
  const made = [...exchanges.values()];
  return {
    version: 1,
    suite: { name: suiteName, version: suiteVersion, contract: contractVersion },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    verdict,
    sentence: sentenceOf(verdict, checks),
    exitCode: exitCodes[verdict],
    target: describeTarget(target, redact),
    summary: {
      checks: countsOf(checks),
      warnings: checks.filter((check) => check.status === "fail" && check.level === "assumed").length,
      requirements: countsOf(requirements),
      exchanges: made.length,
      ...runsAndCost(target, made),
    },
    checks,
    observations: observe(made, unspecified, target.kind, redact),
    requirements,
    exchanges: made.map((exchange) => recordExchange(exchange, redact)),
  };
}

async function exchangesWith(target: Target, options: RunOptions): Promise<ReadonlyMap<string, Exchange>> {
  const limits = { ...defaultLimits, ...options.limits };
  const probes = allProbes.filter((probe) => missing(probe.needs, target) === undefined);
  const exchanges = new Map<string, Exchange>();
  for (const [index, probe] of probes.entries()) {
    const progress: Progress = { sent: index + 1, total: probes.length, probe: probe.id };
    options.onProgress?.(progress);
    const exchange = await exchangeWith(target, probe, limits, (events) =>
      options.onProgress?.({ ...progress, events }),
    );
    if (index === 0 && exchange.failure?.code === "unreachable") throw unreachable(target, exchange.failure.message);
    exchanges.set(probe.id, exchange);
    await nextTurn();
  }
  return exchanges;
}

function unreachable(target: Target, message: string): SuiteError {
  return new SuiteError(
    "unreachable",
    `no connection to ${target.baseUrl} (${message}); is the server up, and the address right?`,
  );
}

/** The reason for the first capability that the target lacks. */
function missing(needs: Probe["needs"], target: Target): string | undefined {
  return needs.map((need) => target.lacks.get(need)).find((reason) => reason !== undefined);
}

function resultOf(check: Check, target: Target, exchanges: ReadonlyMap<string, Exchange>, redact: Redact): CheckResult {
  const { id, title, requirements, level, operation } = check;
  const about = { id, title, requirements, level, operation };
  const lacking = missing(check.needs, target);
  if (lacking !== undefined) return { ...about, status: "skip", reason: lacking, findings: [], exchanges: [] };
  const looked = check.probes.flatMap((probe) => exchanges.get(probe) ?? []);
  if (looked.length === 0) {
    const reason = unsent(check, target);
    return { ...about, status: "skip", reason, findings: [], exchanges: [] };
  }
  const judged = looked.map((exchange) => ({ exchange, judgement: check.judge(exchange, target) }));
  const findings = judged.flatMap(({ exchange, judgement }) =>
    judgement.findings.map((finding): Finding => {
      const received = redact(finding.received, operation);
      return { ...finding, received, exchange: exchange.id };
    }),
  );
  const outcome = outcomeOf(judged.map(({ judgement }) => judgement));
  return {
    ...about,
    ...outcome,
    ...(outcome.reason === undefined ? {} : { reason: redact(outcome.reason, operation) }),
    findings,
    exchanges: looked.map((exchange) => exchange.id),
  };
}

/** Why none of a check's probes was sent. */
function unsent(check: Check, target: Target): string {
  const needs = allProbes.filter((probe) => check.probes.includes(probe.id)).flatMap((probe) => probe.needs);
  return missing(needs, target) ?? "Its request was not sent.";
}

function outcomeOf(judgements: readonly Judgement[]): { status: Status; reason?: string } {
  if (judgements.some((judgement) => judgement.findings.length > 0)) return { status: "fail" };
  const trouble = judgements.find((judgement) => judgement.trouble !== undefined)?.trouble;
  if (trouble !== undefined) return { status: "error", reason: trouble };
  if (judgements.some((judgement) => judgement.seen > 0)) return { status: "pass" };
  return { status: "skip", reason: judgements[0]?.reason ?? "There was nothing to judge." };
}

/** A requirement is as good as the worst of its checks; those that saw nothing take no part when another one did. */
function requirementResult(row: Requirement, results: readonly CheckResult[]): RequirementResult {
  const { id, section, text, operation, level, observable, checks } = row;
  const about = { id, section, text, operation, level, observable, checks };
  const mine = results.filter((result) => result.requirements.includes(id));
  const failed = mine.some((result) => result.findings.some((finding) => finding.requirement === id));
  if (failed) return { ...about, status: "fail" };
  const troubled = mine.find((result) => result.status === "error");
  if (troubled) return { ...about, status: "error", reason: troubled.reason ?? "" };
  if (mine.some((result) => result.status === "pass")) return { ...about, status: "pass" };
  const other = mine.find((result) => result.status === "fail");
  if (other) return { ...about, status: "skip", reason: `Its check failed on another requirement: ${other.id}.` };
  return { ...about, status: "skip", reason: mine[0]?.reason ?? row.reason ?? "It has no check." };
}

function describeTarget(target: Target, redact: Redact): Report["target"] {
  const { name, kind, baseUrl, automationUrl, sessionId, endedSessionId } = target;
  const lacks = [...target.lacks].map(([capability, reason]) => ({ capability, reason }));
  const clean = (text: string): string => redact(text, "page_scrape");
  return {
    name: clean(name),
    kind,
    baseUrl: clean(baseUrl),
    automationUrl: clean(automationUrl),
    sessionId,
    endedSessionId,
    lacks,
  };
}

/** What runs cost is known only from their `done` events; the runs of a mock are none. */
function runsAndCost(
  target: Target,
  exchanges: readonly Exchange[],
): Pick<Report["summary"], "automationRuns" | "costUsd"> {
  if (target.kind === "mock") return { automationRuns: 0, costUsd: null };
  const runs = exchanges.filter(
    (exchange) => exchange.operation === "automation_start" && exchange.response?.status === 200,
  );
  const costs = runs.flatMap(({ response }) =>
    response ? streamEvents(streamLines(bodyText(response))).map((event) => event.object?.["total_cost_usd"]) : [],
  );
  const known = costs.filter((cost) => typeof cost === "number");
  return {
    automationRuns: runs.length,
    costUsd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
  };
}
