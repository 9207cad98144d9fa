/** Judges a server whose sessions are on the suite's own pages. */
import type { Report } from "../../src/report/report.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import type { RunOptions } from "../../src/run/run-options.ts";
import { SiteServer, type Twist } from "./site-server.ts";

const pageTimeouts = { request: 60_000, load: 60_000, change: 50, recording: 10, recordingReady: 60_000 };

/** Nothing here takes long. What is waited for comes: the limits are for what hangs. */
export const quick: RunOptions = {
  only: ["page/*", "recording/*"],
  ffmpeg: false, // the recordings of the simulated server show a test picture
  pageTimeouts,
};

/** The same for a server whose recordings are never ready. */
export const withoutRecording: RunOptions = { ...quick, pageTimeouts: { ...pageTimeouts, recordingReady: 400 } };

export async function runSuite(twist: Twist = {}, options: RunOptions = {}): Promise<Report> {
  await using server = await SiteServer.start(twist);
  const { replayStatus = 200 } = twist;
  return await runConformance(server.target, { ...(replayStatus === 200 ? quick : withoutRecording), ...options });
}

export const withStatus = (report: Report, status: string): string[] =>
  report.checks.filter((check) => check.status === status).map(({ id }) => id);

/** The checks that fail, and the requirements that findings name. */
export async function collectBlamed(
  twist: Twist,
  options: RunOptions = {},
): Promise<{ checks: string[]; requirements: string[] }> {
  const report = await runSuite(twist, options);
  const findings = report.checks.flatMap((result) => result.findings);
  return {
    checks: withStatus(report, "fail"),
    requirements: [...new Set(findings.map(({ requirement }) => requirement))],
  };
}

/** Tolerated unless a run is strict, so that correct servers are warned: a silent track, and durations that are rounded. */
const tolerated = new Set(["recording.video-alone", "replay.video_duration_ms.to-the-frame"]);

/** Everything that would be wrong about a correct server. */
export async function collectComplaints(
  twist: Twist,
): Promise<{ findings: object[]; errors: string[]; verdict: string }> {
  const report = await runSuite(twist);
  const findings = report.checks
    .flatMap((check) => check.findings)
    .filter(({ requirement }) => !tolerated.has(requirement));
  return { findings, errors: withStatus(report, "error"), verdict: report.verdict };
}
