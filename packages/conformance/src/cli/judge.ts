import { contractVersion } from "../contract/contract.ts";
import { renderTerminal } from "../report/terminal.ts";
import type { ExpectedFailure, Report } from "../report/report.ts";
import { runConformance } from "../run/run-conformance.ts";
import { pickRunOptions, type RunPlan } from "../run/run-options.ts";
import { SuiteError } from "../http/suite-error.ts";
import { type Target } from "../target/target.ts";
import { embeddedTargets, isEmbedded } from "./embedded-targets.ts";
import type { RunFlags, Setup } from "./flags.ts";
import type { Interruption } from "./interruption.ts";
import { readExpectedFailures, requireUpdatable, updateExpectedFailuresFile } from "./expected-failures.ts";
import { progressDisplay } from "./progress.ts";
import { writeAnnotations, requirePlace, writeReports } from "./write-reports.ts";

/**
 * Makes one run, prints what it found, writes its reports, and sets the exit code.
 *
 * @param interruption - Reaction to Ctrl-C.
 * @throws {SuiteError} As `runConformance`; `usage` when a file can't be read or written.
 */
export async function judge(
  target: Target,
  setup: Setup,
  flags: RunFlags,
  interruption: Interruption,
): Promise<Report> {
  const expectedFailures = readKnownFailures(setup, flags);
  requirePlace(setup.values.report, setup.values.out);
  const report = await runWithProgress(target, setup, expectedFailures, interruption);
  const parts = [renderTerminal(report)];
  try {
    const paths = await writeReports(report, setup.values.report, setup.values.out);
    parts.push(...updated(report, setup, flags));
    if (paths.length > 0) parts.push(`Reports: ${paths.join(", ")}\n`);
  } finally {
    // What was sent has cost its price: what came of it is told, whatever becomes of the files.
    process.stdout.write(`${parts.join("\n")}${await writeAnnotations(report)}`);
  }
  process.exitCode = report.exitCode;
  return report;
}

/** Reads the known failures. A file that is to be updated may have mistakes, or be missing. */
function readKnownFailures({ values: { expectedFailures: file } }: Setup, flags: RunFlags): readonly ExpectedFailure[] {
  if (flags.updateExpectedFailures !== true) return file === undefined ? [] : readExpectedFailures(file);
  if (file === undefined)
    throw new SuiteError("usage", "--update-expected-failures needs a file to write; name it with --expected-failures");
  requireUpdatable(file);
  return [];
}

function updated(report: Report, { values: { expectedFailures: file } }: Setup, flags: RunFlags): string[] {
  if (flags.updateExpectedFailures !== true || file === undefined) return [];
  if (report.run.interrupted) return ["Expected failures: left as they are, since the run was interrupted."];
  return [`Expected failures: ${updateExpectedFailuresFile(file, report)}`];
}

async function runWithProgress(
  target: Target,
  { values, settings }: Setup,
  expectedFailures: readonly ExpectedFailure[],
  interruption: Interruption,
): Promise<Report> {
  const what = isEmbedded(target.name) ? `${target.name}, ${embeddedTargets[target.name].what}, at ` : "";
  console.log(`Conformance to the cloud browser interface ${contractVersion}\nTarget: ${what}${target.baseUrl}`);
  const { timeout, replayWait } = values;
  const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
  const display = progressDisplay(process.stderr);
  interruption.onFirst = () => {
    display.say(
      "Interrupted: the reports cover what was found so far. Press Ctrl-C again to stop at once, without reports.",
    );
  };
  try {
    return await runConformance(target, {
      ...pickRunOptions(values),
      settings,
      expectedFailures,
      limits: timeoutMs === undefined ? {} : { timeoutMs, streamTimeoutMs: timeoutMs },
      pageTimeouts: replayWait === undefined ? {} : { recordingReady: replayWait * 1000 },
      signal: interruption.signal,
      onPlan: (plan) => console.log(`${planText(plan, values)}\n`),
      onProgress: display.show,
    });
  } finally {
    interruption.onFirst = undefined;
    display.stop();
  }
}

const profileTexts = {
  free: "starts no billed run",
  "read-only": "GET only",
  full: "may start billed runs",
} as const;

function planText(
  { requests, leftOut, checks, profile, seed }: RunPlan,
  { maxRuns, maxCostUsd }: Setup["values"],
): string {
  const cost = maxCostUsd === undefined ? "" : `, until they cost ${maxCostUsd} US dollars`;
  const budget = profile === "full" ? `, at most ${maxRuns}${cost}` : "";
  const which = checks.selected === checks.all ? `${checks.all} checks` : `${checks.selected} of ${checks.all} checks`;
  return [
    `Profile: ${profile}, ${profileTexts[profile]}${budget}`,
    `Plan: ${requests} ${requests === 1 ? "request" : "requests"} will be sent for ${which} (seed ${seed})`,
    ...(leftOut === 0 ? [] : [`Left out: ${leftOut} requests that show less (--max-requests)`]),
  ].join("\n");
}
