import type { Command } from "commander";
import type { SessionView } from "../control/session-view.ts";
import { Option } from "commander";
import { printColumns } from "./columns.ts";
import { addListedFlags, queryOf, type ListedFlags } from "./listed.ts";
import { shownCommand } from "./shown-command.ts";
import { addReachFlags, askService, type ListFlags } from "./reach.ts";

/** Adds the command that lists sessions. */
export function register(program: Command): void {
  const command = program
    .command("ls")
    .description("list sessions, the newest first; ended ones are kept for a week")
    .addOption(new Option("--state <state>", "those in this state only").choices(["active", "ended"]))
    .option("--json", "print them as JSON; the addresses in it that drive sessions are secrets");
  addReachFlags(addListedFlags(command)).action(list);
}

interface LsFlags extends ListFlags, ListedFlags {
  readonly state?: "active" | "ended";
}

async function list(flags: LsFlags): Promise<void> {
  const query = queryOf(flags, flags.state && { state: flags.state });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { sessions } = (await askService(flags, "GET", `/control/sessions${query}`)) as {
    sessions: readonly SessionView[];
  };
  if (flags.json) return console.log(JSON.stringify(sessions, undefined, 2));
  if (sessions.length === 0) return console.log(`No sessions. Open one with: ${shownCommand} open URL`);
  const { allKeys = false } = flags;
  const columns = [
    { header: "SESSION" },
    { header: "KEY", isHidden: !allKeys },
    { header: "STATE" },
    { header: "OPEN FOR", isRight: true },
    { header: "PAGE" },
  ];
  const rows = sessions.map((session) => [
    session.session_id,
    session.key,
    howOf(session),
    lastedOf(session),
    [session.url, session.title].filter((part) => part !== null).join(" "),
  ]);
  printColumns(columns, rows);
}

/** Says whether a session is open, or why it has ended. */
function howOf({ state, end_reason }: SessionView): string {
  return state === "active" ? "active" : `ended (${end_reason})`;
}

/** Says how long a session lasted, or has lasted until now. */
function lastedOf({ created_at, ended_at }: SessionView): string {
  return duration(Date.parse(ended_at ?? new Date().toISOString()) - Date.parse(created_at));
}

function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s} s`;
  return s < 3600
    ? `${Math.floor(s / 60)} m ${s % 60} s`
    : `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} m`;
}
