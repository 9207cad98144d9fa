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
  for (const session of sessions) console.log(line(session, keys, process.stdout.columns));
}

/**
 * One session per line, cut to the width of the terminal; not cut if the output is not a terminal.
 *
 * @param keyWidth - Width of the column of keys. Default: there is none.
 */
function line(
  { session_id, key, state, created_at, ended_at, end_reason, url, title }: SessionView,
  keyWidth: number | undefined,
  width?: number,
): string {
  const lasted = duration(Date.parse(ended_at ?? new Date().toISOString()) - Date.parse(created_at));
  const how = (state === "active" ? "active" : `ended (${end_reason})`).padEnd(23);
  const page = [url, title].filter((part) => part !== null).join("  ");
  const owner = keyWidth === undefined ? "" : `${key.padEnd(keyWidth)}  `;
  const text = `${session_id}  ${owner}${how} ${lasted.padStart(8)}  ${printable(page)}`;
  return width === undefined ? text : text.slice(0, width);
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
