import type { Probe } from "../../http/probe.ts";
import { listKeylessProbes } from "../authentication/authentication.ts";
import { automationOperation, sessionOperations } from "../authentication/protected-operations.ts";
import { listRefusedProbes } from "../automation/automation-request.ts";
import { listCookiesProbes } from "../cookies/cookies.ts";
import type { Repetition } from "../repetitions.ts";
import { listReplayProbes } from "../replay/replay.ts";
import { listInvalidScrapes, listPlainScrapes } from "../scrape/circumstances.ts";

/** For each operation, the requests with the key: valid ones, and ones that must be refused. */
const withKey: Readonly<Record<string, (repetition: Repetition) => readonly Probe[]>> = {
  scrape: (repetition) => [...listPlainScrapes(repetition), ...listInvalidScrapes(repetition)],
  cookies: listCookiesProbes,
  replay: listReplayProbes,
};

/**
 * Returns repeated requests to the session-scoped operations: for each the valid ones, then invalid ones, which must not profit from them.
 */
export const listSessionProbes = (repetition: Repetition): Probe[] =>
  sessionOperations.flatMap((protectedOperation) =>
    (withKey[protectedOperation.word]?.(repetition) ?? []).concat(listKeylessProbes(repetition, protectedOperation)),
  );

/** Returns repeated requests to the automation; none of them starts a run on a conforming target. */
export const listAutomationProbes = (repetition: Repetition): Probe[] => [
  ...listRefusedProbes(repetition),
  ...listKeylessProbes(repetition, automationOperation),
];
