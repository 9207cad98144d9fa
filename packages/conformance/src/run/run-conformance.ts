import { setImmediate as nextTurn } from "node:timers/promises";
import type { Probe } from "../http/probe.ts";
import type { Check } from "../checks/check.ts";
import { confirmSetup } from "./confirm-setup.ts";
import { contractVersion } from "../contract/contract.ts";
import { header, type Exchange } from "../http/exchange.ts";
import { applyExpectedFailures } from "../baseline/expected-failures.ts";
import { judgeCheck, judgeRequirement, missingCapability, notSelected } from "./evaluation.ts";
import { observe } from "../observations/observe.ts";
import { PageSessions } from "./page-sessions.ts";
import { isolateValues } from "./isolate-values.ts";
import { followRecordings } from "./follow-recordings.ts";
import { recordExchange } from "../report/recorded-exchange.ts";
import { createRedact, type Redact } from "../redaction/redact.ts";
import { countsOf, exitCodes, sentenceOf, verdictOf, type CheckResult, type Report } from "../report/report.ts";
import { loadRequirements } from "../contract/requirements.ts";
import { checkedOptions, type RunOptions } from "./run-options.ts";
import { selectChecks } from "./selection.ts";
import { interruptedReason, Sender } from "../http/sender.ts";
import { secretsSeenIn } from "../redaction/seen-secrets.ts";
import { secretHeaderValues } from "../redaction/secret-headers.ts";
import { SuiteError } from "../http/suite-error.ts";
import { checks as allChecks, probesOf } from "./suite.ts";
import { suiteName, suiteVersion } from "../contract/suite-version.ts";
import type { Target } from "../target/target.ts";
import { defaultLimits } from "../http/limits.ts";

/**
 * Judges a target against the interface.
 *
 * Sends each probe that the selected checks need and the profile allows, and judges the checks on what came back. Starts
 * no billed automation run unless the profile is `full`. Opens sessions when the target says how and a selected check needs
 * them, and ends them. Writes nothing.
 *
 * Source: ours.
 *
 * @returns The report, whatever the verdict is; also when the run was interrupted.
 * @throws {SuiteError} `usage` when an option is wrong, nothing is selected, or the run would send too many requests;
 * `unreachable` when the first request finds no connection; `session-failed` when a session can't be opened.
 */
export async function runConformance(subject: Target, options: RunOptions = {}): Promise<Report> {
  const startedAt = new Date();
  const given = checkedOptions(options);
  const { profile, seed, concurrency, maxRuns, maxCostUsd, only, skip } = given;
  const checks = selectChecks(allChecks, { only, skip });
  const suite = probesOf(seed);
  const everything = only.length === 0 && skip.length === 0;
  const needed = new Set(checks.flatMap((check) => check.probes));
  const wanted = everything ? suite : suite.filter(({ id }) => needed.has(id));
  const clean = createRedact(subject.apiKey, { given: secretHeaderValues(subject.headers) });
  await using pages = await PageSessions.prepare(subject, {
    probes: wanted.flatMap((probe) => (missingCapability(probe.needs, subject) === undefined ? probe.id : [])),
    signal: options.signal,
    redact: (text) => clean(text, "page_scrape"),
    patience: options.patience,
  });
  const { target } = pages;
  using sender = new Sender(target, {
    profile,
    budget: { maxRuns, maxCostUsd },
    limits: { ...defaultLimits, ...options.limits },
    concurrency,
    rate: given.rate,
    signal: options.signal,
  });
  const planned = planOf(wanted, target, sender);
  const { length: total } = planned.send;
  if (total > given.maxRequests) throw tooMany(total, given.maxRequests);
  options.onPlan?.({ requests: total, checks: { selected: checks.length, all: allChecks.length }, profile, seed });
  const round = new Round(target, sender, total, options);
  const sendMore = async (probe: Probe): Promise<Exchange | undefined> => {
    if (round.made.length >= given.maxRequests) return undefined;
    return round.send(probe);
  };
  await pages.open(sendMore);
  await round.sendAll(planned.send);
  await followRecordings({
    pages,
    exchanges: round.complete,
    wanted: everything ? undefined : needed,
    send: sendMore,
    expiryMs: options.patience?.expiry,
    ffmpeg: options.ffmpeg,
    signal: options.signal,
  });
  await pages.end();
  const unsent = new Map([...planned.unsent, ...round.unsent]);
  await isolateValues(round.complete, sendMore);
  const known = { exchanges: round.complete, probes: suite, judged: needed, concurrency };
  const exchanges = await confirmSetup(known, sendMore);
  const secrets = [...secretHeaderValues(target.headers), ...pages.secrets];
  const own = createRedact(target.apiKey, { given: secrets });
  const seen = secretsSeenIn(round.made, knownWordsOf(target));
  const redact = createRedact(target.apiKey, { given: secrets, seen });
  const evidence = { target, exchanges, unsent, interrupted: round.interrupted, redact };
  const results = allChecks.map((check) => (checks.includes(check) ? judgeCheck(check, evidence) : notSelected(check)));
  return reportOf({ target, pages, given, checks, results, round, sender, startedAt, redact, own, total, options });
}

