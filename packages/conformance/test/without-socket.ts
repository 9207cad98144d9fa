/** The server of `server.ts` without a socket: for runs of which the wire shows nothing. */
import { liveTarget } from "../src/run/live-target.ts";
import { runConformance } from "../src/run/run-conformance.ts";
import type { RunOptions } from "../src/run/run-options.ts";
import type { Report } from "../src/report/report.ts";
import { wire } from "./kills/memory.ts";
import { apiKey, endedSessionId, makeAnswers, sessionId, type Alter } from "./server.ts";

const baseUrl = "http://target.example";

/** Options of a run. */
export interface JudgeOptions extends RunOptions {
  /** The key that is given. Default: the right one. */
  readonly key?: string;
  /** The sessions that are given. Default: an open one and one that has ended. */
  readonly sessions?: { readonly sessionId: string; readonly endedSessionId?: string };
}

/**
 * Judges the server as a person would: with its address, a key and sessions, and one billed run.
 *
 * @throws {NeedsSocket} when an answer is more than bytes.
 */
export function judgeWithoutSocket(
  alter?: Alter,
  { key = apiKey, sessions, ...options }: JudgeOptions = {},
): Promise<Report> {
  const target = liveTarget({ baseUrl, apiKey: key, ...(sessions ?? { sessionId, endedSessionId }) });
  const transmit = wire(baseUrl, makeAnswers(alter));
  return runConformance(target, { profile: "full", pageTimeouts: { recordingReady: 0 }, ...options }, transmit);
}
