import { ClientError } from "@cloud-browser/client";
import type { ControlSchemas } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import { describeArray, describeObject, findSchema } from "../output/output-schema.ts";
import { addCommand, addGroup, type Call, type ProgramContext } from "../command/command.ts";
import { givenProfile, variable, wholeNumber, type GivenProfile } from "../command/option-parsers.ts";
import { CliError } from "../errors/cli-error.ts";
import { harmless, formatMinute, printable } from "../terminal/printable.ts";
import { printTable } from "../terminal/table.ts";
import { forEach } from "./each.ts";
import { followOwnRun } from "../runs/follow-own-run.ts";
import { fileOption, prepareRunFiles } from "../runs/run-files.ts";
import { runOutput, type FollowFlags } from "../runs/run-output.ts";

interface RunFlags extends FollowFlags {
  readonly var: Readonly<Record<string, string>>;
  readonly profile?: GivenProfile;
  readonly file: readonly string[];
}

interface MakeFlags {
  readonly from?: number;
  readonly to?: number;
  readonly name?: string;
}

/** Adds the commands that list, show, make, run and delete functions. */
export function register(program: Command, context: ProgramContext): void {
  addCommand<RunFlags>(
    program,
    context,
    "run",
    {
      summary:
        "run a function again, and print the data that it extracts as JSON; its progress goes to standard error; Ctrl-C cancels it",
      args: { "<function_id>": "id of the function" },
      options: [
        new Option("--var <name=value>", "value of a variable; repeatable").argParser(variable).default({}, "none"),
        new Option(
          "--profile <name>",
          "profile that it begins with and writes back at its end; NAME:read writes nothing back",
        ).argParser(givenProfile),
        fileOption(),
        new Option("--events", "print each event as a line of JSON, as it comes").conflicts("json"),
      ],
      output: runOutput,
      examples: [
        'run 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --var search_term="black tea"',
        "run 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --var file=may.pdf --file reports/may.pdf",
      ],
    },
    run,
  );
  const functions = addGroup(
    program,
    "functions",
    "list, show and delete functions, and make one of what somebody did",
  );
  addCommand(
    functions,
    context,
    "ls",
    {
      summary: "list functions, the newest first",
      isDefault: true,
      output: describeArray(findSchema("control", "Function")),
      examples: ["functions", "functions ls --json"],
    },
    list,
  );
  addCommand(
    functions,
    context,
    "show",
    {
      summary: "print a function as TypeScript for Playwright; with --json its steps",
      args: { "<function_id>": "id of the function" },
      output: findSchema("control", "Function"),
      examples: ["functions show 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b > search.ts"],
    },
    show,
  );
  addCommand<MakeFlags>(
    functions,
    context,
    "make",
    {
      summary: "make a function of what a person or a program did in a session, open or ended, and print its id",
      args: { "<session_id>": "id of the session" },
      options: [
        new Option("--from <number>", "number of the first entry of its timeline").argParser(
          wholeNumber(1, Number.MAX_SAFE_INTEGER),
        ),
        new Option("--to <number>", "number of the last entry").argParser(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
        new Option("--name <words>", "words that it is named by"),
      ],
      output: findSchema("control", "Function"),
      examples: [
        "functions make 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b",
        'functions make 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --from 4 --name "search tea"',
      ],
    },
    make,
  );
  addCommand(
    functions,
    context,
    "delete",
    {
      summary: "delete functions",
      aliases: ["rm"],
      args: { "<function_id...>": "ids of functions" },
      output: describeObject({ deleted: describeArray({ type: "string", description: "Id of a function." }) }),
      examples: ["functions delete 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b"],
    },
    remove,
  );
}

async function run(call: Call<RunFlags>, id: string): Promise<void> {
  const { flags, signal, connect } = call;
  const { var: variables, profile, file: paths } = flags;
  const { control } = connect();
  const body = { variables, ...(profile && { profile }), ...(await prepareRunFiles(paths, control, signal)) };
  const { thread_id: runId } = await control.functions.run(id, body, { signal });
  const { stream } = await control.runs.follow(runId, { signal });
  await followOwnRun(call, { stream, id: runId });
}

async function list({ terminal, signal, connect, print }: Call<object>): Promise<void> {
  const { functions } = await connect().control.functions.list({ signal });
  print(functions, () => {
    if (functions.length === 0) return terminal.print("No functions. A successful automation creates one.");
    const rows = functions.map(({ function_id, function_name, created_at, variables, query }) => {
      const named = variables.map(({ name, value }) => (value === null ? name : `${name}=${value}`)).join(", ");
      return [function_id, formatMinute(created_at), `${function_name}(${named})`, query];
    });
    printTable(
      terminal,
      ["FUNCTION", "CREATED", "CALL", "TASK"].map((header) => ({ header })),
      rows,
    );
  });
}

async function show({ flags, terminal, signal, connect, print }: Call<object>, id: string): Promise<void> {
  const { functions } = connect().control;
  if (flags.json) return print(await functions.read(id, { signal }), () => undefined);
  const source = await functions.readSource(id, { signal });
  terminal.stdout.write(terminal.stdout.isTTY ? harmless(source) : source);
}

async function make({ flags, terminal, signal, connect, print }: Call<MakeFlags>, id: string): Promise<void> {
  const { from, to, name } = flags;
  const request = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(name !== undefined && { name }),
  };
  const created = await connect()
    .control.functions.makeOfActs(id, request, { signal })
    .catch((thrown: unknown) => {
      throw withEntries(thrown);
    });
  print(created, () => {
    terminal.print(created.function_id);
    const needed = created.variables.filter(({ value }) => value === null).map(({ name: its }) => its);
    if (needed.length > 0) terminal.note(`Each run of it needs values for: ${needed.join(", ")}`);
  });
}

/** Returns an error that lists the entries that can't be repeated; any other one as it is. */
function withEntries(thrown: unknown): unknown {
  if (!(thrown instanceof ClientError) || !isRefusal(thrown.body)) return thrown;
  const lines = thrown.body.refused.map(({ seq, code, message, entry }) => {
    const where = seq === null ? "" : `entry ${seq}${entry === null ? "" : ` (${printable(entry)})`}: `;
    return `  ${where}${message} [${code}]`;
  });
  const message = ["what was done there can't be made a function:", ...lines].join("\n");
  return new CliError("impossible", message, { cause: thrown });
}

function isRefusal(body: unknown): body is ControlSchemas["RefusedFunction"] {
  return typeof body === "object" && body !== null && "refused" in body && Array.isArray(body.refused);
}

async function remove({ signal, connect, print }: Call<object>, ids: readonly string[]): Promise<void> {
  const { functions } = connect().control;
  await forEach(ids, (id) => functions.delete(id, { signal }));
  print({ deleted: ids }, () => undefined);
}
