/** Runs of the suite on services without a socket. */
import type { Report } from "../../src/report/report.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { apiKey, endedSession, openSession, type Service } from "../targets/service.ts";
import { wireTo } from "./memory.ts";

const address = "http://target.example";

/** Judges a service as any other target, with the profile `full`; nothing goes over a socket. */
export async function tryService(service: Service, maxRuns = 1): Promise<Report> {
  const target = liveTarget({ baseUrl: address, apiKey, sessionId: openSession, endedSessionId: endedSession });
  return await runConformance(target, { profile: "full", maxRuns }, wireTo(service, address));
}
