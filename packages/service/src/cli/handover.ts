import { Argument, Option, type Command } from "commander";
import type { HandoverView } from "../control/handover-view.ts";
import { ServiceError } from "../service-error.ts";
import { addListedFlags, queryOf, type ListedFlags } from "./listed.ts";
import { addReachFlags, askService, type ReachFlags } from "./reach.ts";
import { printable } from "./columns.ts";

interface ListFlags extends ReachFlags, ListedFlags {
  readonly all?: true;
  readonly json?: true;
}

interface AnswerFlags extends ReachFlags {
  readonly note?: string;
}

/** Most requests that are listed. */
const limit = "1000";

/** Adds the commands that list and answer requests for a person. */
export function register(program: Command): void {
  const handover = program
    .command("handover")
    .description("what programs and runs ask a person to do; act in the session at its live socket");
  const list = handover
    .command("ls")
    .description("list open requests for a person, the newest first")
    .option("--all", "list those that were answered, too; they are kept as long as the record of their session")
    .option("--json", "print them as JSON");
  addReachFlags(addListedFlags(list)).action(listRequests);
  const answer = handover
    .command("answer")
    .description("answer a request: the program goes on, and the control goes back to it")
    .argument("<handover_id>")
    .addArgument(new Argument("<answer>").choices(["done", "declined"]))
    .addOption(new Option("--note <text>", "what the program is told with it"));
  addReachFlags(answer).action(answerRequest);
}

async function listRequests(flags: ListFlags): Promise<void> {
  const { open, handovers } = await requests(flags, queryOf(flags, { limit, ...(!flags.all && { state: "open" }) }));
  if (flags.json) return console.log(JSON.stringify(handovers, undefined, 2));
  if (handovers.length === 0) return console.log("No requests for a person.");
  const keys = flags.allKeys ? Math.max(0, ...handovers.map(({ key }) => key.length)) : undefined;
  for (const one of handovers) console.log(line(one, keys, process.stdout.columns));
  if (flags.all) console.log(`${open} open.`);
}

function line(
  { handover_id, session_id, key, answer, expires_at, message }: HandoverView,
  keyWidth: number | undefined,
  width?: number,
): string {
  const state = answer ?? `open until ${expires_at.slice(0, 16).replace("T", " ")}`;
  const columns = [
    handover_id,
    session_id,
    ...(keyWidth === undefined ? [] : [key.padEnd(keyWidth)]),
    state.padEnd(27),
    printable(message),
  ];
  const text = columns.join("  ").trimEnd();
  return width === undefined ? text : text.slice(0, width);
}

async function answerRequest(id: string, answer: string, flags: AnswerFlags): Promise<void> {
  const { handovers } = await requests(flags, queryOf({}, { limit }));
  const asked = handovers.find(({ handover_id }) => handover_id === id);
  if (!asked) throw new ServiceError("unknown-handover", "there is no such request for a person of this key");
  const path = `/control/sessions/${asked.session_id}/handovers/${encodeURIComponent(id)}/answer`;
  const { note } = flags;
  await askService(flags, "POST", path, { answer, ...(note === undefined ? {} : { note }) });
}

async function requests(
  flags: ReachFlags,
  query: string,
): Promise<{ readonly open: number; readonly handovers: readonly HandoverView[] }> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  return (await askService(flags, "GET", `/control/handovers${query}`)) as {
    open: number;
    handovers: readonly HandoverView[];
  };
}