type Given = ReturnType<typeof checkedOptions>;

/** Everything that a report is made of. */
interface Findings {
  readonly target: Target;
  readonly pages: PageSessions;
  readonly given: Given;
  readonly checks: readonly Check[];
  readonly results: readonly CheckResult[];
  readonly round: Round;
  readonly sender: Sender;
  readonly startedAt: Date;
  readonly redact: Redact;
  /** Without what the target has sent as secrets. */
  readonly own: Redact;
  readonly total: number;
  readonly options: RunOptions;
}

function reportOf(found: Findings): Report {
  const { target, given, round, sender, startedAt, redact, own, options } = found;
  const today = startedAt.toISOString().slice(0, 10);
  const applied = applyExpectedFailures(found.results, options.expectedFailures ?? [], today);
  const selected = new Set(found.checks.map(({ id }) => id));
  const checks = applied.checks.filter(({ id }) => selected.has(id));
  const { requirements: rows, unspecified } = loadRequirements();
  const requirements = rows.map((row) => judgeRequirement(row, applied.checks));
  const interrupted = round.interrupted.size > 0;
  const state = { interrupted, problems: applied.problems };
  const verdict = verdictOf(checks, state);
  const made = round.made.toSorted((one, other) => one.startedAt.getTime() - other.startedAt.getTime());
  const complete = made.filter(({ id }) => !round.interrupted.has(id));
  const { maxRuns, maxCostUsd, profile, seed, settings } = given;
  return {
    version: 1,
    suite: { name: suiteName, version: suiteVersion, contract: contractVersion },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    verdict,
    sentence: sentenceOf(verdict, checks, state),
    exitCode: exitCodes[verdict],
    target: describeTarget(target, found.pages, own),
    run: {
      profile,
      seed,
      settings: settings.map(({ name, value, source }) => ({ name, value: own(value, "page_scrape"), source })),
      interrupted,
      budget: { maxRuns, maxCostUsd: maxCostUsd ?? null },
      requests: found.total,
      checks: { selected: checks.length, all: found.results.length },
      retries: sender.retries.map(({ exchange, reason }) => ({ exchange, reason: redact(reason, "page_scrape") })),
    },
    expectationProblems: applied.problems,
    summary: {
      checks: countsOf(checks),
      warnings: checks.filter((check) => check.status === "fail" && check.level === "assumed").length,
      requirements: countsOf(requirements),
      exchanges: made.length,
      automationRuns: sender.ledger.runs,
      costUsd: sender.ledger.costUsd,
    },
    checks,
    observations: observe(complete, unspecified, target.kind, redact),
    requirements,
    exchanges: made.map((exchange) => recordExchange(exchange, redact, own)),
  };
}

interface Planned {
  readonly send: readonly Probe[];
  readonly unsent: ReadonlyMap<string, string>;
}

/** Which probes will be sent, and why the others will not. */
function planOf(probes: readonly Probe[], target: Target, sender: Sender): Planned {
  const unsent = new Map<string, string>();
  let runs = 0;
  const send = probes.filter((probe) => {
    const bills = probe.startsRun && target.kind === "live";
    const full = bills ? sender.ledger.refusalAt(runs) : undefined;
    const reason = missingCapability(probe.needs, target) ?? sender.forbids(probe) ?? full;
    if (bills && reason === undefined) runs += 1;
    if (reason !== undefined) unsent.set(probe.id, reason);
    return reason === undefined;
  });
  return { send, unsent };
}

