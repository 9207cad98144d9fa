import type { Probe } from "../../http/probe.ts";
import { keptKeylessProbes } from "../authentication/authentication.ts";
import { keptCookiesProbe } from "../cookies/cookies.ts";
import { sessionOperations } from "../authentication/protected-operations.ts";
import { keptReplayProbe } from "../replay/replay.ts";
import { keptInvalidProbes, keptScrapeProbes } from "../scrape/circumstances.ts";

const valid: Readonly<Record<string, readonly Probe[]>> = {
  scrape: [...keptScrapeProbes, ...keptInvalidProbes],
  cookies: [keptCookiesProbe],
  replay: [keptReplayProbe],
};

/**
 * All requests that go over a connection that is kept, in the order in which they have to follow one another: for each
 * operation first the valid ones, then those that must not profit from them.
 *
 * Source: ours.
 */
export const keptProbes: readonly Probe[] = sessionOperations.flatMap((protectedOperation) =>
  (valid[protectedOperation.word] ?? []).concat(keptKeylessProbes(protectedOperation)),
);
