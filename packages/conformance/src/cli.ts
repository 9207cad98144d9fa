#!/usr/bin/env node
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import yoctoSpinner from "yocto-spinner";
import { contractVersion } from "./contract.ts";
import { renderHtml } from "./report/html.ts";
import { renderJunit } from "./report/junit.ts";
import { renderTerminal } from "./report/terminal.ts";
import type { Report } from "./report.ts";
import { runConformance, type Progress } from "./run-conformance.ts";
import { SuiteError } from "./suite-error.ts";
import { suiteVersion } from "./suite-version.ts";
import { checks } from "./suite.ts";
import { liveTarget, prismTarget, type Target } from "./target.ts";

/** What `conformance run` takes from the command line. */
interface RunFlags {
  target?: "prism";
  baseUrl?: string;
  automationUrl?: string;
  sessionId?: string;
  endedSessionId?: string;
  apiKeyEnv: string;
  query?: string;
  maxRuns: number;
  timeout?: number;
  out: string;
}

/** Least time between two lines of progress where there is no terminal to draw on, in milliseconds. */
const plainProgressMs = 5_000;

const program = new Command("conformance")
  .description("Judges a server against the cloud browser interface, requirement by requirement.")
  .version(suiteVersion)
  .exitOverride()
  .showHelpAfterError("Run with --help to see what it takes.");

program
  .command("run", { isDefault: true })
  .description("judge a target and write reports")
  .option("--target <name>", "embedded target: prism, a mock of the contract (default without --base-url)", onlyPrism)
  .option("--base-url <url>", "address of the session-scoped operations of a live target")
  .option("--automation-url <url>", "address of the automation operation (default: the base URL)")
  .option("--session-id <id>", "an open session, for scrape and cookies")
  .option("--ended-session-id <id>", "an ended session that has a recording, for the replay")
  .option("--api-key-env <name>", "environment variable that holds the API key", "CLOUD_BROWSER_API_KEY")
  .option("--query <text>", "task of the one automation run (default: one that needs no page)")
  .option("--max-runs <n>", "billed automation runs that may be started: 0 or 1", zeroOrOne, 1)
  .option("--timeout <seconds>", "limit for each answer, and for each stream", seconds)
  .option("--out <dir>", "where the reports go", "reports")
  .addHelpText(
    "after",
    `
Exit codes:
  0  conforming
  1  a stated requirement is not met
  2  usage or configuration, or nothing was checked
  3  the run could not be finished`,
  )
  .allowExcessArguments()
  .action(run);

program
  .command("list")
  .description("list the checks with the requirements that they judge")
  .option("--json", "as JSON")
  .action(list);

process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

async function run(flags: RunFlags, { args }: Command): Promise<void> {
  if (args.length > 0) throw new SuiteError("usage", `there is no command "${args[0]}"; there are: run, list`);
  if (flags.baseUrl === undefined) return runOnPrism(flags);
  if (flags.target !== undefined) throw new SuiteError("usage", "--target and --base-url exclude each other; give one");
  const report = await judge(targetOf(flags, flags.baseUrl), flags);
  finish(report, flags);
}

async function runOnPrism(flags: RunFlags): Promise<void> {
  const strange = (["automationUrl", "sessionId", "endedSessionId", "query"] as const).find(
    (flag) => flags[flag] !== undefined,
  );
  if (strange !== undefined) {
    const name = strange.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new SuiteError("usage", `--${name} is for a live target; add --base-url, or leave it out`);
  }
  await using prism = await prismTarget();
  finish(await judge(prism.target, flags), flags);
}

function targetOf(flags: RunFlags, baseUrl: string): Target {
  const { automationUrl, sessionId, endedSessionId, query, maxRuns } = flags;
  if (sessionId === undefined) {
    throw new SuiteError("usage", "--session-id is missing; give the id of an open session of the target");
  }
  const apiKey = process.env[flags.apiKeyEnv];
  if (apiKey === undefined || apiKey === "") {
    const advice = "put the API key there, or name another variable with --api-key-env";
    throw new SuiteError("usage", `the environment variable ${flags.apiKeyEnv} is not set; ${advice}`);
  }
  return liveTarget({
    baseUrl,
    apiKey,
    sessionId,
    maxRuns,
    ...(automationUrl === undefined ? {} : { automationUrl }),
    ...(endedSessionId === undefined ? {} : { endedSessionId }),
    ...(query === undefined ? {} : { query }),
  });
}

async function judge(target: Target, flags: RunFlags): Promise<Report> {
  const what = target.kind === "mock" ? "prism, a mock of the contract, at " : "";
  console.log(`Conformance to the cloud browser interface ${contractVersion}\nTarget: ${what}${target.baseUrl}\n`);
  const limits = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout, streamTimeoutMs: flags.timeout };
  const spinner = process.stderr.isTTY ? yoctoSpinner({ text: "starting" }).start() : undefined;
  let lastLineAt = Date.now();
  const onProgress = (progress: Progress): void => {
    if (spinner) {
      spinner.text = progressText(progress);
    } else if (Date.now() - lastLineAt > plainProgressMs) {
      lastLineAt = Date.now();
      console.error(progressText(progress));
    }
  };
  try {
    return await runConformance(target, { limits, onProgress });
  } finally {
    spinner?.stop();
  }
}

function progressText({ sent, total, probe, events }: Progress): string {
  return `${sent}/${total} ${probe}${events === undefined ? "" : `, ${events} events`}`;
}

/** Prints the verdict, writes the reports, and sets the exit code. */
function finish(report: Report, flags: RunFlags): void {
  const files: Record<string, string> = {
    "report.html": renderHtml(report),
    "report.json": `${JSON.stringify(report, null, 2)}\n`,
    "junit.xml": renderJunit(report),
  };
  const paths = Object.keys(files).map((name) => relative(process.cwd(), join(flags.out, name)));
  try {
    mkdirSync(flags.out, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(flags.out, name), text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SuiteError("usage", `the reports could not be written (${why}); give another place with --out`, {
      cause,
    });
  }
  process.stdout.write(`${renderTerminal(report)}\nReports: ${paths.join(", ")}\n`);
  process.exitCode = report.exitCode;
}

function list(flags: { json?: boolean }): void {
  const rows = checks.map(({ id, level, operation, requirements, title }) => ({
    id,
    level,
    operation,
    requirements,
    title,
  }));
  if (flags.json === true) {
    console.log(JSON.stringify(rows, null, 2));
    return;
  }
  const width = Math.max(...rows.map((row) => row.id.length));
  for (const row of rows)
    console.log(`${row.id.padEnd(width)}  ${row.level.padEnd(7)}  ${row.requirements.join(", ")}`);
  console.log(`\n${rows.length} checks`);
}

/** Says what went wrong, and gives the exit code for it. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof SuiteError) {
    console.error(`conformance: ${error.message}`);
    return error.code === "usage" ? 2 : 3;
  }
  console.error("conformance: the suite failed; this is a fault of the suite, not of the target");
  console.error(error);
  return 3;
}

function onlyPrism(value: string): "prism" {
  if (value === "prism") return value;
  throw new InvalidArgumentError("The only embedded target is prism; for a server give --base-url.");
}

function zeroOrOne(value: string): number {
  if (value === "0" || value === "1") return Number(value);
  throw new InvalidArgumentError("Give 0 or 1.");
}

/** Seconds as written, as milliseconds. */
function seconds(value: string): number {
  const ms = Number(value) * 1000;
  if (ms > 0 && ms <= 86_400_000) return ms;
  throw new InvalidArgumentError("Give seconds, more than 0 and at most 86400.");
}