function tooMany(total: number, most: number): SuiteError {
  const advice = "allow more with --max-requests, or select less with --only and --skip";
  return new SuiteError("usage", `the run would send ${total} requests, and at most ${most} are allowed; ${advice}`);
}

/** The requests of one run, with what came of them. */
class Round {
  /** Every exchange, the ones that were broken off too. */
  readonly made: Exchange[] = [];
  /** Exchanges that were made to their end, by the ids of their probes. */
  readonly complete = new Map<string, Exchange>();
  readonly unsent = new Map<string, string>();
  /** Ids of the probes that were broken off with the run, or not sent for it. */
  readonly interrupted = new Set<string>();
  readonly #target: Target;
  readonly #sender: Sender;
  readonly #total: number;
  readonly #options: RunOptions;
  readonly #begun = new Set<string>();

  constructor(target: Target, sender: Sender, total: number, options: RunOptions) {
    this.#target = target;
    this.#sender = sender;
    this.#total = total;
    this.#options = options;
  }

  /** The first one goes alone: when nobody answers it, the others are not sent. */
  async sendAll([first, ...others]: readonly Probe[]): Promise<void> {
    if (!first) return;
    const exchange = await this.send(first);
    if (exchange?.failure?.code === "unreachable") throw unreachable(this.#target, exchange.failure.message);
    const secure = exchange && secureAddress(exchange);
    if (secure !== undefined) {
      const told = `the target takes no http: it sent the first request on to ${secure}`;
      throw new SuiteError("usage", `${told}; give an address that begins so`);
    }
    await Promise.all(others.map((probe) => this.send(probe)));
  }

  /** Sends one request; undefined when it was not sent, or broken off. */
  async send(probe: Probe): Promise<Exchange | undefined> {
    const sent = await this.#sender.send(probe, {
      onStart: () => this.#tell(probe.id),
      onEvent: (events) => this.#tell(probe.id, events),
    });
    await nextTurn();
    if ("refused" in sent) {
      this.unsent.set(probe.id, sent.refused);
      if (sent.refused === interruptedReason) this.interrupted.add(probe.id);
      return undefined;
    }
    const { exchange } = sent;
    this.made.push(exchange);
    if (exchange.failure?.code === "interrupted" || exchange.response?.end === "interrupted") {
      this.unsent.set(probe.id, interruptedReason);
      this.interrupted.add(probe.id);
      return undefined;
    }
    this.complete.set(probe.id, exchange);
    return exchange;
  }

  #tell(probe: string, events?: number): void {
    this.#begun.add(probe);
    const sent = this.#begun.size;
    const progress = { sent, total: Math.max(this.#total, sent), probe };
    this.#options.onProgress?.(events === undefined ? progress : { ...progress, events });
  }
}

/** Where an answer redirects a request that came over http: to the same path over https. Undefined when it does not. */
function secureAddress({ url, response }: Exchange): string | undefined {
  if (!response || response.status < 300 || response.status >= 400) return undefined;
  const from = URL.parse(url);
  const location = header(response, "location");
  const to = location === undefined ? null : URL.parse(location, url);
  const isSame = from?.protocol === "http:" && to?.protocol === "https:" && from.pathname === to.pathname;
  return isSame ? to.origin : undefined;
}

/** What no target can make a secret of. */
function knownWordsOf({ baseUrl, automationUrl, sessionId, endedSessionId }: Target): string[] {
  return [baseUrl, automationUrl, sessionId, endedSessionId];
}

function unreachable(target: Target, message: string): SuiteError {
  return new SuiteError(
    "unreachable",
    `no connection to ${target.baseUrl} (${message}); is the server up, and the address right?`,
  );
}

function describeTarget(target: Target, { opened }: PageSessions, redact: Redact): Report["target"] {
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
    ...(opened.length === 0 ? {} : { openedSessions: opened }),
  };
}
