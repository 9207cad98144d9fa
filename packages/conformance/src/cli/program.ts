import { Command, CommanderError } from "commander";
import { register as registerCompare } from "./compare.ts";
import { register as registerConfig } from "./config.ts";
import { register as registerContractDiff } from "./contract-diff.ts";
import { register as registerGate } from "./gate.ts";
import { register as registerList } from "./list.ts";
import { nameFlags } from "./flags.ts";
import { watchOutput } from "./output.ts";
import { register as registerRun } from "./run.ts";
import { SuiteError } from "../http/suite-error.ts";
import { suiteVersion } from "../contract/suite-version.ts";

/** Returns the command line: its commands and flags, which do nothing until it is told to parse. */
export function makeSuiteProgram(): Command {
  const program = new Command("conformance")
    .description("Judges a server against the cloud browser interface, requirement by requirement.")
    .version(suiteVersion)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(withoutValue(text)) })
    .showHelpAfterError("Run with --help for usage.");
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
  return program;
}

/** Runs the command line, and sets the exit code. */
export async function runProgram(): Promise<void> {
  watchOutput();
  const program = makeSuiteProgram();
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = chooseExitCode(error);
  }
}

/** Removes the value of an unknown option from a message: it may be the API key. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option '(?:--[\w-]+|-\w))[^]*'/, "$1'");
}

/** Prints an error, and returns the exit code for it. */
function chooseExitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof SuiteError) {
    console.error(`conformance: ${nameFlags(error.message)}`);
    return error.code === "usage" ? 2 : 3;
  }
  console.error("conformance: the suite failed; this is a fault of the suite, not of the target");
  console.error(error);
  return 3;
}
