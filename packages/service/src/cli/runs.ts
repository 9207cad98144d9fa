import type { Command } from "commander";
import type { RunView } from "../control/run-view.ts";
import { addListedFlags, queryOf, type ListedFlags } from "./listed.ts";
import { addReachFlags, askForEach, askService, requestService, type ReachFlags } from "./reach.ts";
import { runEvents } from "./run-events.ts";
import { printable, printRun } from "./run.ts";

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
  const keys = flags.allKeys ? Math.max(0, ...runs.map(({ key }) => key.length)) : undefined;
  if (runs.length === 0) return console.log("No runs. An automation is one, and so is a function that is run again.");
  for (const run of runs) console.log(line(run, keys, process.stdout.columns));
}

/**
 * One run in one line, cut to the width of the terminal if the output is one.
 *
 * @param keyWidth - Width of the column of keys. Default: there is none.
 */
function line(run: RunView, keyWidth: number | undefined, width?: number): string {
  const { thread_id, key, started_at, end, reason, steps, cost_usd, task } = run;
  const how = (reason === null ? (end ?? "active") : `${end} (${reason})`).padEnd(24);
  const text = [
    thread_id,
    ...(keyWidth === undefined ? [] : [key.padEnd(keyWidth)]),
    started_at.slice(0, 16).replace("T", " "),
    printable(how),
    `${steps} ${steps === 1 ? "step" : "steps"}, ${cost_usd} USD`,
    printable(task ?? ""),
  ]
    .join("  ")
    .trimEnd();
  return width === undefined ? text : text.slice(0, width);
}

async function followRun(id: string, flags: RunsFlags): Promise<void> {
  const open = (lastId: string): Promise<Response> =>
    requestService(flags, "GET", `${pathOf(id)}/events`, undefined, { "last-event-id": lastId });
  await printRun(runEvents(await open("0"), open), flags);
}

function pathOf(id: string): string {
  return `/control/runs/${encodeURIComponent(id)}`;
}
