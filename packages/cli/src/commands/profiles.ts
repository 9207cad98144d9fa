import { readFileSync, writeFileSync } from "node:fs";
import type { ControlProfile, ControlSchemas } from "@cloud-browser/client/control";
import { Option, type Command } from "commander";
import { describeArray, describeObject, findSchema } from "../output/output-schema.ts";
import { addCommand, addGroup, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { readMessage } from "../errors/exit-codes.ts";
import { withNoun, jsonText, formatMinute, printable } from "../terminal/printable.ts";
import { printTable } from "../terminal/table.ts";
import { forEach } from "./each.ts";
import { whose, whoseOptions, type WhoseFlags } from "./whose.ts";

type OwnerFlags = Pick<WhoseFlags, "key">;

const ownerOption = (): Option =>
  new Option("--key <name>", "that of the key with this name, main for that of the service (needs the role operate)");

/** Adds the commands that list, show, import, export and delete profiles. */
export function register(program: Command, context: ProgramContext): void {
  const profiles = addGroup(
    program,
    "profiles",
    "list, show, import, export and delete profiles: logins and storage that sessions begin with",
  );
  const name = { "<name>": "name of the profile" };
  addCommand<WhoseFlags>(
    profiles,
    context,
    "ls",
    {
      summary: "list profiles, with the sites that have a login",
      isDefault: true,
      options: whoseOptions(),
      output: describeArray(findSchema("control", "Profile")),
      examples: ["profiles", "profiles ls --json"],
    },
    list,
  );
  addCommand<OwnerFlags>(
    profiles,
    context,
    "show",
    {
      summary: "show the sites of a profile, since when they have a login, and how its last session ended",
      args: name,
      options: [ownerOption()],
      output: findSchema("control", "Profile"),
      examples: ["profiles show shop"],
    },
    show,
  );
  addCommand<{ readonly replace?: boolean }>(
    profiles,
    context,
    "import",
    {
      summary: "make a profile from a storage state of Playwright (JSON) or a cookies.txt file; - for standard input",
      args: { "<name>": "letters, digits, . _ and -", "<file>": "the file, or -" },
      options: [new Option("--replace", "replace a profile of that name")],
      output: {
        allOf: [
          findSchema("control", "Profile"),
          describeObject({
            left_out: describeArray({ type: "string", description: "What of the file was left out." }),
          }),
        ],
      },
      examples: ["profiles import shop state.json", "profiles import shop cookies.txt --replace"],
    },
    importProfile,
  );
  addCommand<{ readonly output?: string }>(
    profiles,
    context,
    "export",
    {
      summary: "print a profile as a storage state of Playwright, or write it to a file; all of it is secret",
      args: name,
      options: [new Option("-o, --output <file>", "file that only you may read")],
      output: findSchema("control", "StorageState"),
      examples: ["profiles export shop --output state.json"],
    },
    exportProfile,
  );
  addCommand<OwnerFlags>(
    profiles,
    context,
    "delete",
    {
      summary: "delete profiles, also while sessions use them: these write nothing back then",
      aliases: ["rm"],
      args: { "<name...>": "names of profiles" },
      options: [ownerOption()],
      output: describeObject({ deleted: describeArray({ type: "string", description: "Name of a profile." }) }),
      examples: ["profiles delete shop"],
    },
    remove,
  );
  addCommand(
    profiles,
    context,
    "reencrypt",
    {
      summary: "encrypt all profiles with the first key of the service (needs the role operate)",
      output: describeObject({ reencrypted: { type: "integer" }, unreadable: { type: "integer" } }),
      examples: ["profiles reencrypt"],
    },
    reencrypt,
  );
}

async function list({ flags, terminal, signal, connect, print }: Call<WhoseFlags>): Promise<void> {
  const { profiles } = await connect().control.profiles.list(whose(flags), { signal });
  print(profiles, () => {
    if (profiles.length === 0) {
      return terminal.print("No profiles. A session makes one: cloud-browser open URL --profile NAME");
    }
    const columns = [
      { header: "PROFILE" },
      { header: "KEY", isHidden: !flags.allKeys },
      { header: "SAVED" },
      { header: "LOGINS" },
    ];
    printTable(terminal, columns, profiles.map(formatRow));
  });
}

function formatRow({ name, key, saved_at, sites, in_use_by }: ControlProfile): string[] {
  const logins = sites?.filter(({ login }) => login.length > 0).map(({ site }) => site);
  const what =
    logins === undefined ? "encrypted with another key" : logins.length === 0 ? "no login" : logins.join(", ");
  const use = in_use_by === null ? "" : `, in use by ${in_use_by}`;
  return [name, key, saved_at === null ? "never saved" : formatMinute(saved_at), `${what}${use}`];
}

async function show({ flags, terminal, signal, connect, print }: Call<OwnerFlags>, name: string): Promise<void> {
  const profile = await connect().control.profiles.read(name, whose(flags), { signal });
  print(profile, () => {
    const { saved_at, used_at, bytes, encryption_key: key, in_use_by, last_write: last, sites } = profile;
    const lines = [
      `${profile.name}: ${bytes} bytes, saved ${saved_at ?? "never"}, used ${used_at ?? "never"}`,
      ...(in_use_by === null ? [] : [`in use by the session ${in_use_by}, which writes it back at its end`]),
      ...(key === "unknown" ? ["encrypted with a key that the service does not have"] : []),
      ...(last === null || last.outcome === "open"
        ? []
        : [`last session ${last.session_id}: ${last.outcome}${last.why === null ? "" : `, ${last.why}`}`]),
      ...(sites ?? []).map(siteLine),
    ];
    for (const line of lines) terminal.print(printable(line));
  });
}

function siteLine(one: ControlSchemas["ProfileSite"]): string {
  const { site, login, login_since, login_expires_at, cookies, local_storage, databases } = one;
  const has = [
    ...(cookies > 0 ? [withNoun(cookies, "cookie")] : []),
    ...(local_storage > 0 ? [withNoun(local_storage, "entry of local storage", "entries of local storage")] : []),
    ...(databases > 0 ? [withNoun(databases, "database")] : []),
  ].join(", ");
  if (login_since === null) return `${site}: ${has}`;
  const until = login_expires_at === null ? "" : `, until ${formatMinute(login_expires_at)}`;
  return `${site}: login (${login.join(", ")}) since ${formatMinute(login_since)}${until}; ${has}`;
}

async function importProfile(
  { flags, terminal, signal, connect, print }: Call<{ readonly replace?: boolean }>,
  name: string,
  file: string,
): Promise<void> {
  const text = readText(file);
  const isJson = /^\s*[{[]/.test(text.replace(/^\uFEFF/, ""));
  const replace = flags.replace === true;
  const body = isJson ? { name, replace, storage_state: parseState(file, text) } : { name, replace, cookies_txt: text };
  const profile = await connect().control.profiles.importState(body, { signal });
  for (const one of profile.left_out) terminal.note(`left out: ${printable(one)}`);
  print(profile, () => undefined);
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new CliError("usage", `${file} can't be read (${readMessage(cause)})`, { cause });
  }
}

/** Parses JSON; the error has the place, and not the text, which the message of Node.js would quote. The service validates the content. */
function parseState(file: string, text: string): ControlSchemas["StorageState"] {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const [place] = /line \d+ column \d+/.exec(readMessage(error)) ?? [];
    const where = place ?? "it ends too early";
    throw new CliError("usage", `${file} is not JSON (${where}), and not a cookies.txt file`);
  }
}

async function exportProfile(
  { flags, terminal, signal, connect }: Call<{ readonly output?: string }>,
  name: string,
): Promise<void> {
  const state = jsonText(await connect().control.profiles.exportState(name, { signal }));
  const { output } = flags;
  if (output === undefined) return terminal.print(state);
  try {
    // One that is there would keep its mode, and others might read it.
    writeFileSync(output, `${state}\n`, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    const why = `${output} can't be written (${readMessage(cause)}); name one that is not there`;
    throw new CliError("usage", why, { cause });
  }
}

async function remove(
  { flags, terminal, signal, connect, print }: Call<OwnerFlags>,
  names: readonly string[],
): Promise<void> {
  const { profiles } = connect().control;
  await forEach(names, async (name) => {
    const { in_use_by: user } = await profiles.delete(name, whose(flags), { signal });
    if (user !== null) terminal.note(`${name}: the session ${user} goes on with it, and writes nothing back`);
  });
  print({ deleted: names }, () => undefined);
}

async function reencrypt({ terminal, signal, connect, print }: Call<object>): Promise<void> {
  const result = await connect().control.profiles.reencrypt({ signal });
  print(result, () => terminal.print(`${withNoun(result.reencrypted, "profile")} encrypted with the first key`));
  if (result.unreadable > 0) {
    throw new CliError(
      "impossible",
      `${withNoun(result.unreadable, "profile")} could not be read: their key is missing, or they are damaged`,
    );
  }
}
