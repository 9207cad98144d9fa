import { Command, CommanderError } from "commander";
import { refuseEmpty } from "./env-option.ts";
import { register as registerBucket } from "./bucket.ts";
import { register as registerEnd } from "./end.ts";
import { register as registerFiles } from "./files.ts";
import { register as registerFunctions } from "./functions.ts";
import { register as registerHandover } from "./handover.ts";
import { register as registerKeys } from "./keys.ts";
import { register as registerList } from "./ls.ts";
import { register as registerOpen } from "./open.ts";
import { register as registerProfiles } from "./profiles/profiles.ts";
import { register as registerRun } from "./run.ts";
import { register as registerRuns } from "./runs.ts";
import { register as registerServe } from "./serve/serve.ts";
import { register as registerTimeline } from "./timeline.ts";
import { serviceErrorOf } from "../service-error.ts";
import { serviceVersion } from "../service-version.ts";

// A closed pipe (EPIPE) is not an error.
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);

/** Does what the command line says, and sets the exit code: 2 for a wrong call, 3 for what could not be done. */
export async function runProgram(): Promise<void> {
  const program = new Command("cloud-browser")
    .description("The cloud browser interface on a real Chromium, on this machine.")
    .version(serviceVersion)
    .exitOverride()
    .showHelpAfterError("Run with --help for usage.")
    .hook("preAction", (_, command) => refuseEmpty(command));
  const commands = [
    registerServe,
    registerOpen,
    registerList,
    registerEnd,
    registerFiles,
    registerTimeline,
    registerFunctions,
    registerRun,
    registerRuns,
    registerProfiles,
    registerHandover,
    registerKeys,
    registerBucket,
  ];
  for (const register of commands) register(program);
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/** Says what went wrong, and gives the exit code for it. */
function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  const error = serviceErrorOf(thrown);
  if (error !== undefined) {
    console.error(`cloud-browser: ${error.message}`);
    return error.code === "usage" ? 2 : 3;
  }
  console.error("cloud-browser: internal error");
  console.error(thrown);
  return 3;
}
