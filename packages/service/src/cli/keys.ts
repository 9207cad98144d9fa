import { InvalidArgumentError, Option, type Command } from "commander";
import { messageOf, ServiceError } from "../service-error.ts";
import type { KeyView } from "../control/key-view.ts";
import control from "../control/control.openapi.json" with { type: "json" };
import { minuteOf, printColumns } from "./columns.ts";
import { dollars, seconds, wholeNumber, type Parser } from "./option-parsers.ts";
import { addReachFlags, askForEach, askService, type ListFlags, type ReachFlags } from "./reach.ts";

interface ChangeFlags extends ReachFlags {
  readonly roles?: readonly string[];
  readonly maxSessions?: number | "none";
  readonly maxRuns?: number | "none";
  readonly maxProfiles?: number | "none";
  readonly dailyCost?: string;
  readonly expires?: string;
}

const { schemas } = control.components;
const { overlap_s } = schemas.RotateKey.properties;
const quotas = schemas.KeyQuota.properties;

/** Costs that the pattern of the interface takes, in US dollars. */
const costRange = { min: 0, max: 999_999_999 };

interface RotateFlags extends ReachFlags {
  readonly overlap?: number;
}

/** Adds the commands that create, list, change, rotate and revoke keys. */
export function register(program: Command): void {
  const keys = program
    .command("keys")
    .description(
      "create, list, change, rotate and revoke API keys, in addition to the one that the service was started with",
    );
  const create = keys
    .command("create")
    .description("create a key and print it; it is shown only once")
    .argument("<name>", "letters, digits, . _ and -; a name can't be used again");
  addReachFlags(addRightFlags(create)).action(makeKey);
  const listed = keys
    .command("list")
    .alias("ls")
    .description("list the keys, including revoked ones")
    .option("--json", "print them as JSON");
  addReachFlags(listed).action(listKeys);
  const set = keys
    .command("set")
    .description("change roles, quotas or expiry of a key from now on; what is not named stays")
    .argument("<name>");
  addReachFlags(addRightFlags(set)).action(changeKey);
  const rotate = keys
    .command("rotate")
    .description("replace a key by a new one of the same name and print it; sessions and runs stay")
    .argument("<name>")
    .option(
      "--overlap <seconds>",
      "seconds for which the old key is good, too (default: 0)",
      seconds({ min: 0, max: overlap_s.maximum * 1000 }),
    );
  addReachFlags(rotate).action(rotateKey);
  const revoke = keys
    .command("revoke")
    .description("revoke keys for good, and end their sessions")
    .argument("<name...>");
  addReachFlags(revoke).action(async (names: readonly string[], flags: ReachFlags) =>
    askForEach(
      flags,
      "DELETE",
      names.map((name) => `/control/keys/${encodeURIComponent(name)}`),
    ),
  );
}

/** Adds the flags that say what a key may do. */
function addRightFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--roles <roles>",
        "comma-separated: use (sessions and runs of its own), operate (those of all keys), control (keys), metrics; a new key has: use",
      ).argParser(list),
    )
    .option(
      "--max-sessions <n>",
      "limit of concurrent sessions, 0 for no sessions, none for no limit; a new key has: none",
      orNone(wholeNumber({ min: quotas.sessions.minimum, max: quotas.sessions.maximum })),
    )
    .option(
      "--max-runs <n>",
      "limit of concurrent automation runs, 0 for no runs, none for no limit; a new key has: none",
      orNone(wholeNumber({ min: quotas.runs.minimum, max: quotas.runs.maximum })),
    )
    .option(
      "--daily-cost <usd>",
      "cost limit of its runs per day (UTC) in US dollars, or none; a new key has: none",
      orNone(dollars(costRange)),
    )
    .option(
      "--max-profiles <n>",
      "limit of profiles, 0 for none of them, none for no limit; a new key has: none",
      orNone(wholeNumber({ min: quotas.profiles.minimum, max: quotas.profiles.maximum })),
    )
    .option("--expires <time>", "when it expires, such as 2030-01-31T12:00:00Z, or never; a new key has: never");
}

/** Makes the body of a request from what the flags name. */
function rightsOf({ roles, maxSessions, maxRuns, maxProfiles, dailyCost, expires }: ChangeFlags): object {
  const [sessions, runs, profiles, cost_usd_per_day] = [maxSessions, maxRuns, maxProfiles, dailyCost].map((most) =>
    most === "none" ? null : most,
  );
  const expires_at = expires === "never" ? null : expires;
  const isBounded = [sessions, runs, profiles, cost_usd_per_day].some((most) => most !== undefined);
  return { roles, expires_at, ...(isBounded && { quota: { sessions, runs, profiles, cost_usd_per_day } }) };
}

async function changeKey(name: string, flags: ChangeFlags): Promise<void> {
  const rights = rightsOf(flags);
  if (Object.values(rights).every((right) => right === undefined)) {
    throw new ServiceError(
      "usage",
      "name what is to be changed: --roles, --max-sessions, --max-runs, --max-profiles, --daily-cost or --expires",
    );
  }
  await askService(flags, "PATCH", `/control/keys/${encodeURIComponent(name)}`, rights);
}

async function rotateKey(name: string, flags: RotateFlags): Promise<void> {
  const path = `/control/keys/${encodeURIComponent(name)}/rotate`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { key } = (await askService(flags, "POST", path, { overlap_s: flags.overlap })) as { readonly key: string };
  console.log(key);
}

async function makeKey(name: string, flags: ChangeFlags): Promise<void> {
  const body = { name, ...rightsOf(flags) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { key } = (await askService(flags, "POST", "/control/keys", body)) as { readonly key: string };
  console.log(key);
}

async function listKeys(flags: ListFlags): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { keys } = (await askService(flags, "GET", "/control/keys")) as { readonly keys: readonly KeyView[] };
  if (flags.json) return console.log(JSON.stringify(keys, undefined, 2));
  if (keys.length === 0) return console.log("No keys except the one that the service was started with.");
  printColumns(
    ["NAME", "STATE", "CREATED", "ROLES", "LIMITS"].map((header) => ({ header })),
    keys.map(rowOf),
  );
}

/** The cells of a key. */
function rowOf({ name, state, roles, quota, created_at, expires_at }: KeyView): readonly string[] {
  const { sessions, runs, profiles, cost_usd_per_day: cost } = quota;
  const bounds = [
    ...(sessions === null ? [] : [counted(sessions, "session")]),
    ...(runs === null ? [] : [counted(runs, "run")]),
    ...(profiles === null ? [] : [counted(profiles, "profile")]),
    ...(cost === null ? [] : [`${cost} USD a day`]),
    ...(expires_at === null ? [] : [`until ${minuteOf(expires_at)}`]),
  ];
  return [name, state, minuteOf(created_at), roles.join(","), bounds.join(", ")];
}

/** Returns a number with its noun: `1 run`, `2 runs`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the parser of a limit that a key may also be without. */
function orNone<Value>(parse: Parser<Value>): Parser<Value | "none"> {
  return (text) => {
    if (text === "none") return text;
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(messageOf(error).replace(/\.$/u, ", or none."));
    }
  };
}

/** Splits a list at its commas. */
function list(text: string): readonly string[] {
  return text.split(",").map((entry) => entry.trim());
}
