import type { ControlRun } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import { describeArray, describeObject, findSchema } from "../output/output-schema.ts";
import { addCommand, addGroup, type Call, type ProgramContext } from "../command/command.ts";
import { formatMinute } from "../terminal/printable.ts";
import { printTable } from "../terminal/table.ts";
import { answerHere } from "../runs/answer-here.ts";
import { forEach } from "./each.ts";
import { printRun, runOutput, type FollowFlags } from "../runs/run-output.ts";
import { whose, whoseOptions, type WhoseFlags } from "./whose.ts";

/** Adds the commands that list, follow and cancel runs. */
export function register(program: Command, context: ProgramContext): void {
  const runs = addGroup(program, "runs", "list, follow and cancel automation runs; ended ones are kept for a week");
  addCommand<WhoseFlags>(
    runs,
    context,
    "ls",
    {
      summary: "list runs, active and ended, the newest first",
      isDefault: true,
      options: whoseOptions(),
      output: describeArray(findSchema("control", "Run")),
      examples: ["runs", "runs ls --json | jq '.[] | select(.state == \"active\")'"],
    },
    list,
  );
  addCommand<FollowFlags>(
    runs,
    context,
    "follow",
    {
      summary:
        "print the progress of a run from its beginning until it ends, and its result; leaving it does not end it",
      args: { "<thread_id>": "id of the run" },
      options: [new Option("--events", "print each event as a line of JSON, as it comes").conflicts("json")],
      output: runOutput,
      examples: ["runs follow 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b"],
    },
    follow,
  );
  addCommand(
    runs,
    context,
    "show",
    {
      summary: "show a run: its state, its steps and its cost",
      args: { "<thread_id>": "id of the run" },
      output: findSchema("control", "Run"),
      examples: ["runs show 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --json"],
    },
    show,
  );
  addCommand(
    runs,
    context,
    "cancel",
    {
      summary: "cancel runs",
      args: { "<thread_id...>": "ids of runs" },
      output: describeObject({ cancelled: describeArray({ type: "string", description: "Id of a run." }) }),
      examples: ["runs cancel 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b"],
    },
    cancel,
  );
}

async function list({ flags, terminal, signal, connect, print }: Call<WhoseFlags>): Promise<void> {
  const { runs: control } = connect().control;
  const answers = await Promise.all(
    (["active", "ended"] as const).map((state) => control.list({ ...whose(flags), state }, { signal })),
  );
  // One that ended between the two is in both.
  const runs = [...new Map(answers.flatMap(({ runs: some }) => some.map((run) => [run.thread_id, run]))).values()];
  print(runs, () => {
    if (runs.length === 0)
      return terminal.print("No runs. An automation is one, and so is a function that is run again.");
    const columns = [
      { header: "RUN" },
      { header: "KEY", isHidden: !flags.allKeys },
      { header: "STARTED" },
      { header: "STATE" },
      { header: "STEPS", isRight: true },
      { header: "USD", isRight: true },
      { header: "TASK" },
    ];
    printTable(terminal, columns, runs.map(formatRow));
  });
}

function formatRow(run: ControlRun): string[] {
  const { thread_id, key, started_at, steps, cost_usd, task } = run;
  return [thread_id, key, formatMinute(started_at), formatState(run), String(steps), cost_usd, task ?? ""];
}

function formatState({ end, reason }: ControlRun): string {
  return reason === null ? (end ?? "active") : `${end} (${reason})`;
}

async function show({ terminal, signal, connect, print }: Call<object>, id: string): Promise<void> {
  const run = await connect().control.runs.read(id, { signal });
  print(run, () => {
    const rows = [
      ["run", run.thread_id],
      ["state", formatState(run)],
      ["started", formatMinute(run.started_at)],
      ["steps", String(run.steps)],
      ["cost", `${run.cost_usd} USD`],
      ["session", run.session_id ?? ""],
      ["function", run.function_id ?? ""],
      ["task", run.task ?? ""],
    ];
    printTable(terminal, [{ header: "WHAT" }, { header: "VALUE" }], rows);
  });
}

async function follow(call: Call<FollowFlags>, id: string): Promise<void> {
  const { runs } = call.connect().control;
  await runs.read(id, { signal: call.signal }); // says when there is none
  const { stream } = await runs.follow(id, { signal: call.signal });
  await printRun(call, stream, id, (waiting, until) => answerHere(call, waiting, until));
}

async function cancel({ signal, connect, print }: Call<object>, ids: readonly string[]): Promise<void> {
  const { runs } = connect().control;
  await forEach(ids, (id) => runs.cancel(id, { signal }));
  print({ cancelled: ids }, () => undefined);
}
