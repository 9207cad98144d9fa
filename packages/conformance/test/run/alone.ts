/** Judges a server by one check after the other, and compares with a run of all of them. */
import { sentFor } from "../../src/checks/check.ts";
import type { CheckResult } from "../../src/report/report.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { checks } from "../../src/run/suite.ts";
import { defaultLimits } from "../../src/http/limits.ts";
import type { Fault } from "../targets/fault.ts";
import { makeFaultyService } from "../targets/faulty-service.ts";
import { serve } from "../targets/serve.ts";
import { apiKey, correctService } from "../targets/service.ts";

const options: RunOptions = {
  profile: "full",
  maxRuns: 2,
  limits: { ...defaultLimits, closeGraceMs: 400 },
  pageTimeouts: { recordingReady: 0 },
};

const sentBy = new Map(checks.map((check) => [check.id, new Set(sentFor(check))]));

/** Returns whether a check failed by what is sent for it: others may show a fault that its own requests do not. */
function failsByItself({ id, findings }: CheckResult): boolean {
  return findings.some(({ exchange }) => sentBy.get(id)?.has(exchange) === true);
}

/** Judges a service that has answered nothing before. */
async function collectResults(fault: Fault | undefined, only: readonly string[]): Promise<readonly CheckResult[]> {
  const service = fault ? makeFaultyService(fault).service : correctService;
  await using served = await serve(service);
  const { open: sessionId, ended: endedSessionId } = service.sessions;
  const target = liveTarget({ baseUrl: served.url, apiKey, sessionId, endedSessionId });
  return (await runConformance(target, { ...options, only })).checks;
}

/**
 * Returns the checks that judge a service otherwise alone than in a whole run.
 *
 * @param fault - The fault of the service. Default: none.
 * @param choose - Which of the checks are run alone, by their place. Default: all.
 */
export async function listChecksDifferingAlone(
  fault?: Fault,
  choose: (at: number) => boolean = () => true,
): Promise<string[]> {
  const whole = await collectResults(fault, []);
  const comparable = whole.filter(({ id }) => !/^(?:page|relations|recording)\//.test(id)); // nothing opens a page here
  const otherwise: string[] = [];
  for (const result of comparable.filter((_, at) => choose(at))) {
    const [alone] = await collectResults(fault, [result.id]);
    const [one, other] = [failsByItself(result), alone?.status === "fail"];
    if (one !== other) otherwise.push(`${result.id}: ${result.status} in a whole run, ${alone?.status} alone`);
  }
  return otherwise;
}
