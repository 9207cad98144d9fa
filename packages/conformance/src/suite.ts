import type { Check, Probe } from "./check.ts";
import { authenticationChecks, authenticationProbes } from "./checks/authentication.ts";
import { automationChecks, automationProbes } from "./checks/automation.ts";
import { cookiesChecks, cookiesProbes } from "./checks/cookies.ts";
import { eventFieldChecks } from "./checks/events.ts";
import { replayChecks, replayProbes } from "./checks/replay.ts";
import { acceptedScrapeProbes, rejectedScrapeProbes, scrapeRequestChecks } from "./checks/scrape-request.ts";
import { scrapeExampleProbes, scrapeResponseChecks } from "./checks/scrape-response.ts";
import { streamChecks } from "./checks/stream.ts";
import { validationErrorChecks, validationErrorProbes } from "./checks/validation-error.ts";
import { observationProbes } from "./observations.ts";

/** Every request of the suite, in the order in which they are sent: billed runs come last. Source: ours. */
export const probes: readonly Probe[] = [
  ...acceptedScrapeProbes,
  ...scrapeExampleProbes,
  ...rejectedScrapeProbes,
  ...validationErrorProbes,
  ...cookiesProbes,
  ...replayProbes,
  ...authenticationProbes,
  ...observationProbes,
  ...automationProbes,
];

/** Every check of the suite, in the order of the report. Source: ours. */
export const checks: readonly Check[] = [
  ...scrapeRequestChecks,
  ...scrapeResponseChecks,
  ...validationErrorChecks,
  ...cookiesChecks,
  ...replayChecks,
  ...authenticationChecks,
  ...automationChecks,
  ...streamChecks,
  ...eventFieldChecks,
];
