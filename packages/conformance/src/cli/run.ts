import type { Command } from "commander";
import { redactAddress } from "../redaction/shown-address.ts";
import { SuiteError } from "../http/suite-error.ts";
import { addSettingFlags, readSetup, makeLiveTarget, type RunFlags } from "./flags.ts";
import { Interruption } from "./interruption.ts";
import { judge } from "./judge.ts";
import { judgeEmbedded } from "./judge-embedded.ts";

/** Adds `conformance run`, the default command. */
export function register(program: Command): void {
  const command = program.command("run", { isDefault: true }).description("judge a target and write reports");
  addSettingFlags(command)
    .option("--update-expected-failures", "write the smallest file of expected failures that covers this run")
    .option(
      "--watch [paths...]",
      "run again when the target restarts, or when the configuration or one of these files changes",
    )
    .addHelpText("after", help)
    .allowExcessArguments()
    .action(run);
}

const help = `
Settings are taken from, in this order: flags, the environment (CLOUD_BROWSER_BASE_URL, _AUTOMATION_URL, _SESSION_ID,
_ENDED_SESSION_ID), the configuration file, defaults. \`conformance config\` shows each value and its source.

With --watch the exit code is that of the last run. Billed runs are started again only with --profile full on the
command line.

Exit codes:
  0  conforming
  1  a stated requirement is not met, or an expected failure is stale, expired or unknown
  2  usage or configuration, or nothing was checked
  3  the run could not be finished, or was interrupted
  130  interrupted twice: no report`;

async function run(flags: RunFlags, command: Command): Promise<void> {
  const [stray] = command.args;
  if (stray !== undefined) {
    const names = command.parent?.commands.map((other) => other.name()).join(", ");
    throw new SuiteError("usage", `unknown command "${redactAddress(stray)}"; use one of: ${names}`);
  }
  if (flags.watch !== undefined) {
    const { watchTarget } = await import("./watch.ts");
    await watchTarget(flags, flags.watch === true ? [] : flags.watch);
    return;
  }
  const setup = await readSetup(flags);
  const interruption = new Interruption();
  if (setup.baseUrl !== undefined) {
    await judge(makeLiveTarget(setup, setup.baseUrl), setup, flags, interruption);
    return;
  }
  await judgeEmbedded(flags, interruption);
}
