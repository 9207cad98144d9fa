import type { Probe } from "../../http/probe.ts";
import { keylessProbesAt } from "../authentication/authentication.ts";
import { automationOperation, sessionOperations } from "../authentication/protected-operations.ts";
import { refusedAutomationProbesAt } from "../automation/automation-request.ts";
import { cookiesProbesAt } from "../cookies/cookies.ts";
import type { Repetition } from "../repetitions.ts";
import { replayProbesAt } from "../replay/replay.ts";
import { invalidScrapesAt, plainScrapesAt } from "../scrape/circumstances.ts";

/** For each operation, the requests with the key: valid ones, and ones that must be refused. */
const withKey: Readonly<Record<string, (repetition: Repetition) => readonly Probe[]>> = {
  scrape: (repetition) => [...plainScrapesAt(repetition), ...invalidScrapesAt(repetition)],
  cookies: cookiesProbesAt,
  replay: replayProbesAt,
};

/**
 * Requests to the session-scoped operations at a certain moment, in the order in which they follow one another: for each
 * operation first the valid ones, then those that must not profit from them.
 */
export const sessionProbesAt = (repetition: Repetition): Probe[] =>
  sessionOperations.flatMap((protectedOperation) =>
    (withKey[protectedOperation.word]?.(repetition) ?? []).concat(keylessProbesAt(repetition, protectedOperation)),
  );

/** Requests to the automation at a certain moment; none of them starts a run on a target that conforms. */
export const automationProbesAt = (repetition: Repetition): Probe[] => [
  ...refusedAutomationProbesAt(repetition),
  ...keylessProbesAt(repetition, automationOperation),
];
