import { Option, type Command } from "commander";
import type { KeyView } from "../control/key-view.ts";
import { positiveInteger } from "./option-parsers.ts";
import { addReachFlags, askForEach, askService, type ListFlags, type ReachFlags } from "./reach.ts";

interface CreateFlags extends ReachFlags {
  readonly roles: readonly string[];
  readonly maxSessions?: number;
  readonly maxRuns?: number;
  readonly dailyCost?: string;
}

/** Adds the commands that create, list and revoke keys. */
export function register(program: Command): void {
  const keys = program
    .command("keys")
    .description("create, list and revoke API keys, in addition to the one that the service was started with");
  const create = keys
    .command("create")
    .description("create a key and print it; it is shown only once")
    .argument("<name>", "letters, digits, . _ and -; a name can't be used again")
    .addOption(
      new Option("--roles <roles>", "comma-separated: use (sessions and runs of its own), control (keys), metrics")
        .argParser(list)
        .default(["use"], "use"),
    )
    .option("--max-sessions <n>", "limit of concurrent sessions (default: that of the service)", positiveInteger)
    .option("--max-runs <n>", "limit of concurrent automation runs (default: that of the service)", positiveInteger)
    .option("--daily-cost <usd>", "cost limit of its runs per day (UTC), in US dollars (default: unlimited)");
  addReachFlags(create).action(makeKey);
  const listed = keys
    .command("list")
    .description("list the keys, including revoked ones")
    .option("--json", "print them as JSON");
  addReachFlags(listed).action(listKeys);
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

async function makeKey(name: string, flags: CreateFlags): Promise<void> {
  const { roles, maxSessions: sessions = null, maxRuns: runs = null, dailyCost: cost_usd_per_day = null } = flags;
  const body = { name, roles, quota: { sessions, runs, cost_usd_per_day } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { key } = (await askService(flags, "POST", "/control/keys", body)) as { readonly key: string };
  console.log(key);
}

async function listKeys(flags: ListFlags): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const { keys } = (await askService(flags, "GET", "/control/keys")) as { readonly keys: readonly KeyView[] };
  if (flags.json) return console.log(JSON.stringify(keys, undefined, 2));
  if (keys.length === 0) return console.log("No keys except the one that the service was started with.");
  const longest = Math.max(...keys.map(({ name }) => name.length));
  for (const key of keys) console.log(line(key, longest));
}

/** One key in one line. */
function line({ name, state, roles, quota, created_at }: KeyView, longest: number): string {
  const { sessions, runs, cost_usd_per_day: cost } = quota;
  const bounds = [
    ...(sessions === null ? [] : [counted(sessions, "session")]),
    ...(runs === null ? [] : [counted(runs, "run")]),
    ...(cost === null ? [] : [`${cost} USD a day`]),
  ];
  const made = created_at.slice(0, 16).replace("T", " ");
  return `${name.padEnd(longest)}  ${state.padEnd(7)}  ${made}  ${roles.join(",")}  ${bounds.join(", ")}`.trimEnd();
}

/** Returns a number with its noun: `1 run`, `2 runs`. */
function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Splits a list at its commas. */
function list(text: string): readonly string[] {
  return text.split(",").map((entry) => entry.trim());
}
