import { contractVersion } from "../contract/contract.ts";
import { applyExpectedFailures } from "../baseline/expected-failures.ts";
import { collect, type Collected } from "./collect.ts";
import { evaluateCheck, evaluateRequirements, notSelected } from "./evaluation.ts";
import { observe } from "../observations/observe.ts";
import { recordExchange } from "../report/recorded-exchange.ts";
import { completeWords } from "../http/own-words.ts";
import { createRedact, type Redact } from "../redaction/redact.ts";
import type { CheckResult, Report } from "../report/report.ts";
import { countStatuses, exitCodes, writeSentence, decideVerdict } from "../report/verdict.ts";
import { loadRequirements } from "../contract/requirements.ts";
import { readingResults } from "./reading-results.ts";
import type { RunOptions } from "./run-options.ts";
import { secretsSeenIn } from "../redaction/seen-secrets.ts";
import { suiteName, suiteVersion } from "../contract/suite-version.ts";
import type { OpenedSession } from "../target/opened-pages.ts";
import type { Target } from "../target/target.ts";
import type { Transmit } from "../http/transport.ts";

/**
 * Judges a target against the interface.
 *
 * Sends each probe that the selected checks need and the profile allows, and evaluates the checks on the responses. Starts
 * no billed automation run unless the profile is `full`. Opens sessions when the target says how and a selected check needs
 * them, and ends them. Writes nothing.
 *
 * @param transmit - How requests go to the target, for tests that need no socket. Default: over HTTP.
 * @returns The report, whatever the verdict is; also when the run was interrupted.
 * @throws {SuiteError} `usage` when an option is wrong, or nothing is selected; `unreachable` when the first request finds no connection; `session-failed` when a session can't be opened.
 *
 * @example
 * ```ts from=examples/api/conformance/run-conformance.ts
 * import { prismTarget, runConformance } from "@cloud-browser/conformance";
 *
 * await using mock = await prismTarget();
 * const report = await runConformance(mock.target, { only: ["cookies/*"] });
 * console.log(report.verdict); // conforming
 * console.log(report.checks.filter(({ status }) => status === "fail").length); // 0
 * ```
 */
export async function runConformance(subject: Target, options: RunOptions = {}, transmit?: Transmit): Promise<Report> {
  const startedAt = new Date();
  const collection = await collect(subject, options, transmit);
  const { target, secrets, allExchanges, checks, suite } = collection;
  const own = createRedact(target.apiKey, { ofSetup: secrets });
  const targetSecrets = secretsSeenIn(allExchanges, listKnownWords(target));
  const redact = createRedact(target.apiKey, { ofSetup: secrets, ofTarget: targetSecrets });
  const evidence = { ...collection, redact };
  const results = suite.map((check) => (checks.includes(check) ? evaluateCheck(check, evidence) : notSelected(check)));
  return makeReport({ ...collection, results, startedAt, redact, own, options });
}

/** Everything that a report is built from. */
interface Findings extends Collected {
  readonly results: readonly CheckResult[];
  readonly startedAt: Date;
  readonly redact: Redact;
  /** Redaction that does not know the secrets sent by the target. */
  readonly own: Redact;
  readonly options: RunOptions;
}

function makeReport(findings: Findings): Report {
  const { target, configuration, sender, startedAt, redact, own, options } = findings;
  const today = startedAt.toISOString().slice(0, 10);
  const applied = applyExpectedFailures(findings.results, options.expectedFailures ?? [], today);
  const selection = new Set(findings.checks.map(({ id }) => id));
  const checks = applied.checks.filter(({ id }) => selection.has(id));
  const { requirements: rows, unspecified } = loadRequirements();
  const requirements = evaluateRequirements(rows, applied.checks);
  const interrupted = findings.interrupted.size > 0;
  const state = { interrupted, problems: applied.problems, leftOut: findings.leftOut };
  const verdict = decideVerdict(checks, state);
  const allExchanges = findings.allExchanges.toSorted(
    (one, other) => one.startedAt.getTime() - other.startedAt.getTime(),
  );
  const completeExchanges = allExchanges.filter(({ id }) => !findings.interrupted.has(id));
  const { maxRuns, maxCostUsd, profile, seed, settings, docsUrl } = configuration;
  return {
    version: 1,
    suite: { name: suiteName, version: suiteVersion, contract: contractVersion },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    verdict,
    sentence: writeSentence(verdict, checks, state),
    exitCode: exitCodes[verdict],
    target: describeTarget(target, findings.opened, own),
    run: {
      profile,
      seed,
      settings: settings.map(({ name, value, source }) => ({ name, value: own(value, "page_scrape"), source })),
      ...(docsUrl === undefined ? {} : { docsUrl: own(docsUrl, "page_scrape") }),
      interrupted,
      budget: { maxRuns, maxCostUsd: maxCostUsd ?? null },
      requests: findings.planned,
      ...(findings.leftOut === 0 ? {} : { requestsLeftOut: findings.leftOut }),
      checks: { selected: checks.length, all: findings.results.length },
      retries: sender.retries.map(({ exchange, reason }) => ({ exchange, reason: redact(reason, "page_scrape") })),
    },
    expectationProblems: applied.problems,
    summary: {
      checks: countStatuses(checks),
      warnings: checks.filter((check) => check.status === "fail" && check.level === "assumed").length,
      requirements: countStatuses(requirements),
      exchanges: allExchanges.length,
      automationRuns: sender.ledger.runs,
      costUsd: sender.ledger.costUsd,
    },
    checks,
    readings: readingResults(findings.readings, checks, state),
    observations: observe(completeExchanges, unspecified, target.kind, redact),
    requirements,
    exchanges: allExchanges.map((exchange) => recordExchange(exchange, redact, own)),
  };
}

/** Returns texts of the setup that are not secrets, even if a target sends them as such. */
function listKnownWords(target: Target): string[] {
  const { baseUrl, automationUrl, sessionId, endedSessionId } = target;
  const { automationWord, serviceWord } = completeWords(target);
  return [baseUrl, automationUrl, sessionId, endedSessionId, automationWord, serviceWord];
}

function describeTarget(target: Target, opened: readonly OpenedSession[], redact: Redact): Report["target"] {
  const { name, kind, baseUrl, automationUrl, sessionId, endedSessionId } = target;
  const lacks = [...target.lacks].map(([capability, reason]) => ({ capability, reason }));
  const clean = (text: string): string => redact(text, "page_scrape");
  return {
    name: clean(name),
    kind,
    baseUrl: clean(baseUrl),
    automationUrl: clean(automationUrl),
    ...completeWords(target),
    sessionId,
    endedSessionId,
    lacks,
    ...(opened.length === 0 ? {} : { openedSessions: opened }),
  };
}
