import type { CheckGroup } from "../check-group.ts";
import { atTheEnd, inBurst, onKeptConnection } from "../repetitions.ts";
import { operationChecks } from "./operation-checks.ts";
import { conversionCheck, runWithoutQueryCheck } from "./conversions.ts";
import { openRequestProbes, openRunProbes } from "./open-requests.ts";
import { listAutomationProbes, listSessionProbes } from "./repeated-probes.ts";
import { observationProbes } from "./unknown-sessions.ts";

/** Checks that are the same for all operations, whatever is requested, and however often. */
export const circumstancesGroup: CheckGroup = {
  checks: [...operationChecks, conversionCheck, runWithoutQueryCheck],
  probes: () => ({
    kept: [...listSessionProbes(onKeptConnection), ...listAutomationProbes(onKeptConnection)],
    burst: listSessionProbes(inBurst),
    further: observationProbes,
    open: openRequestProbes,
    runs: openRunProbes,
    last: [...listSessionProbes(atTheEnd), ...listAutomationProbes(atTheEnd)],
  }),
};
