import type { ControlSession } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import { describeArray, describeObject, findSchema } from "../output/output-schema.ts";
import { addCommand, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { givenProfile, seconds, viewport, type GivenProfile } from "../command/option-parsers.ts";
import { formatDuration } from "../terminal/printable.ts";
import { printTable } from "../terminal/table.ts";
import { forEach, tryEach } from "./each.ts";
import { whose, whoseOptions, type WhoseFlags } from "./whose.ts";

interface OpenFlags {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly locale?: string;
  readonly profile?: GivenProfile;
  readonly idleLimit?: number;
  readonly totalLimit?: number;
  readonly waitS?: number;
}

interface LsFlags extends WhoseFlags {
  readonly state?: "active" | "ended";
}

interface EndFlags extends WhoseFlags {
  readonly all?: boolean;
}

/** Adds the commands that open, list and end sessions. */
export function register(program: Command, context: ProgramContext): void {
  addCommand<OpenFlags>(
    program,
    context,
    "open",
    {
      summary: "open a session on a page, and print its id",
      args: { "[url]": "page to open; https:// unless it says otherwise (default: about:blank)" },
      options: [
        new Option("--viewport <size>", "size of its pages, such as 1280x720").argParser(viewport),
        new Option("--locale <tag>", "language of its pages, such as de-CH"),
        new Option(
          "--profile <name>",
          "profile that it begins with and writes back at its end; NAME:read writes nothing back",
        ).argParser(givenProfile),
        new Option("--idle-limit <seconds>", "end it when nothing was done for so long").argParser(seconds(1, 86_400)),
        new Option("--total-limit <seconds>", "end it at the latest after so long").argParser(seconds(1, 86_400)),
        new Option("--wait-s <seconds>", "how long to wait while the service is full").argParser(seconds(0, 500)),
      ],
      output: findSchema("control", "Session"),
      examples: ["open https://example.com", "open example.com --viewport 390x844 --profile shop:read --json"],
    },
    open,
  );
  addCommand<LsFlags>(
    program,
    context,
    "ls",
    {
      summary: "list sessions, the newest first; ended ones are kept for a week",
      options: [
        new Option("--state <state>", "those in this state only").choices(["active", "ended"]),
        ...whoseOptions(),
      ],
      output: describeArray(findSchema("control", "Session")),
      examples: ["ls", "ls --state active --json | jq -r '.[].session_id'"],
    },
    list,
  );
  addCommand<EndFlags>(
    program,
    context,
    "end",
    {
      summary: "end sessions; their recordings are ready soon after",
      args: { "[session_id...]": "ids of sessions" },
      options: [new Option("--all", "end all open sessions of this key"), ...whoseOptions()],
      output: describeObject({ ended: describeArray({ type: "string", description: "Id of a session." }) }),
      examples: ["end 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b", "end --all"],
    },
    end,
  );
}

async function open({ flags, terminal, signal, connect, print }: Call<OpenFlags>, url?: string): Promise<void> {
  const { viewport: size, locale, profile, idleLimit, totalLimit, waitS } = flags;
  const session = await connect().control.sessions.open(
    {
      url: address(url ?? "about:blank"),
      ...(size && { viewport: size }),
      ...(locale !== undefined && { locale }),
      ...(profile && { profile }),
      ...(idleLimit !== undefined && { idle_limit_s: idleLimit }),
      ...(totalLimit !== undefined && { total_limit_s: totalLimit }),
      ...(waitS !== undefined && { wait_s: waitS }),
    },
    { signal },
  );
  print(session, () => terminal.print(session.session_id));
}

/** A host as people type it, with a port and what else follows: its name has a point, or is that of this machine. */
const bareHost = /^(?:(localhost|\d+(?:\.\d+){3}|\[[\da-f:.]+\])|[^\s/:?#]+\.[^\s/:?#]+)(?::\d+)?(?:[/?#]|$)/i;

/** Returns the URL for a typed host. */
function address(text: string): string {
  const [whole, numberOrLocal] = bareHost.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${numberOrLocal === undefined ? "https" : "http"}://${text}`;
}

async function list({ flags, terminal, signal, connect, print }: Call<LsFlags>): Promise<void> {
  const query = { ...whose(flags), ...(flags.state && { state: flags.state }) };
  const { sessions } = await connect().control.sessions.list(query, { signal });
  print(sessions, () => {
    if (sessions.length === 0) return terminal.print("No sessions. Open one with: cloud-browser open URL");
    const columns = [
      { header: "SESSION" },
      { header: "KEY", isHidden: !flags.allKeys },
      { header: "STATE" },
      { header: "OPEN FOR", isRight: true },
      { header: "PAGE" },
    ];
    printTable(terminal, columns, sessions.map(formatRow));
  });
}

function formatRow({ session_id, key, state, end_reason, created_at, ended_at, url, title }: ControlSession): string[] {
  const lasted = Date.parse(ended_at ?? new Date().toISOString()) - Date.parse(created_at);
  return [
    session_id,
    key,
    state === "active" ? "active" : `ended (${end_reason})`,
    formatDuration(lasted),
    [url, title].filter((part) => part !== null).join(" "),
  ];
}

async function end(call: Call<EndFlags>, ids: readonly string[]): Promise<void> {
  const { flags, terminal, signal, connect, print } = call;
  if (flags.all !== (ids.length === 0 ? true : undefined)) {
    throw new CliError("usage", "name the sessions to end, or give --all");
  }
  if (!flags.all && (flags.allKeys || flags.key !== undefined)) {
    throw new CliError("usage", "--key and --all-keys go with --all; sessions that are named are of one key anyway");
  }
  const { sessions } = connect().control;
  const endOne = (id: string): Promise<unknown> => sessions.end(id, { signal });
  if (!flags.all) {
    await forEach(ids, endOne);
    return print({ ended: ids }, () => {});
  }
  const { done, failed, fault } = await tryEach(openSessions(call), endOne, atATime);
  const others = failed > 0 ? `, ${failed} could not be ended` : "";
  print({ ended: done }, () => terminal.print(`${done.length} ended${others}.`));
  if (fault) throw fault;
}

/** Number of sessions that the service lists at a time. */
const pageSize = 1_000;

/** Number of sessions that are ended at a time: the response to one arrives when its recording is safe. */
const atATime = 8;

/** Reads the ids of the open sessions page by page, the newest first, without those that are created during it. */
async function* openSessions({ flags, signal, connect }: Call<EndFlags>): AsyncGenerator<string> {
  const { sessions } = connect().control;
  for (let after: string | undefined, isLast = false; !isLast;) {
    const query = { ...whose(flags), limit: pageSize, state: "active", ...(after !== undefined && { after }) } as const;
    const ids = (await sessions.list(query, { signal })).sessions.map(({ session_id }) => session_id);
    yield* ids;
    after = ids.at(-1);
    isLast = ids.length < pageSize;
  }
}
