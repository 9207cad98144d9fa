import { Command } from "commander";
import { expect, test } from "vitest";
import { nameFlags, optionFlags } from "../../src/cli/option-flags.ts";
import { addServeFlags, readServeFlags, type ServeFlags } from "../../src/cli/serve/serve-flags.ts";

/** Flags that set no option of the service: they are of the command alone, or another way to give a secret. */
const ofCommand = ["--check", "--log-level", "--profile-key-file", "--settings", "--traces"];

/** Two values of each kind of flag, by what its help says that it takes. */
const samples: readonly (readonly [takes: RegExp, one: string, other: string])[] = [
  [/<(?:n|seconds|MiB|usd)>/u, "64", "65"],
  [/<prices>/u, "1/2", "1/3"],
  [/true\|false/u, "true", "false"],
  [/--console/u, "on", "off"],
  [/</u, "one", "other"],
];

const flags = [...optionFlags].filter((entry): entry is [string, string] => entry[1]?.startsWith("--") ?? false);

/** Values of the options that flags give, by the names of the options. */
function readOptions(changed?: string): ReadonlyMap<string, unknown> {
  const command = addServeFlags(new Command("serve")).exitOverride();
  const args = command.options.flatMap(({ long, flags: text }) => {
    const [, one = "", other = ""] = samples.find(([takes]) => takes.test(text)) ?? [];
    return long == null || ofCommand.includes(long) ? [] : [`${long}=${long === changed ? other : one}`];
  });
  const options = readServeFlags(command.parse(args, { from: "user" }).opts<ServeFlags>());
  const list = (value: unknown, name: string): [string, unknown][] =>
    optionFlags.has(name) || typeof value !== "object" || value === null
      ? [[name, JSON.stringify(value)]]
      : Object.entries(value).flatMap(([key, one]) => list(one, name === "" ? key : `${name}.${key}`));
  return new Map(list(options, ""));
}

test("every flag of the service is in the table of options, and every option is set by its flag alone", () => {
  const known = addServeFlags(new Command("serve")).options.map(({ long }) => long ?? "");
  expect([...flags.map(([, flag]) => flag), ...ofCommand].sort()).toEqual(known.sort());
  const before = readOptions();
  for (const [name, flag] of flags) {
    const after = readOptions(flag);
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    );
    expect([flag, changed]).toEqual([flag, [name]]);
  }
});

test("options that a text names are named by their flags; other words are left", () => {
  expect(nameFlags("raise `limits.count`, or give another folder with `data`; `wait` and data stay")).toBe(
    "raise --max-sessions, or give another folder with --data; `wait` and data stay",
  );
  expect(nameFlags("`cluster.leaseMs` is 0; `profiles.keys` are secrets")).toBe(
    "`cluster.leaseMs` is 0; CLOUD_BROWSER_PROFILE_KEY are secrets",
  );
});
