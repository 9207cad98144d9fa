import type { Command } from "commander";
import type { RunView } from "../control/run-view.ts";
import { minuteOf, printColumns } from "./columns.ts";
import { addListedFlags, queryOf, type ListedFlags } from "./listed.ts";
import { addReachFlags, askForEach, askService, requestService, type ReachFlags } from "./reach.ts";
import { runEvents } from "./run-events.ts";
import { printRun } from "./run.ts";

interface RunsFlags extends ReachFlags, ListedFlags {
  readonly json?: true;
}

/** Adds the commands that list, follow and cancel runs. */
export function register(program: Command): void {
  const runs = program
    .command("runs")
    .description("list automation runs, the newest first; ended ones are kept for a week")
    .option("--json", "print them as JSON");
  addReachFlags(addListedFlags(runs)).action(list);
  const follow = runs
    .command("follow")
    .description("print the progress of a run from its beginning until it ends, and the data that it extracts as JSON")
    .argument("<thread_id>")
    .option("--json", "print the data only, and no progress");
  addReachFlags(follow).action(async (id: string, _: unknown, command: Command) =>
    followRun(id, command.optsWithGlobals()),
  );
  const cancel = runs.command("cancel").description("cancel runs").argument("<thread_id...>");
  addReachFlags(cancel).action(async (ids: readonly string[], _: unknown, command: Command) =>
    askForEach(
      command.optsWithGlobals(),
      "POST",
      ids.map((id) => `${pathOf(id)}/cancel`),
    ),
  );
}

async function list(flags: RunsFlags): Promise<void> {
  const states = ["active", "ended"].map((state) =>
    askService(flags, "GET", `/control/runs${queryOf(flags, { state })}`),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const answers = (await Promise.all(states)) as readonly { readonly runs: readonly RunView[] }[];
  // One that ended between the two is in both.
  const all = new Map(answers.flatMap(({ runs }) => runs.map((run) => [run.thread_id, run] as const)));
  const runs = [...all.values()];
  if (flags.json) return console.log(JSON.stringify(runs, undefined, 2));
  if (runs.length === 0) return console.log("No runs. An automation is one, and so is a function that is run again.");
  const { allKeys = false } = flags;
  const columns = [
    { header: "RUN" },
    { header: "KEY", isHidden: !allKeys },
    { header: "STARTED" },
    { header: "STATE" },
    { header: "STEPS", isRight: true },
    { header: "USD", isRight: true },
    { header: "TASK" },
  ];
  const rows = runs.map(({ thread_id, key, started_at, end, reason, steps, cost_usd, task }) => [
    thread_id,
    key,
    minuteOf(started_at),
    reason === null ? (end ?? "active") : `${end} (${reason})`,
    String(steps),
    cost_usd,
    task ?? "",
  ]);
  printColumns(columns, rows);
}

async function followRun(id: string, flags: RunsFlags): Promise<void> {
  const open = (lastId: string): Promise<Response> =>
    requestService(flags, "GET", `${pathOf(id)}/events`, undefined, { "last-event-id": lastId });
  await printRun(runEvents(await open("0"), open), flags);
}

function pathOf(id: string): string {
  return `/control/runs/${encodeURIComponent(id)}`;
}
