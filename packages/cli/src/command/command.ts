import { Argument, Option, type Command } from "commander";
import {
  addConnectionFlags,
  connectTo,
  type ServerConnection,
  type ConnectionFlags,
} from "../connection/connection.ts";
import type { OutputSchema } from "../output/output-schema.ts";
import { jsonText } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Context of a call of a command, beside its arguments. */
export interface Call<Flags> {
  /** Its flags. */
  readonly flags: Flags & CommonFlags;
  /** Terminal that it reads from and writes to. */
  readonly terminal: Terminal;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Interrupts the command as Ctrl-C does, for a question that handles the key itself. */
  readonly interrupt: () => void;
  /** True when questions are allowed: standard input and error are terminals, and `--no-input` is absent. */
  readonly isInteractive: boolean;
  /** Returns clients of the selected server. */
  readonly connect: () => ServerConnection;
  /** Prints a result: as JSON with `--json`, else as the function does. */
  readonly print: (result: unknown, show: () => void) => void;
}

/** Flags that all commands have. */
export interface CommonFlags extends ConnectionFlags {
  /** Print JSON. */
  readonly json?: boolean;
  /** False with `--no-input`. */
  readonly input?: boolean;
}

/** Facts about a command beyond those of its library. */
export interface CommandFacts {
  /** Calls of it, without the name of the program. */
  readonly examples: readonly string[];
  /** Schema of its output with `--json`. */
  readonly output: OutputSchema | undefined;
}

/** The program, where its commands run. */
export interface ProgramContext {
  /** Terminal that they read from and write to. */
  readonly terminal: Terminal;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Interrupts the command as Ctrl-C does. */
  readonly interrupt: () => void;
}

const facts = new WeakMap<Command, CommandFacts>();

/** Returns the facts about a command; undefined for one that only groups subcommands. */
export function findCommandFacts(command: Command): CommandFacts | undefined {
  return facts.get(command);
}

/** Description of a command. */
export interface CommandDescription extends Omit<CommandFacts, "output"> {
  /** Summary in one sentence. */
  readonly summary: string;
  /** Its arguments: `<id>`, `[url]`, `<id...>`; each with a description. */
  readonly args?: Readonly<Record<string, string | { readonly about: string; readonly choices: readonly string[] }>>;
  /** Further flags. */
  readonly options?: readonly Option[];
  /** Schema of its output with `--json`; without one it has no such flag. */
  readonly output?: OutputSchema;
  /** True for a command that speaks to no server. */
  readonly isLocal?: boolean;
  /** True for the command that its parent stands for. */
  readonly isDefault?: boolean;
  /** Other names. */
  readonly aliases?: readonly string[];
}

/** Adds a command, with the flags that all have, and its examples to its help. */
export function addCommand<Flags>(
  parent: Command,
  context: ProgramContext,
  name: string,
  description: CommandDescription,
  act: (call: Call<Flags>, ...args: never[]) => Promise<void> | void,
): Command {
  const { summary, args = {}, options = [], examples, output, isLocal, isDefault = false, aliases = [] } = description;
  const command = parent
    .command(name, { isDefault })
    .description(summary)
    .aliases([...aliases]);
  for (const [shape, about] of Object.entries(args)) {
    const argument = new Argument(shape, typeof about === "string" ? about : about.about);
    command.addArgument(typeof about === "string" ? argument : argument.choices(about.choices));
  }
  for (const option of options) command.addOption(option);
  if (output) command.option("--json", "print JSON; --json-schema prints its JSON Schema");
  command.addOption(new Option("--no-input", "never ask a person"));
  if (!isLocal) addConnectionFlags(command);
  command.addHelpText("after", () => `\nExamples:\n${examples.map((each) => `  cloud-browser ${each}`).join("\n")}`);
  facts.set(command, { examples, output });
  const { terminal, signal, interrupt } = context;
  return command.action(async (...all: unknown[]) => {
    // Behind the arguments come the flags, and the command itself.
    const values = all.slice(0, command.registeredArguments.length);
    const flags = command.opts<Flags & CommonFlags>();
    let connection: ServerConnection | undefined;
    const call: Call<Flags> = {
      flags,
      terminal,
      signal,
      interrupt,
      isInteractive: flags.input !== false && terminal.stdin.isTTY === true && terminal.stderr.isTTY === true,
      connect: () => (connection ??= connectTo(flags, terminal)),
      print(result, show) {
        if (flags.json) terminal.print(jsonText(result));
        else show();
      },
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as they were declared above
    await act(call, ...(values as never[]));
  });
}

/** Adds a command that only has commands below it. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary);
}

/** Adds a command whose arguments and flags another package reads, `--help` among them; it is loaded when the command is called. */
export function addLocal(
  parent: Command,
  context: ProgramContext,
  name: string,
  { summary, examples }: Pick<CommandDescription, "summary" | "examples">,
  act: (args: readonly string[]) => Promise<void>,
): Command {
  const command = parent
    .command(name)
    .description(summary)
    .argument("[args...]", "its own arguments")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions();
  facts.set(command, { examples, output: undefined });
  return command.action(async (args: readonly string[]) => act(args));
}
