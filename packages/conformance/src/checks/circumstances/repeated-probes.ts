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
 * Returns repeated requests to the session-scoped operations: for each the valid ones, then invalid ones, which must not profit from them.
 */
export const sessionProbesAt = (repetition: Repetition): Probe[] =>
  sessionOperations.flatMap((protectedOperation) =>
    (withKey[protectedOperation.word]?.(repetition) ?? []).concat(keylessProbesAt(repetition, protectedOperation)),
  );

/** Returns repeated requests to the automation; none of them starts a run on a conforming target. */
export const automationProbesAt = (repetition: Repetition): Probe[] => [
  ...refusedAutomationProbesAt(repetition),
  ...keylessProbesAt(repetition, automationOperation),
];
