import type { ControlKey, ControlSchemas } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import { describeArray, describeObject, findSchema } from "../output/output-schema.ts";
import { addCommand, addGroup, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { commaSeparated, dollars, orNone, seconds, wholeNumber } from "../command/option-parsers.ts";
import { withNoun, formatMinute } from "../terminal/printable.ts";
import { printTable } from "../terminal/table.ts";
import { forEach } from "./each.ts";

interface ChangeFlags {
  readonly roles?: ControlSchemas["KeyRoles"];
  readonly maxSessions?: number | "none";
  readonly maxRuns?: number | "none";
  readonly maxProfiles?: number | "none";
  readonly dailyCost?: string;
  readonly expires?: string;
}

interface RotateFlags {
  readonly overlap?: number;
}

const secret = { type: "string", description: "The key itself, which is shown only once. A secret." };

/** Adds the commands that create, list, change, rotate and revoke keys. */
export function register(program: Command, context: ProgramContext): void {
  const keys = addGroup(
    program,
    "keys",
    "create, list, change, rotate and revoke API keys, in addition to the one that the service was started with",
  );
  addCommand(
    keys,
    context,
    "ls",
    {
      summary: "list the keys, including revoked ones",
      aliases: ["list"],
      isDefault: true,
      output: describeArray(findSchema("control", "Key")),
      examples: ["keys", "keys ls --json"],
    },
    list,
  );
  addCommand<ChangeFlags>(
    keys,
    context,
    "create",
    {
      summary: "create a key and print it; it is shown only once",
      args: { "<name>": "letters, digits, . _ and -; a name can't be used again" },
      options: rightOptions(),
      output: { allOf: [findSchema("control", "Key"), describeObject({ key: secret })] },
      examples: ["keys create team-a --roles use --max-sessions 5 --daily-cost 2.50"],
    },
    create,
  );
  addCommand<ChangeFlags>(
    keys,
    context,
    "set",
    {
      summary: "change roles, quotas or expiry of a key from now on; what is not named stays",
      args: { "<name>": "name of the key" },
      options: rightOptions(),
      output: findSchema("control", "Key"),
      examples: ["keys set team-a --max-sessions none --expires 2030-01-31T12:00:00Z"],
    },
    change,
  );
  addCommand<RotateFlags>(
    keys,
    context,
    "rotate",
    {
      summary: "replace a key by a new one of the same name and print it; sessions and runs stay",
      args: { "<name>": "name of the key" },
      options: [
        new Option("--overlap <seconds>", "seconds for which the old key is good, too (default: 0)").argParser(
          seconds(0, 2_592_000),
        ),
      ],
      output: describeObject({
        name: { type: "string" },
        key: secret,
        overlap_until: { type: "string", format: "date-time" },
      }),
      examples: ["keys rotate team-a --overlap 3600"],
    },
    rotate,
  );
  addCommand(
    keys,
    context,
    "revoke",
    {
      summary: "revoke keys for good, and end their sessions",
      args: { "<name...>": "names of keys" },
      output: describeObject({ revoked: describeArray({ type: "string", description: "Name of a key." }) }),
      examples: ["keys revoke team-a"],
    },
    revoke,
  );
}

/** Creates a flag for a quota of a key. */
function limit(flags: string, about: string): Option {
  return new Option(flags, `${about}, none for no limit; a new key has: none`).argParser(
    orNone(wholeNumber(0, 1_000_000)),
  );
}

/** Creates the flags for roles and quotas of a key. */
function rightOptions(): Option[] {
  return [
    new Option(
      "--roles <roles>",
      "comma-separated: use (sessions and runs of its own), operate (those of all keys), control (keys), metrics; a new key has: use",
    ).argParser(commaSeparated),
    limit("--max-sessions <n>", "limit of concurrent sessions, 0 for no sessions"),
    limit("--max-runs <n>", "limit of concurrent automation runs, 0 for no runs"),
    limit("--max-profiles <n>", "limit of profiles, 0 for none of them"),
    new Option(
      "--daily-cost <usd>",
      "cost limit of its runs per day (UTC) in US dollars, or none; a new key has: none",
    ).argParser(orNone(dollars)),
    new Option("--expires <time>", "when it expires, such as 2030-01-31T12:00:00Z, or never; a new key has: never"),
  ];
}

/** Creates the body of a request from the flags. */
function readRights(flags: ChangeFlags): ControlSchemas["ChangeKey"] {
  const { roles, maxSessions, maxRuns, maxProfiles, dailyCost, expires } = flags;
  const quota = {
    ...readLimit("sessions", maxSessions),
    ...readLimit("runs", maxRuns),
    ...readLimit("profiles", maxProfiles),
    ...(dailyCost !== undefined && { cost_usd_per_day: dailyCost === "none" ? null : dailyCost }),
  };
  return {
    ...(roles && { roles: [...roles] }),
    ...(expires !== undefined && { expires_at: expires === "never" ? null : expires }),
    ...(Object.keys(quota).length > 0 && { quota }),
  };
}

function readLimit(name: "sessions" | "runs" | "profiles", most: number | "none" | undefined): object {
  return most === undefined ? {} : { [name]: most === "none" ? null : most };
}

async function list({ terminal, signal, connect, print }: Call<object>): Promise<void> {
  const { keys } = await connect().control.keys.list({ signal });
  print(keys, () => {
    if (keys.length === 0) return terminal.print("No keys except the one that the service was started with.");
    const columns = ["NAME", "STATE", "CREATED", "ROLES", "LIMITS"].map((header) => ({ header }));
    printTable(terminal, columns, keys.map(formatRow));
  });
}

/** The cells of a key. */
function formatRow({ name, state, roles, quota, created_at, expires_at }: ControlKey): string[] {
  const { sessions, runs, profiles, cost_usd_per_day: cost } = quota;
  const bounds = [
    ...(typeof sessions === "number" ? [withNoun(sessions, "session")] : []),
    ...(typeof runs === "number" ? [withNoun(runs, "run")] : []),
    ...(typeof profiles === "number" ? [withNoun(profiles, "profile")] : []),
    ...(typeof cost === "string" ? [`${cost} USD a day`] : []),
    ...(expires_at === null ? [] : [`until ${formatMinute(expires_at)}`]),
  ];
  return [name, state, formatMinute(created_at), roles.join(","), bounds.join(", ")];
}

async function create({ flags, terminal, signal, connect, print }: Call<ChangeFlags>, name: string): Promise<void> {
  const key = await connect().control.keys.create({ name, ...readRights(flags) }, { signal });
  print(key, () => terminal.print(key.key));
}

async function change({ flags, signal, connect, print }: Call<ChangeFlags>, name: string): Promise<void> {
  const rights = readRights(flags);
  if (Object.keys(rights).length === 0) {
    throw new CliError(
      "usage",
      "name what is to be changed: --roles, --max-sessions, --max-runs, --max-profiles, --daily-cost or --expires",
    );
  }
  const changed = await connect().control.keys.change(name, rights, { signal });
  print(changed, () => undefined);
}

async function rotate({ flags, terminal, signal, connect, print }: Call<RotateFlags>, name: string): Promise<void> {
  const { overlap } = flags;
  const rotated = await connect().control.keys.rotate(name, overlap === undefined ? {} : { overlap_s: overlap }, {
    signal,
  });
  print(rotated, () => terminal.print(rotated.key));
}

async function revoke({ signal, connect, print }: Call<object>, names: readonly string[]): Promise<void> {
  const { keys } = connect().control;
  await forEach(names, (name) => keys.revoke(name, { signal }));
  print({ revoked: names }, () => undefined);
}
