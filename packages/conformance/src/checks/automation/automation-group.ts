import type { CheckGroup } from "../check-group.ts";
import { afterEndCheck, streamEndChecks, streamEndingChecks } from "./stream-end.ts";
import { automationChecks, automationProbes } from "./automation.ts";
import { doneValueChecks, identifierChecks, keyFieldNullCheck } from "./event-values.ts";
import { eventTypeChecks } from "./event-types.ts";
import { eventFieldChecks } from "./events.ts";
import { listedStatusCheck } from "./listed-statuses.ts";
import { streamLineChecks } from "./stream-lines.ts";

/** Checks of the automation: of its statuses, its stream, and the events in it. */
export const automationGroup: CheckGroup = {
  checks: [
    ...automationChecks,
    ...streamLineChecks,
    ...eventTypeChecks,
    ...streamEndChecks,
    ...streamEndingChecks,
    ...eventFieldChecks,
    ...identifierChecks,
    ...doneValueChecks,
    listedStatusCheck,
    keyFieldNullCheck,
    afterEndCheck,
  ],
  probes: () => ({ runs: automationProbes }),
};
