import type { Probe, SendMore } from "../http/probe.ts";
import { sentFor, type SuiteCheck } from "../checks/check.ts";
import { copyIds, downloadCopies } from "../checks/pages/image-copies.ts";
import { whyNeedless } from "../checks/target-page/target-page.ts";
import type { Exchange } from "../http/exchange.ts";
import { defaultLimits } from "../http/limits.ts";
import type { Transmit } from "../http/transport.ts";
import { Sender } from "../http/sender.ts";
import { defaultPageTimeouts, type OpenedSession } from "../target/opened-pages.ts";
import type { Target } from "../target/target.ts";
import { createRedact } from "../redaction/redact.ts";
import { secretHeaderValues } from "../redaction/secret-headers.ts";
import { awaitReplay } from "./await-replay.ts";
import { confirmSetup } from "./confirm-setup.ts";
import { isolateValues } from "./isolate-values.ts";
import { missingCapability, type Evidence } from "./evaluation.ts";
import { followRecordings } from "./follow-recordings.ts";
import { PageSessions } from "./page-sessions.ts";
import { planProbes } from "./plan.ts";
import { prioritizeProbes } from "./prioritize.ts";
import { startMoreRuns } from "./more-runs.ts";
import { RequestRunner } from "./request-runner.ts";
import { completeOptions, type RunOptions } from "./run-options.ts";
import { collectLevels } from "./reading-results.ts";
import { chooseReadings, withLevels, type ChosenReading } from "../contract/readings.ts";
import { selectChecks } from "./selection.ts";
import { checks as allChecks, listProbes } from "./suite.ts";

/** Everything that a run has collected, before any of it is judged. */
export interface Collected extends Omit<Evidence, "redact"> {
  /** The options, with the defaults filled in. */
  readonly configuration: ReturnType<typeof completeOptions>;
  /** Values of the readings that the run uses. */
  readonly readings: readonly ChosenReading[];
  /** Every check of the suite, with its level under these readings. */
  readonly suite: readonly SuiteCheck[];
  /** The checks that were selected. */
  readonly checks: readonly SuiteCheck[];
  /** The sessions that the suite has opened. */
  readonly opened: readonly OpenedSession[];
  /** Texts that no report may show, beside the key and what the target has sent: secrets in cookies of pages, and in headers. */
  readonly secrets: readonly string[];
  /** Every exchange, interrupted ones as well. */
  readonly allExchanges: readonly Exchange[];
  /** Number of planned requests. */
  readonly planned: number;
  /** Number of requests that the limit of requests left out of the plan. */
  readonly leftOut: number;
  /** Requests that were sent again, and the costs. */
  readonly sender: Pick<Sender, "ledger" | "retries">;
}

/**
 * Sends the requests of a run, without judging the responses. Opens and ends sessions on the suite's own pages, where they are needed.
 *
 * @throws {SuiteError} as `runConformance`.
 */
export async function collect(subject: Target, options: RunOptions, transmit?: Transmit): Promise<Collected> {
  const configuration = completeOptions(options);
  const { profile, seed, concurrency, maxRuns, maxUnintendedRuns, maxCostUsd, only, skip } = configuration;
  const readings = chooseReadings(configuration.readings, configuration.strict);
  const leveled = withLevels(allChecks, collectLevels(allChecks, readings, configuration.strict));
  const checks = selectChecks(leveled, { only, skip });
  const suite = listProbes(seed);
  const everything = only.length === 0 && skip.length === 0;
  const needed = new Set(checks.flatMap(sentFor));
  const probes = everything ? suite : suite.filter(({ id }) => needed.has(id));
  const clean = createRedact(subject.apiKey, { ofSetup: secretHeaderValues(subject.headers) });
  await using pages = await PageSessions.prepare(subject, {
    probes: probes.flatMap((probe) => (missingCapability(probe.needs, subject) === undefined ? probe.id : [])),
    signal: options.signal,
    redact: (text) => clean(text, "page_scrape"),
    pageTimeouts: options.pageTimeouts,
    onActivity: (what) => round.announce(what),
  });
  const { target } = pages;
  using sender = new Sender(target, {
    profile,
    budget: { maxRuns, maxUnintendedRuns, maxCostUsd },
    limits: { ...defaultLimits, ...options.limits },
    concurrency,
    rate: configuration.rate,
    whyNeedless: (request) => whyNeedless(request, round.complete),
    signal: options.signal,
    ...(transmit && { transmit }),
  });
  const whole = planProbes(probes, target, sender);
  const plan = prioritizeProbes(whole, checks, configuration.maxRequests);
  const { length: planned } = plan.send;
  const leftOut = whole.send.length - planned;
  const counts = { selected: checks.length, all: allChecks.length };
  options.onPlan?.({ requests: planned, leftOut, checks: counts, profile, seed });
  const round = new RequestRunner(target, sender, planned, configuration.maxRequests, options);
  const sendMore: SendMore = (probe) => round.send(probe);
  await pages.open(sendMore);
  const [early, late] = beforeReplays(plan.send);
  await round.sendAll(early);
  await pages.awaitRecording(sendMore);
  await round.sendAll(late);
  if (sender.ledger.refusal() === undefined)
    await startMoreRuns({ exchanges: round.complete, checks, target }, sendMore);
  await awaitReplay({
    target,
    exchanges: round.complete,
    probes: plan.send,
    send: sendMore,
    sendAgain: async (again) => {
      if (round.allExchanges.length + again.length <= configuration.maxRequests) await round.sendAgain(again);
    },
    waitMs: { ...defaultPageTimeouts, ...options.pageTimeouts }.recordingReady,
    onActivity: (what) => round.announce(what),
    signal: options.signal,
  });
  await isolateValues(round.complete, sendMore);
  if (everything || copyIds.some((id) => needed.has(id))) await downloadCopies(round.complete, target, sendMore);
  await followRecordings({
    pages,
    exchanges: round.complete,
    selectedIds: everything ? undefined : needed,
    send: sendMore,
    expiryMs: options.pageTimeouts?.expiry,
    ffmpeg: options.ffmpeg,
    signal: options.signal,
  });
  const state = { exchanges: round.complete, probes: suite, selected: needed, concurrency };
  const exchanges = await confirmSetup(state, sendMore);
  await pages.end();
  return {
    configuration,
    readings,
    suite: leveled,
    checks,
    target,
    opened: pages.opened,
    secrets: [...secretHeaderValues(target.headers), ...pages.secrets],
    allExchanges: round.allExchanges,
    exchanges,
    unsent: new Map([...plan.unsent, ...round.unsent]),
    interrupted: round.interrupted,
    displacedRuns: round.displacedRuns,
    planned,
    leftOut,
    sender,
  };
}

/** Splits probes at the first one that reads a replay: those before it are sent while the suite's own session is recorded. */
function beforeReplays(probes: readonly Probe[]): [early: readonly Probe[], late: readonly Probe[]] {
  const at = probes.findIndex(({ operation }) => operation === "session_replay");
  const early = new Set(probes.slice(0, Math.max(0, at)).filter(({ last = false }) => !last));
  return [[...early], probes.filter((probe) => !early.has(probe))];
}
