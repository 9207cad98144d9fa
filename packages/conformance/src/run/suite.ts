import { isAnswerOf, type Exchange } from "../http/exchange.ts";
import type { Probe } from "../http/probe.ts";
import type { Check } from "../checks/check.ts";
import { defaults } from "../configuration/settings.ts";
import { authenticationChecks, authenticationProbes } from "../checks/authentication/authentication.ts";
import { composedCredentialChecks } from "../checks/authentication/composed-credentials.ts";
import { composedCredentialProbes } from "../checks/authentication/credential-grammar.ts";
import { strangerChecks, strangerProbes } from "../checks/authentication/strangers.ts";
import { automationChecks, automationProbes } from "../checks/automation/automation.ts";
import { conversionCheck } from "../checks/circumstances/conversions.ts";
import { cookiesChecks, cookiesProbes } from "../checks/cookies/cookies.ts";
import { identifierChecks } from "../checks/automation/identifiers.ts";
import { doneValueChecks } from "../checks/automation/done-values.ts";
import { eventFieldChecks } from "../checks/automation/events.ts";
import { automationProbesAt, sessionProbesAt } from "../checks/circumstances/repeated-probes.ts";
import { atTheEnd, inBurst, onKeptConnection } from "../checks/repetitions.ts";
import { openRequestProbes, openRunProbes } from "../checks/circumstances/open-requests.ts";
import { replayChecks, replayProbes } from "../checks/replay/replay.ts";
import { sameRecordingCheck } from "../checks/replay/same-recording.ts";
import { scrapeRequestChecks, scrapeRequestProbes } from "../checks/scrape/request.ts";
import { scrapeExampleProbes, scrapeResponseChecks } from "../checks/scrape/response.ts";
import { structuredChecks } from "../checks/scrape/structured.ts";
import { eventTypeChecks } from "../checks/automation/event-types.ts";
import { streamEndChecks } from "../checks/automation/stream-end.ts";
import { streamEndingChecks } from "../checks/automation/stream-ending.ts";
import { streamLineChecks } from "../checks/automation/stream-lines.ts";
import { validationErrorChecks, validationErrorProbes } from "../checks/scrape/validation-error.ts";
import { observationProbes } from "../checks/circumstances/unknown-sessions.ts";
import { afterEndCheck } from "../checks/automation/after-end.ts";
import { keyFieldNullCheck } from "../checks/automation/key-field-nulls.ts";
import { listedStatusCheck } from "../checks/automation/listed-statuses.ts";
import { listedFieldChecks } from "../checks/circumstances/listed-fields.ts";
import { servedChecks } from "../checks/circumstances/served-operations.ts";
import { serverErrorChecks } from "../checks/circumstances/server-errors.ts";
import { runWithoutQueryCheck } from "../checks/circumstances/runs-without-query.ts";
import { byteOrderMarkChecks } from "../checks/circumstances/byte-order-mark.ts";
import { redirectChecks } from "../checks/circumstances/redirects.ts";
import { pageChecks } from "../checks/pages/page-checks.ts";
import { pageProbes } from "../checks/pages/page-probes.ts";
import { relationProbes } from "../checks/relations/option-rows.ts";
import { relationChecks } from "../checks/relations/relation-checks.ts";
import { withGivenPage } from "../checks/given-page/given-page-checks.ts";
import { givenPageProbes } from "../checks/given-page/given-probes.ts";

/**
 * Returns every probe of the suite in order of sending: billed runs come late, and after them the repetitions that show
 * whether anything has changed. The same seed gives the same requests.
 */
export function probesOf(seed: number): readonly Probe[] {
  const probes = made.get(seed) ?? makeProbes(seed);
  made.set(seed, probes);
  return probes;
}

/** Probes by seed: a process may make several runs. */
const made = new Map<number, readonly Probe[]>();

/** Those on the kept connection follow one another, so that no target closes it between two of them. */
const isOnKeptConnection = ({ connection }: Probe): boolean => connection === "kept";

function makeProbes(seed: number): readonly Probe[] {
  return [
    ...scrapeRequestProbes(seed),
    ...scrapeExampleProbes,
    ...validationErrorProbes,
    ...cookiesProbes,
    ...replayProbes,
    ...sessionProbesAt(onKeptConnection),
    ...automationProbesAt(onKeptConnection),
    ...pageProbes.filter(isOnKeptConnection),
    ...sessionProbesAt(inBurst),
    ...authenticationProbes,
    ...composedCredentialProbes,
    ...strangerProbes,
    ...observationProbes,
    ...givenPageProbes(seed),
    ...pageProbes.filter((probe) => !isOnKeptConnection(probe)),
    ...relationProbes,
    ...openRequestProbes,
    ...automationProbes,
    ...openRunProbes,
    ...sessionProbesAt(atTheEnd),
    ...automationProbesAt(atTheEnd),
  ];
}

const plannedChecks: readonly Check[] = [
  ...scrapeRequestChecks,
  ...scrapeResponseChecks,
  ...structuredChecks,
  ...validationErrorChecks,
  ...cookiesChecks,
  ...replayChecks,
  sameRecordingCheck,
  ...authenticationChecks,
  ...composedCredentialChecks,
  ...strangerChecks,
  ...automationChecks,
  ...streamLineChecks,
  ...eventTypeChecks,
  ...streamEndChecks,
  ...streamEndingChecks,
  ...eventFieldChecks,
  ...identifierChecks,
  ...doneValueChecks,
  ...byteOrderMarkChecks,
  ...redirectChecks,
  ...servedChecks,
  ...listedFieldChecks,
  ...serverErrorChecks,
  conversionCheck,
  listedStatusCheck,
  runWithoutQueryCheck,
  keyFieldNullCheck,
  afterEndCheck,
  ...pageChecks.map(withGivenPage),
  ...relationChecks.map(withGivenPage),
];

const plannedIds: ReadonlySet<string> = new Set(probesOf(defaults.seed).map(({ id }) => id));

/** Returns whether a request is valid and was generated during the run. */
function isUnplanned({ id, expects }: Exchange): boolean {
  return expects === "success" && !plannedIds.has(id);
}

/** Extends a check with `coversUnplanned` to the valid requests generated during the run. */
function withUnplanned(check: Check): Check {
  if (check.coversUnplanned !== true) return check;
  return { ...check, appliesTo: (exchange) => isUnplanned(exchange) && isAnswerOf(check.operation, exchange) };
}

/** Every check of the suite, in the order of the report. The status of every valid request is judged. */
export const checks: readonly Check[] = plannedChecks.map(withUnplanned);
