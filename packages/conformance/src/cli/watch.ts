import { existsSync } from "node:fs";
import { compareReports } from "../baseline/compare.ts";
import { renderChanges } from "../baseline/changes-text.ts";
import { SuiteError } from "../http/suite-error.ts";
import type { Report } from "../report/report.ts";
import { makeLiveTarget, nameFlags, readSetup, type RunFlags, type Setup } from "./flags.ts";
import { Interruption } from "./interruption.ts";
import { judge } from "./judge.ts";
import { Triggers } from "./triggers.ts";

/** Clears the terminal, but not its scrollback. */
const clearScreen = "\u001B[2J\u001B[H";

/**
 * Judges a live target, and again whenever it has been down and answers again, a watched file changes, or Enter is pressed, until Ctrl-C.
 * Each run reports the changes since the one before. The exit code is that of the last run.
 *
 * Billed runs are started only when `--profile full` is on the command line: a profile of the configuration file counts as `free`.
 *
 * @throws {SuiteError} `usage` when there is no terminal or no live target, or a path is not there.
 */
export async function watchTarget(flags: RunFlags, paths: readonly string[]): Promise<void> {
  requireTerminal();
  if (flags.updateExpectedFailures === true)
    throw new SuiteError("usage", "--watch and --update-expected-failures can't be combined; use one");
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new SuiteError("usage", `path to watch does not exist: ${missing}`);
  const interruption = new Interruption();
  const { signal } = interruption;
  await using triggers = await startTriggers(await watchedSetup(flags), paths);
  const onEnter = (): void => triggers.trigger("Enter was pressed");
  process.stdin.on("data", onEnter).unref();
  let before: Report | undefined;
  let reason: string | undefined = "";
  while (reason !== undefined) {
    const report = await runOnce(flags, interruption);
    if (signal.aborted) break;
    if (before && report) process.stdout.write(`\n${renderChanges(compareReports(before, report))}\n`);
    before = report ?? before;
    process.stdout.write("\nWatching. Press Enter to run again, Ctrl-C to stop.\n");
    reason = await triggers.next(signal);
    if (reason !== undefined) process.stdout.write(`${clearScreen}Once more: ${reason}.\n\n`);
  }
  process.stdin.off("data", onEnter).pause();
}

function requireTerminal(): void {
  if (process.stdout.isTTY && process.env["CI"] === undefined) return;
  throw new SuiteError(
    "usage",
    "--watch needs an interactive terminal; leave it out in CI and when the output is piped",
  );
}

async function startTriggers(setup: LiveSetup, paths: readonly string[]): Promise<Triggers> {
  const { file, baseUrl, values } = setup;
  const files = [file, values.expectedFailures].filter((path) => path !== undefined);
  const triggers = new Triggers({ address: baseUrl, paths: [...files, ...paths], out: values.out }, () => {
    process.stdout.write("The target is down.\n");
  });
  await triggers.ready;
  return triggers;
}

type LiveSetup = Setup & { readonly baseUrl: string };

/** Reads the settings again, since the configuration file may have changed. */
async function watchedSetup(flags: RunFlags): Promise<LiveSetup> {
  const setup = await readSetup(flags);
  const { baseUrl, values } = setup;
  if (baseUrl === undefined) {
    throw new SuiteError("usage", "--watch needs a live target; add --base-url");
  }
  const profile = values.profile === "full" && flags["profile"] === undefined ? "free" : values.profile;
  return { ...setup, baseUrl, values: { ...values, profile } };
}

/** Makes one run. An error is printed, and does not end the watch: the target may be restarting. */
async function runOnce(flags: RunFlags, interruption: Interruption): Promise<Report | undefined> {
  try {
    const setup = await watchedSetup(flags);
    return await judge(makeLiveTarget(setup, setup.baseUrl), setup, flags, interruption);
  } catch (error) {
    if (!(error instanceof SuiteError)) throw error;
    console.error(`conformance: ${nameFlags(error.message)}`);
    process.exitCode = error.code === "usage" ? 2 : 3;
    return undefined;
  }
}
