import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { register as registerAutomate } from "../commands/automate.ts";
import { register as registerCompletions } from "../commands/completions.ts";
import { register as registerDoctor } from "../commands/doctor.ts";
import { register as registerFiles } from "../commands/files.ts";
import { register as registerFunctions } from "../commands/functions.ts";
import { register as registerHandovers } from "../commands/handovers.ts";
import { register as registerKeys } from "../commands/keys.ts";
import { register as registerMcp } from "../commands/mcp.ts";
import { register as registerPages } from "../commands/pages.ts";
import { register as registerProfiles } from "../commands/profiles.ts";
import { register as registerReplay } from "../commands/replay.ts";
import { register as registerRuns } from "../commands/runs.ts";
import { register as registerService } from "../commands/service-package.ts";
import { register as registerSessions } from "../commands/sessions.ts";
import { register as registerTimeline } from "../commands/timeline.ts";
import { register as registerView } from "../commands/view.ts";
import { inFlags } from "../connection/connection.ts";
import { completeSchema } from "../output/output-schema.ts";
import { jsonText } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findCommandFacts, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { exitCodeLines, exitCodes, classifyFailure, explainRefusal } from "../errors/exit-codes.ts";
import { refuseEmpty } from "../command/refuse-empty.ts";
import { findErrorPage } from "./error-page.ts";

/** Creates the program with all its commands. */
export function createProgram(context: ProgramContext): Command {
  const { terminal } = context;
  const program = new Command("cloud-browser")
    .description("A cloud browser from a terminal: any server that speaks the interface, and the one on this machine.")
    .version(manifest.version)
    .exitOverride()
    .enablePositionalOptions()
    .showHelpAfterError("Run with --help for usage.")
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
      getOutHasColors: () => terminal.colors.isColorSupported,
      getErrHasColors: () => terminal.noteColors.isColorSupported,
    })
    .addHelpText("after", () => `\n${variables}\n\nExit codes:\n${exitCodeLines().join("\n")}`)
    .hook("preAction", (_, command) => refuseEmpty(command));
  const commands = [
    registerSessions,
    registerPages,
    registerReplay,
    registerView,
    registerTimeline,
    registerFiles,
    registerAutomate,
    registerRuns,
    registerFunctions,
    registerHandovers,
    registerProfiles,
    registerKeys,
    registerService,
    registerMcp,
    registerDoctor,
  ];
  for (const register of commands) register(program, context);
  registerCompletions(program);
  return program;
}

const variables = `Variables:
  CLOUD_BROWSER_BASE_URL         base URL of the server; default: the service that runs here
  CLOUD_BROWSER_API_KEY          its API key
  CLOUD_BROWSER_AUTOMATION_WORD  the server's own word in /api/<word>/start; default: automation
  CLOUD_BROWSER_SERVICE_WORD     the server's own word in names of headers; default: service
  CLOUD_BROWSER_LOG              debug, info, warn or error: logs requests to standard error
  CLOUD_BROWSER_DOCS_URL         address of the documentation site, which errors then lead to
  NO_COLOR, FORCE_COLOR          no colours, or colours in a pipe, too`;

/**
 * Runs the command in the arguments.
 *
 * @returns The exit code, of `exitCodes`.
 */
export async function runProgram(args: readonly string[], context: ProgramContext): Promise<number> {
  const { terminal, signal } = context;
  const program = createProgram(context);
  try {
    if (args.includes("--json-schema")) await printSchema(program, args, terminal);
    else await program.parseAsync([...args], { from: "user" });
    return exitCodes.done[0];
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.done[0] : exitCodes.usage[0];
    return describeFailure(thrown, terminal, signal);
  }
}

/** Prints the JSON Schema of the output of a command with `--json`. @throws {CliError} `usage` */
async function printSchema(program: Command, args: readonly string[], terminal: Terminal): Promise<void> {
  let command = program;
  for (const arg of args.slice(0, args.indexOf("--"))) {
    const next = command.commands.find((each) => each.name() === arg || each.aliases().includes(arg));
    if (next) command = next;
  }
  const schema = schemaIn(command);
  if (schema === undefined) {
    throw new CliError(
      "usage",
      "--json-schema goes with a command that has --json, such as: cloud-browser ls --json-schema",
    );
  }
  terminal.print(jsonText(await completeSchema(schema)));
}

/** Returns the schema of a command, or of the command that it is an alias of. */
function schemaIn(command: Command): ReturnType<typeof configureOutput> {
  return configureOutput(command) ?? command.commands.map(configureOutput).find((schema) => schema !== undefined);
}

function configureOutput(command: Command) {
  return findCommandFacts(command)?.output;
}

/** Prints an error, and returns its exit code. */
function describeFailure(thrown: unknown, terminal: Terminal, signal: AbortSignal): number {
  const failure = classifyFailure(thrown);
  const { red } = terminal.noteColors;
  if (failure === undefined) {
    terminal.note(`${red("cloud-browser:")} internal error`);
    terminal.note(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    return exitCodes.impossible[0];
  }
  const isInterrupted = signal.aborted && !(thrown instanceof CliError && failure !== "interrupted");
  const code = isInterrupted ? exitCodes.interrupted : exitCodes[failure];
  terminal.note(
    `${red("cloud-browser:")} ${isInterrupted && failure !== "interrupted" ? "interrupted" : inFlags(explainRefusal(thrown))}`,
  );
  const page = isInterrupted ? undefined : findErrorPage(thrown, terminal.env);
  if (page !== undefined) terminal.note(`See ${page}`);
  return code[0];
}
