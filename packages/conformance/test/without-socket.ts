/** The server of `server.ts` without a socket: for runs of which the wire shows nothing. */
import type { Exchange } from "../src/http/exchange.ts";
import { defaultLimits } from "../src/http/limits.ts";
import type { Probe } from "../src/http/probe.ts";
import { makeOutgoing } from "../src/http/transport.ts";
import { liveTarget } from "../src/run/live-target.ts";
import { runConformance } from "../src/run/run-conformance.ts";
import type { RunOptions } from "../src/run/run-options.ts";
import type { Report } from "../src/report/report.ts";
import { wire } from "./kills/memory.ts";
import { apiKey, endedSessionId, makeAnswers, makeTarget, sessionId, type Alter } from "./server.ts";

const baseUrl = "http://target.example";

/** The server as a target that can show everything. */
export const target = makeTarget(baseUrl);

/** Returns the exchanges of some probes with the server, by their ids. */
export async function exchangeAll(probes: readonly Probe[], alter?: Alter): Promise<Map<string, Exchange>> {
  const transmit = wire(baseUrl, makeAnswers(alter));
  const sent = await Promise.all(probes.map((probe) => transmit(makeOutgoing(target, probe), defaultLimits)));
  return new Map(sent.map(({ exchange }) => [exchange.id, exchange]));
}

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
  const live = liveTarget({ baseUrl, apiKey: key, ...(sessions ?? { sessionId, endedSessionId }) });
  const transmit = wire(baseUrl, makeAnswers(alter));
  return runConformance(live, { profile: "full", pageTimeouts: { recordingReady: 0 }, ...options }, transmit);
}
