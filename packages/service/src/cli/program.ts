import { Command, CommanderError } from "commander";
import { refuseEmpty } from "./env-option.ts";
import { register as registerBackup } from "./backup.ts";
import { nameFlags } from "./option-flags.ts";
import { register as registerBucket } from "./bucket.ts";
import { register as registerServe } from "./serve/serve.ts";
import { buildErrorPageUrl } from "../error-page.ts";
import { findServiceError } from "../service-error.ts";
import { checkAddress } from "../service-options.ts";
import { serviceVersion } from "../service-version.ts";
import { shownCommand } from "./shown-command.ts";

/** How the program is called. */
export interface ServiceCall {
  /** Its name, in its help. Default: `cloud-browser-service`. */
  readonly name?: string;
  /** Its arguments. Default: those of the process. */
  readonly args?: readonly string[];
}

/** Returns the command line: its commands and flags, which do nothing until it is told to parse. */
export function makeServiceProgram(name = "cloud-browser-service"): Command {
  const program = new Command(name)
    .description("The cloud browser interface on a real Chromium, on this machine.")
    .version(serviceVersion)
    .exitOverride()
    .showHelpAfterError(`Run with --help for usage; commands that use a service: ${shownCommand} --help`)
    .hook("preAction", (_, command) => refuseEmpty(command));
  for (const register of [registerServe, registerBackup, registerBucket]) register(program);
  return program;
}

/** Does what the command line says, and sets the exit code: 2 for a wrong call, 3 for what could not be done. */
export async function runProgram({ name, args }: ServiceCall = {}): Promise<void> {
  // A closed pipe (EPIPE) is not an error.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  const program = makeServiceProgram(name);
  try {
    await (args ? program.parseAsync(args, { from: "user" }) : program.parseAsync());
  } catch (error) {
    process.exitCode = chooseExitCode(error);
  }
}

/** Says what went wrong, and gives the exit code for it. */
function chooseExitCode(thrown: unknown): number {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
  const error = findServiceError(thrown);
  if (error !== undefined) {
    console.error(`cloud-browser: ${nameFlags(error.message)}`);
    const page = buildErrorPageUrl(error.code, readDocsUrl());
    if (page !== undefined) console.error(`See ${page}`);
    return error.code === "usage" ? 2 : 3;
  }
  console.error("cloud-browser: internal error");
  console.error(thrown);
  return 3;
}

/** Returns the address of the documentation site, if the environment has one that is an address. */
function readDocsUrl(): string | undefined {
  const address = process.env["CLOUD_BROWSER_DOCS_URL"];
  try {
    return address === undefined ? undefined : checkAddress("docs URL", address);
  } catch {
    return undefined;
  }
}
