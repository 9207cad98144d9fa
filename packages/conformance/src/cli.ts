#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { register as registerCompare } from "./cli/compare.ts";
import { register as registerConfig } from "./cli/config.ts";
import { register as registerContractDiff } from "./cli/contract-diff.ts";
import { register as registerGate } from "./cli/gate.ts";
import { register as registerList } from "./cli/list.ts";
import { watchOutput } from "./cli/output.ts";
import { register as registerRun } from "./cli/run.ts";
import { SuiteError } from "./suite-error.ts";
import { suiteVersion } from "./suite-version.ts";

watchOutput();

const program = new Command("conformance")
  .description("Judges a server against the cloud browser interface, requirement by requirement.")
  .version(suiteVersion)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(withoutValue(text)) })
  .showHelpAfterError("Run with --help to see what it takes.");

for (const register of [
  registerRun,
  registerList,
  registerConfig,
  registerCompare,
  registerGate,
  registerContractDiff,
]) {
  register(program);
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Whoever gives the key to a flag that there is not must not find it in the log. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option '(?:--[\w-]+|-\w))[^]*'/, "$1'");
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
