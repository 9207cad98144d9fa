/** Runs of the suite on services without a socket. */
import type { Transmit } from "../../src/http/transport.ts";
import type { Report } from "../../src/report/report.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { inNeutralWords, ownWords } from "../targets/own-words.ts";
import { apiKey, correctService, type Parts, type Service } from "../targets/service.ts";
import { chooser, runSuite, type Setting } from "../targets/run-suite.ts";
import { NeedsSocket, wireTo } from "./memory.ts";

const address = "http://target.example";

/** Options of judging a service, which has words of its own. */
export interface Trial {
  /** Runs that may be started. Default: 1, or 6 when it chooses answers. */
  readonly maxRuns?: number | undefined;
  /** True when it selects a response by the `Prefer` header, as a mock does. Default: false. */
  readonly choosesAnswers?: boolean | undefined;
  /** Readings and selection. Default: the most tolerant readings, all checks. */
  readonly options?: Pick<RunOptions, "readings" | "strict" | "only" | "maxRequests"> | undefined;
}

/**
 * Judges a service as any other target, with the profile `full`; nothing goes over a socket.
 *
 * @param transmit - Way to it. Default: one without delay.
 * @throws {NeedsSocket} when an answer is more than bytes.
 */
export function tryService(
  service: Service,
  { choosesAnswers = false, maxRuns, options: how }: Trial = {},
  transmit: Transmit = wireTo(service, address, inNeutralWords),
): Promise<Report> {
  const target = liveTarget({
    baseUrl: address,
    apiKey,
    sessionId: service.sessions.open,
    endedSessionId: service.sessions.ended,
    ...ownWords,
  });
  // A recording that is not there at once does not come.
  const pageTimeouts = { recordingReady: 0 };
  const options = { profile: "full", pageTimeouts, maxRuns: maxRuns ?? (choosesAnswers ? 6 : 1), ...how } as const;
  return runConformance(choosesAnswers ? chooser(target) : target, options, transmit);
}

/** Judges a service with these parts: without a socket, where that is enough. */
export async function judgeParts(parts: Parts, setting: Setting = {}): Promise<Report> {
  if (setting.line || setting.automation) return runSuite(parts, setting);
  try {
    return await tryService({ ...correctService, ...parts }, setting);
  } catch (error) {
    if (!(error instanceof NeedsSocket)) throw error;
    return runSuite(parts, setting);
  }
}
