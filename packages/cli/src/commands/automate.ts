import { startRun } from "@cloud-browser/client/runs";
import { Option, type Command } from "commander";
import { addCommand, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { seconds } from "../command/option-parsers.ts";
import { readAll } from "../terminal/read-all.ts";
import { followOwnRun } from "../runs/follow-own-run.ts";
import { fileOption, prepareRunFiles } from "../runs/run-files.ts";
import { runOutput, type FollowFlags } from "../runs/run-output.ts";

interface AutomateFlags extends FollowFlags {
  readonly session?: string;
  readonly timeout?: number;
  readonly detach?: boolean;
  readonly file: readonly string[];
}

/** Adds the command that performs a task. */
export function register(program: Command, context: ProgramContext): void {
  addCommand<AutomateFlags>(
    program,
    context,
    "automate",
    {
      summary:
        "perform a task, and print what it found: billed. Its progress goes to standard error; Ctrl-C cancels it; where it asks for a person, you can answer",
      args: { "[task]": "the task in words; - or none: from standard input" },
      options: [
        new Option("--timeout <seconds>", "leave and cancel it after so long").argParser(seconds(1, 86_400)),
        new Option("--detach", "print the id of the run, and leave: `runs follow` shows it"),
        fileOption(),
        new Option("--events", "print each event as a line of JSON, as it comes").conflicts("json"),
      ],
      output: runOutput,
      examples: [
        'automate "open https://example.com and extract the table of prices" > prices.json',
        'automate "log in to https://shop.example as anna, and list my orders" --json | jq .data',
        'automate "open https://example.com/apply, upload cv.pdf to Attachment, click Send" --file ~/cv.pdf',
        'automate "open https://example.com" --detach',
      ],
    },
    automate,
  );
}

async function automate(call: Call<AutomateFlags>, argument?: string): Promise<void> {
  const { flags, terminal, signal } = call;
  const query = (argument === undefined || argument === "-" ? await readAll(terminal, "the task") : argument).trim();
  if (query === "") throw new CliError("usage", "the task is empty: give it as an argument, or on standard input");
  const { client, control } = call.connect();
  const request = { query, ...(await prepareRunFiles(flags.file, control, signal)) };
  const limit = flags.timeout === undefined ? undefined : AbortSignal.timeout(flags.timeout * 1000);
  const both = limit ? AbortSignal.any([signal, limit]) : signal;
  const run = await startRun(client, request, { signal: both });
  const { id, isDetached, stream } = run;
  if (flags.detach) {
    await stream.cancel();
    if (!isDetached || id === undefined) {
      throw new CliError("impossible", "the server does not detach runs: this one may end with its connection");
    }
    return call.print({ thread_id: id, outcome: null }, () => terminal.print(id));
  }
  await followOwnRun(call, { stream, id, limit });
}
