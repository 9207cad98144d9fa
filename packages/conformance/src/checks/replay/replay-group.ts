import type { CheckGroup } from "../check-group.ts";
import { replayChecks, replayProbes } from "./replay.ts";
import { sameRecordingCheck } from "./same-recording.ts";

/** Checks of the replay of an ended session. */
export const replayGroup: CheckGroup = {
  checks: [...replayChecks, sameRecordingCheck],
  probes: () => ({ plain: replayProbes }),
};
