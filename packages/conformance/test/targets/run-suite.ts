/** Runs the suite on a target, and sums up what it found. */
import { runConformance } from "../../src/run/run-conformance.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import type { Report } from "../../src/report/report.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { type Target } from "../../src/target/target.ts";
import { serve, type Line } from "./serve.ts";
import { apiKey, correctService, type Service } from "./service.ts";

/**
 * The targets are near: only a stream that stays open is waited for, and only for a short time. Bodies may take as much memory as they do
 * without a socket: a page of a megabyte in each answer is more than a run reads by default.
 */
const limits = { closeGraceMs: 400, timeoutMs: 60_000, streamTimeoutMs: 60_000, maxTotalBytes: 1024 ** 3 };

/** Options of a target beside its service. */
export interface Setting {
  readonly line?: Line;
  /** A service of its own at the other address. Default: the same service at the same address. */
  readonly automation?: Partial<Service>;
  readonly choosesAnswers?: boolean;
  readonly maxRuns?: number;
  readonly options?: Pick<RunOptions, "readings" | "strict" | "only">;
}

/** Serves the parts on a socket, and judges them with the profile `full`, as a person would who has no other tool. */
export async function runSuite(parts: Partial<Service>, setting: Setting = {}): Promise<Report> {
  const { line, automation, options, choosesAnswers = false, maxRuns = choosesAnswers ? 6 : 1 } = setting;
  const service = { ...correctService, ...parts };
  await using served = await serve(service, line);
  await using apart = automation && (await serve({ ...correctService, ...automation }, line));
  const target = liveTarget({
    baseUrl: served.url,
    ...(apart ? { automationUrl: apart.url } : {}),
    apiKey,
    sessionId: service.sessions.open,
    endedSessionId: service.sessions.ended,
  });
  return await runConformance(choosesAnswers ? chooser(target) : target, {
    profile: "full",
    maxRuns,
    limits,
    pageTimeouts: { recordingReady: 0 }, // one that is not there at once does not come
    ...options,
  });
}

/** The target, as one that answers what a request prefers. */
export function chooser(target: Target): Target {
  return { ...target, lacks: new Map([...target.lacks].filter(([capability]) => capability !== "chooses-answers")) };
}
