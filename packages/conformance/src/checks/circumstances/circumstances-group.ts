import type { CheckGroup } from "../check-group.ts";
import { atTheEnd, inBurst, onKeptConnection } from "../repetitions.ts";
import { byteOrderMarkChecks } from "./byte-order-mark.ts";
import { conversionCheck } from "./conversions.ts";
import { listedFieldChecks } from "./listed-fields.ts";
import { openRequestProbes, openRunProbes } from "./open-requests.ts";
import { redirectChecks } from "./redirects.ts";
import { automationProbesAt, sessionProbesAt } from "./repeated-probes.ts";
import { runWithoutQueryCheck } from "./runs-without-query.ts";
import { servedChecks } from "./served-operations.ts";
import { serverErrorChecks } from "./server-errors.ts";
import { observationProbes } from "./unknown-sessions.ts";

/** Checks that are the same for all operations, whatever is requested, and however often. */
export const circumstancesGroup: CheckGroup = {
  checks: [
    ...byteOrderMarkChecks,
    ...redirectChecks,
    ...servedChecks,
    ...listedFieldChecks,
    ...serverErrorChecks,
    conversionCheck,
    runWithoutQueryCheck,
  ],
  probes: () => ({
    kept: [...sessionProbesAt(onKeptConnection), ...automationProbesAt(onKeptConnection)],
    burst: sessionProbesAt(inBurst),
    further: observationProbes,
    open: openRequestProbes,
    runs: openRunProbes,
    last: [...sessionProbesAt(atTheEnd), ...automationProbesAt(atTheEnd)],
  }),
};
