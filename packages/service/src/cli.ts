#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { register as registerEnd } from "./cli/end.ts";
import { register as registerFunctions } from "./cli/functions.ts";
import { register as registerList } from "./cli/ls.ts";
import { register as registerOpen } from "./cli/open.ts";
import { register as registerRun } from "./cli/run.ts";
import { register as registerServe } from "./cli/serve.ts";
import { ServiceError } from "./service-error.ts";
import { serviceVersion } from "./service-version.ts";

const program = new Command("cloud-browser")
  .description("The cloud browser interface on a real Chromium, on this machine.")
  .version(serviceVersion)
  .exitOverride()
  .showHelpAfterError("Run with --help to see what it takes.");

for (const register of [registerServe, registerOpen, registerList, registerEnd, registerFunctions, registerRun])
  register(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Says what went wrong, and gives the exit code for it: 2 for a wrong call, 3 for what could not be done. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ServiceError) {
    console.error(`cloud-browser: ${error.message}`);
    return error.code === "usage" ? 2 : 3;
  }
  console.error("cloud-browser: this is a fault of the service");
  console.error(error);
  return 3;
}
