import type { Probe } from "../../http/probe.ts";
import { keptKeylessProbes } from "../authentication/authentication.ts";
import { keptCookiesProbe } from "../cookies/cookies.ts";
import { sessionDoors } from "../authentication/protected-operations.ts";
import { keptReplayProbe } from "../replay/replay.ts";
import { keptInvalidProbes, keptScrapeProbes } from "../scrape/circumstances.ts";

const valid: Readonly<Record<string, readonly Probe[]>> = {
  scrape: [...keptScrapeProbes, ...keptInvalidProbes],
  cookies: [keptCookiesProbe],
  replay: [keptReplayProbe],
};

/**
 * All requests that go over a connection that is kept, in the order in which they have to follow one another: at each
 * door first the valid ones, then those that must not profit from them.
 *
 * Source: ours.
 */
export const keptProbes: readonly Probe[] = sessionDoors.flatMap((door) =>
  (valid[door.word] ?? []).concat(keptKeylessProbes(door)),
);
