import { Command } from "commander";
import { describe, expect, test, vi } from "vitest";
import { optionFlags } from "../../src/cli/option-flags.ts";
import { addServeFlags, readServeFlags, type ServeFlags } from "../../src/cli/serve/serve-flags.ts";
import { settingRanges } from "../../src/setting-ranges.ts";
import { readSettings } from "../../src/start/read-settings.ts";

/** The flags that take a number, with the option that each sets, and the least and the most that they take. */
const flags: readonly (readonly [flag: string, option: string, least: string, most: string])[] = [
  ["--port", "port", "0", "65535"],
  ["--keep-alive", "keepAliveMs", "1", "3600"],
  ["--max-sessions", "limits.count", "1", "10000"],
  ["--sessions-per-browser", "sessionsPerBrowser", "1", "1000"],
  ["--idle-limit", "limits.idleMs", "1", "604800"],
  ["--unused-limit", "limits.unusedMs", "1", "604800"],
  ["--total-limit", "limits.totalMs", "1", "604800"],
  ["--memory-limit", "limits.memoryBytes", "64", "1048576"],
  ["--control-grace", "limits.graceMs", "0", "86400"],
  ["--max-files", "fileLimits.count", "0", "100000"],
  ["--max-file-size", "fileLimits.fileBytes", "1", "1048576"],
  ["--max-files-size", "fileLimits.totalBytes", "1", "8388608"],
  ["--max-profiles", "profiles.count", "0", "100000"],
  ["--max-profile-size", "profiles.bytes", "1", "1024"],
  ["--max-wait-s", "queue.waitMs", "0", "500"],
  ["--max-waiting", "queue.count", "0", "10000"],
  ["--drain-s", "drainMs", "0", "604800"],
  ["--max-runs", "runLimits.count", "1", "10000"],
  ["--run-limit", "runLimits.timeMs", "1", "86400"],
  ["--run-steps", "runLimits.steps", "1", "10000"],
  ["--run-ask-person", "runLimits.askMs", "0", "86400"],
  ["--run-budget", "runLimits.budgetUsd", "0", "1000000"],
  ["--keep-recordings", "limits.recordingMs", "1", "315360000"],
];

/** Parses flags of `serve`; throws what is wrong with them. */
function parse(args: readonly string[]): ServeFlags {
  const command = addServeFlags(new Command("serve"))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.parse(args, { from: "user" }).opts<ServeFlags>();
}

/** Flags of `serve` whose help says that they take a number. */
const numeric = addServeFlags(new Command("serve"))
  .options.filter(({ flags: text }) => /<(?:n|seconds|MiB|usd)>/u.test(text))
  .map(({ long }) => long ?? "");

test("the table has every flag that takes a number, and every range has a flag", () => {
  expect(flags.map(([flag]) => flag).sort()).toEqual(numeric.sort());
  expect(Object.keys(settingRanges)).toHaveLength(flags.length);
});

describe.each(flags)("%s sets %s, from %s to %s", (flag, option, least, most) => {
  test("it is the flag of that option", () => {
    expect(optionFlags.get(option)).toBe(flag);
  });

  test.each([least, most])("%s is taken, by the service as well", (value) => {
    expect(() => readSettings(readServeFlags(parse([flag, value])))).not.toThrow();
  });

  const below = least === "0" ? "-1" : "0";
  const variable = `CLOUD_BROWSER_${flag.slice(2).replaceAll("-", "_").toUpperCase()}`;
  const refused = [
    below,
    String(Number(most) + 1),
    "1000000000000",
    "1e3",
    "0x10",
    "Infinity",
    "NaN",
    "many",
    " ",
    "1_0",
  ];
  test.each(refused)("%j is refused, with what is right", (value) => {
    const range = new RegExp(`from ${least} to ${most}\\b`, "u");
    expect(() => parse([flag, value])).toThrow(range);
    vi.stubEnv(variable, value);
    try {
      expect(() => parse([])).toThrow(range);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

test.each([
  [{ port: 65_536 }, "`port` is 65536; give a whole number from 0 to 65535"],
  [{ port: 1.5 }, "`port` is 1.5; give"],
  [{ limits: { count: 1e9 } }, "`limits.count` is 1000000000; give a whole number from 1 to 10000"],
  [{ limits: { count: Number.NaN } }, "`limits.count` is NaN; give"],
  [{ limits: { idleMs: 0 } }, "`limits.idleMs` is 0; give a time in milliseconds from 1 to 604800000"],
  [{ limits: { totalMs: Infinity } }, "`limits.totalMs` is Infinity; give"],
  [{ limits: { memoryBytes: 1 } }, "`limits.memoryBytes` is 1; give a size in bytes from 67108864 to 1099511627776"],
  [{ queue: { waitMs: 500_001 } }, "`queue.waitMs` is 500001; give a time in milliseconds from 0 to 500000"],
  [{ queue: { count: 1e6 } }, "`queue.count` is 1000000; give a whole number from 0 to 10000"],
  [{ runLimits: { steps: 0.5 } }, "`runLimits.steps` is 0.5; give"],
  [
    { runLimits: { budgetUsd: "-1" } },
    '`runLimits.budgetUsd` is -1; give US dollars from 0 to 1000000, such as "0.50"',
  ],
  [{ runLimits: { budgetUsd: "0.0000001" } }, "`runLimits.budgetUsd` is 0.0000001; give"],
  [{ sessionsPerBrowser: 0 }, "`sessionsPerBrowser` is 0; give a whole number from 1 to 1000"],
  [{ keepAliveMs: 0 }, "`keepAliveMs` is 0; give a time in milliseconds from 1 to 3600000"],
])("the options %j of a program are refused", (options, why) => {
  expect(() => readSettings(options)).toThrow(why);
});
