import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { Option } from "commander";
import type { ProfileSiteView, ProfileView } from "../../control/profiles/profile-view.ts";
import { messageOf, ServiceError } from "../../service-error.ts";
import { addListedFlags, type ListedFlags, queryOf } from "../listed.ts";
import { addReachFlags, askService, type ListFlags, type ReachFlags } from "../reach.ts";
import { printable } from "../columns.ts";

/** Adds the commands that list, show, import, export and delete profiles. */
export function register(program: Command): void {
  const profiles = program
    .command("profiles")
    .description("list, show, import, export and delete profiles: logins and storage that sessions begin with");
  const ls = profiles
    .command("ls")
    .description("list profiles, with the sites that have a login")
    .option("--json", "print them as JSON");
  addReachFlags(addListedFlags(ls)).action(listProfiles);
  const show = profiles
    .command("show")
    .description("show the sites of a profile, since when they have a login, and how its last session ended")
    .argument("<name>")
    .option("--json", "print it as JSON");
  addReachFlags(addOwnerFlag(show)).action(showProfile);
  const load = profiles
    .command("import")
    .description("make a profile from a storage state of Playwright (JSON) or a cookies.txt file; - for standard input")
    .argument("<name>", "letters, digits, . _ and -")
    .argument("<file>")
    .option("--replace", "replace a profile of that name");
  addReachFlags(load).action(importProfile);
  const save = profiles
    .command("export")
    .description("print a profile as a storage state of Playwright, or write it to a file; all of it is secret")
    .argument("<name>")
    .option("--output <file>", "file that only you may read");
  addReachFlags(save).action(exportProfile);
  const remove = profiles
    .command("rm")
    .description("delete profiles, also while sessions use them: these write nothing back then")
    .argument("<name...>");
  addReachFlags(addOwnerFlag(remove)).action(deleteProfiles);
  const reencrypt = profiles
    .command("reencrypt")
    .description("encrypt all profiles with the first key of the service (needs the role operate)");
  addReachFlags(reencrypt).action(reencryptProfiles);
}

type OwnerFlags = Pick<ListedFlags, "key">;

function addOwnerFlag(command: Command): Command {
  const about = "that of the key with this name, main for that of the service (needs the role operate)";
  return command.addOption(new Option("--key <name>", about));
}

async function listProfiles(flags: ListFlags & ListedFlags): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { profiles } = (await askService(flags, "GET", `/control/profiles${queryOf(flags)}`)) as {
    readonly profiles: readonly ProfileView[];
  };
  if (flags.json) return console.log(JSON.stringify(profiles, undefined, 2));
  if (profiles.length === 0) return console.log("No profiles. A session makes one: open URL --profile NAME");
  const longest = Math.max(...profiles.map(({ name }) => name.length));
  for (const profile of profiles) console.log(line(profile, longest, flags.allKeys === true));
}

/** One profile in one line. */
function line(profile: ProfileView, longest: number, withKey: boolean): string {
  const { name, key, saved_at, sites, in_use_by } = profile;
  const logins = sites?.filter(({ login }) => login.length > 0).map(({ site }) => site);
  const what =
    logins === undefined ? "encrypted with another key" : logins.length === 0 ? "no login" : logins.join(", ");
  const cells = [
    name.padEnd(longest),
    ...(withKey ? [key] : []),
    saved_at === null ? "never saved     " : minuteOf(saved_at),
  ];
  return [...cells, what, ...(in_use_by === null ? [] : [`in use by ${in_use_by}`])].map(printable).join("  ");
}

async function showProfile(name: string, flags: ListFlags & OwnerFlags): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const profile = (await askService(flags, "GET", pathOf(name) + queryOf(flags))) as ProfileView;
  if (flags.json) return console.log(JSON.stringify(profile, undefined, 2));
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
  for (const text of lines) console.log(printable(text));
}

function siteLine({
  site,
  login,
  login_since,
  login_expires_at,
  cookies,
  local_storage,
  databases,
}: ProfileSiteView): string {
  const has = [
    ...(cookies > 0 ? [counted(cookies, "cookie")] : []),
    ...(local_storage > 0 ? [counted(local_storage, "entry of local storage")] : []),
    ...(databases > 0 ? [counted(databases, "database")] : []),
  ].join(", ");
  if (login_since === null) return `${site}: ${has}`;
  const until = login_expires_at === null ? "" : `, until ${minuteOf(login_expires_at)}`;
  return `${site}: login (${login.join(", ")}) since ${minuteOf(login_since)}${until}; ${has}`;
}

async function importProfile(
  name: string,
  file: string,
  flags: ReachFlags & { readonly replace?: true },
): Promise<void> {
  const text = readText(file);
  const given = /^\s*[{[]/.test(text.replace(/^\uFEFF/, ""))
    ? { storage_state: parseState(file, text) }
    : { cookies_txt: text };
  const body = { name, ...given, ...(flags.replace && { replace: true }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { left_out } = (await askService(flags, "POST", "/control/profiles", body)) as {
    readonly left_out: readonly string[];
  };
  for (const one of left_out) console.error(`left out: ${printable(one)}`);
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new ServiceError("usage", `${file} can't be read (${messageOf(cause)})`, { cause });
  }
}

/** Parses JSON; the error has the place, and none of the text, which what Node.js says would repeat. */
function parseState(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch (error) {
    const [place] = /line \d+ column \d+/.exec(messageOf(error)) ?? [];
    const where = place ?? "it ends too early";
    throw new ServiceError("usage", `${file} is not JSON (${where}), and not a cookies.txt file`);
  }
}

async function exportProfile(name: string, flags: ReachFlags & { readonly output?: string }): Promise<void> {
  const state = JSON.stringify(await askService(flags, "GET", `${pathOf(name)}/storage-state`), undefined, 2);
  const { output } = flags;
  if (output === undefined) return console.log(state);
  try {
    // One that is there would keep its mode, and others might read it.
    writeFileSync(output, `${state}\n`, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    const why = `${output} can't be written (${messageOf(cause)}); name one that is not there`;
    throw new ServiceError("usage", why, { cause });
  }
}

async function deleteProfiles(names: readonly string[], flags: ReachFlags & OwnerFlags): Promise<void> {
  for (const name of names) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
    const { in_use_by: user } = (await askService(flags, "DELETE", pathOf(name) + queryOf(flags))) as {
      readonly in_use_by: string | null;
    };
    if (user !== null) console.error(`${name}: the session ${user} goes on with it, and writes nothing back`);
  }
}

async function reencryptProfiles(flags: ReachFlags): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { reencrypted, unreadable } = (await askService(flags, "POST", "/control/profiles/reencrypt")) as {
    readonly reencrypted: number;
    readonly unreadable: number;
  };
  console.log(`${counted(reencrypted, "profile")} encrypted with the first key`);
  if (unreadable > 0)
    throw new ServiceError(
      "storage-failed",
      `${counted(unreadable, "profile")} could not be read: their key is missing, or they are damaged`,
    );
}

function pathOf(name: string): string {
  return `/control/profiles/${encodeURIComponent(name)}`;
}

/** Returns a time of ISO 8601 up to its minute. */
function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.replace(/^(entry)/, "entries").replace(/^(cookie|database|profile)$/, "$1s")}`;
}
