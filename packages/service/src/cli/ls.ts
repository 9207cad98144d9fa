import type { Command } from "commander";
import type { SessionView } from "../control/session-view.ts";
import { Option } from "commander";
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
  const keys = flags.allKeys ? Math.max(0, ...sessions.map(({ key }) => key.length)) : undefined;
  if (sessions.length === 0) return console.log(`No sessions. Open one with: ${shownCommand} open URL`);
  const rows = sessions.map((session) => [session, howOf(session), lastedOf(session)] as const);
  // Columns are as wide as what is in them, so that most of the page's address fits beside; a line is cut to the width of a terminal.
  const widths = {
    how: Math.max(...rows.map(([, how]) => how.length)),
    lasted: Math.max(...rows.map(([, , lasted]) => lasted.length)),
  };
  for (const [session, how, lasted] of rows) {
    const page = [session.url, session.title].filter((part) => part !== null).join("  ");
    const owner = keys === undefined ? [] : [session.key.padEnd(keys)];
    const cells = [
      session.session_id,
      ...owner,
      how.padEnd(widths.how),
      lasted.padStart(widths.lasted),
      printable(page),
    ];
    console.log(cells.join("  ").slice(0, process.stdout.columns));
  }
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

/** A page chooses its title: what would move the cursor is left out. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
}
