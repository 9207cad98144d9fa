import type { ControlHandover } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import { describeArray, findSchema } from "../output/output-schema.ts";
import { addCommand, addGroup, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { seconds } from "../command/option-parsers.ts";
import { formatMinute, printable } from "../terminal/printable.ts";
import { printTable } from "../terminal/table.ts";
import { showProgress } from "../terminal/progress.ts";
import { whose, whoseOptions, type WhoseFlags } from "./whose.ts";

interface ListFlags extends WhoseFlags {
  readonly all?: boolean;
}

interface AskFlags {
  readonly deadline?: number;
  readonly wait?: boolean;
}

interface AnswerFlags {
  readonly note?: string;
}

/** Adds the commands that ask a person, and list and answer such requests. */
export function register(program: Command, context: ProgramContext): void {
  const handover = addGroup(
    program,
    "handover",
    "what programs and runs ask a person to do; act in the session with `cloud-browser view --steer`",
  );
  addCommand<ListFlags>(
    handover,
    context,
    "ls",
    {
      summary: "list open requests for a person, the newest first",
      isDefault: true,
      options: [
        new Option("--all", "list those that were answered, too; they are kept as long as the record of their session"),
        ...whoseOptions(),
      ],
      output: describeArray(findSchema("control", "Handover")),
      examples: ["handover", "handover ls --all --json"],
    },
    list,
  );
  addCommand<AskFlags>(
    handover,
    context,
    "ask",
    {
      summary: "ask a person to do something in a session, and print the id of the request",
      args: {
        "<session_id>": "id of the session",
        "<message>": "what the person is to do; everybody who sees the session reads it",
      },
      options: [
        new Option("--deadline <seconds>", "when it expires (default: 600)").argParser(seconds(1, 86_400)),
        new Option("--wait", "wait for the answer, and print it; declined or expired is a failure"),
      ],
      output: findSchema("control", "Handover"),
      examples: ['handover ask 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b "log in, please" --wait'],
    },
    askPerson,
  );
  addCommand<AnswerFlags>(
    handover,
    context,
    "answer",
    {
      summary: "answer a request: the program goes on, and the control goes back to it",
      args: {
        "<handover_id>": "id of the request",
        "<answer>": { about: "whether it was done", choices: ["done", "declined"] },
      },
      options: [new Option("--note <text>", "what the program is told with it")],
      output: findSchema("control", "Handover"),
      examples: ["handover answer 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b done"],
    },
    answerRequest,
  );
}

async function list({ flags, terminal, signal, connect, print }: Call<ListFlags>): Promise<void> {
  const query = { ...whose(flags), limit: 1000, ...(!flags.all && { state: "open" as const }) };
  const { open, handovers } = await connect().control.handovers.list(query, { signal });
  print(handovers, () => {
    if (handovers.length === 0) return terminal.print("No requests for a person.");
    const columns = [
      { header: "REQUEST" },
      { header: "SESSION" },
      { header: "KEY", isHidden: !flags.allKeys },
      { header: "STATE" },
      { header: "MESSAGE" },
    ];
    printTable(terminal, columns, handovers.map(formatRow));
    if (flags.all) terminal.print(`${open} open.`);
  });
}

function formatRow({ handover_id, session_id, key, answer, expires_at, message }: ControlHandover): string[] {
  return [handover_id, session_id, key, answer ?? `open until ${formatMinute(expires_at)}`, message];
}

async function askPerson(call: Call<AskFlags>, sessionId: string, message: string): Promise<void> {
  const { flags, terminal, signal, connect, print } = call;
  const { handovers } = connect().control;
  const { deadline } = flags;
  const body = { message, ...(deadline !== undefined && { deadline_s: deadline }) };
  const handover = await handovers.ask(sessionId, body, { signal });
  if (!flags.wait) return print(handover, () => terminal.print(handover.handover_id));
  const progress = showProgress(terminal, `waiting for a person (${handover.handover_id})`, flags.json);
  try {
    const answered = await handovers.wait(sessionId, handover.handover_id, { signal });
    progress.stop();
    const { answer, note } = answered;
    print(answered, () => terminal.print(printable(`${answer}${note === null ? "" : `: ${note}`}`)));
    if (answer !== "done") throw new CliError(answer === "expired" ? "timeout" : "failed", `the answer is ${answer}`);
  } finally {
    progress.stop();
  }
}

async function answerRequest(
  { flags, signal, connect, print }: Call<AnswerFlags>,
  id: string,
  answer: "done" | "declined",
): Promise<void> {
  const { handovers: control } = connect().control;
  const { handovers } = await control.list({ limit: 1000 }, { signal });
  const handover = handovers.find(({ handover_id }) => handover_id === id);
  if (!handover) throw new CliError("not-found", "there is no such request for a person of this key");
  const { note } = flags;
  const body = { answer, ...(note !== undefined && { note }) };
  const answered = await control.answer(handover.session_id, id, body, { signal });
  print(answered, () => undefined);
}
