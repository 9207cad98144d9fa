import { join } from "node:path";
import type { Command } from "commander";
import type { Configuration } from "../configuration/configuration.ts";
import { checkConfiguration, loadConfiguration } from "../configuration/configuration-file.ts";
import { resolveSettings, renderVariable, type ResolvedSettings } from "../configuration/settings.ts";
import type { FlagReader, SettingRow } from "../configuration/setting-row.ts";
import { settingRows } from "../configuration/settings-table.ts";
import { SuiteError } from "../http/suite-error.ts";
import type { PinnedReadings } from "../contract/readings.ts";
import { liveTarget } from "../run/live-target.ts";
import { type Target } from "../target/target.ts";
import { embeddedTargets, isEmbedded, type EmbeddedName } from "./embedded-targets.ts";

/** Flags of the command line that are not settings. */
export interface RunFlags extends Readonly<Record<string, unknown>> {
  /** Embedded targets to judge. */
  readonly target?: readonly EmbeddedName[];
  /** Configuration file. */
  readonly config?: string;
  /** True when the file of expected failures is brought up to date. */
  readonly updateExpectedFailures?: boolean;
  /** True when the target is judged again after each change, or the files and folders that are watched, too. */
  readonly watch?: true | readonly string[];
}

/** Adds the flags that are settings, and those that find the settings. */
export function addSettingFlags(command: Command): Command {
  command.option(
    "--config <file>",
    "configuration file (default: conformance.config.{ts,mts,js,mjs,json,yaml,yml} here)",
  );
  for (const [group, rows] of Map.groupBy(settingRows, ([, row]) => row.group)) {
    command.optionsGroup(group);
    if (group === "Target:") {
      command.option(
        "--target <names>",
        "targets that the suite starts itself, by comma: prism, a mock of the contract (default: without a base URL), and service, the " +
          "interface on a real Chromium (@cloud-browser/service)",
        embeddedNames,
      );
    }
    for (const [, row] of rows) addFlag(command, row);
  }
  return command;
}

function addFlag(command: Command, { flag, text, otherwise, reads = "text" }: SettingRow): void {
  if (flag === undefined) return;
  addReader[reads](command, flag, otherwise === undefined ? text : `${text} (default: ${otherwise})`);
}

/** Adds a flag whose argument is read in one way. */
const addReader: Readonly<Record<FlagReader, (command: Command, flag: string, help: string) => Command>> = {
  text: (command, flag, help) => command.option(flag, help),
  switch: (command, flag, help) => command.option(flag, help),
  number: (command, flag, help) => command.option(flag, help, number),
  list: (command, flag, help) => command.option(flag, help, list),
  header: (command, flag, help) => command.option(flag, help, header),
  reading: (command, flag, help) => command.option(flag, help, reading),
};

/** Flags that have no meaning for an embedded target. */
const liveFlags = [
  "automationUrl",
  "sessionId",
  "endedSessionId",
  "sessionCommand",
  "endSessionCommand",
  "siteHost",
  "headers",
  "query",
] as const;

/** The settings of a run, and the kind of target they are for. */
export interface Setup extends ResolvedSettings {
  /** The configuration file that was read; undefined when there is none. */
  readonly file: string | undefined;
  /** Address of the live target; undefined for an embedded one. */
  readonly baseUrl: string | undefined;
}

/** Returns the embedded targets that flags ask for: the mock where none is named. */
export function listEmbeddedNames({ target }: RunFlags): readonly EmbeddedName[] {
  return target ?? ["prism"];
}

/**
 * Puts flags, environment, configuration file and defaults together.
 *
 * @param embedded - The embedded target that they are for, where there is no base URL; each of several has a folder of its own for its
 *   reports. Default: the first.
 * @throws {SuiteError} `usage`, with a sentence for each mistake.
 */
export async function readSetup(flags: RunFlags, embedded = listEmbeddedNames(flags)[0] ?? "prism"): Promise<Setup> {
  const { target, config, updateExpectedFailures: _, watch: __, json: ___, header: headers, ...others } = flags;
  const { reading: readings, ...rest } = others;
  const entries = Object.entries({ headers, readings }).filter(([, value]) => value !== undefined);
  const fromFlags: Configuration = checkConfiguration(
    { ...rest, ...Object.fromEntries(entries) },
    "the command line",
    nameFlag,
  );
  const { configuration, file } = await loadConfiguration(process.cwd(), config, flags.watch !== undefined);
  const isLive =
    target === undefined && resolveSettings(fromFlags, process.env, configuration).values.baseUrl !== undefined;
  const own = isLive ? {} : embeddedTargets[embedded].defaults;
  const { values, settings } = resolveSettings(fromFlags, process.env, configuration, own);
  const folder = target === undefined || target.length < 2 ? values.out : join(values.out, embedded);
  if (target !== undefined && fromFlags.baseUrl !== undefined) {
    throw new SuiteError("usage", "--target and --base-url exclude each other; give one");
  }
  const baseUrl = isLive ? values.baseUrl : undefined;
  const strange = baseUrl === undefined ? liveFlags.find((name) => fromFlags[name] !== undefined) : undefined;
  if (strange !== undefined) {
    throw new SuiteError("usage", `${nameFlag(strange)} is for a live target; add --base-url, or leave it out`);
  }
  return { values: { ...values, out: folder }, settings, file, baseUrl };
}

/** Names of the settings that have a flag. */
const namesWithFlag = new Set([
  "config",
  ...settingRows.filter(([, { flag }]) => flag !== undefined).map(([name]) => name as string),
]);

/** Returns a text of the suite with flags in place of the settings that it names: `` `siteHost` `` is `--site-host`. */
export function nameFlags(text: string): string {
  return text.replaceAll(/`(\w+)`/gu, (quoted, name: string) => (namesWithFlag.has(name) ? nameFlag(name) : quoted));
}

/** Returns the name of a setting on the command line. */
function nameFlag(setting: string): string {
  if (setting === "headers") return "--header";
  if (setting === "readings") return "--reading";
  return `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Makes the live target that the settings describe.
 *
 * @throws {SuiteError} `usage` when something is missing or wrong.
 */
export function makeLiveTarget({ values }: Setup, baseUrl: string): Target {
  if (values.sessionId === undefined && values.sessionCommand === undefined) {
    const advice = "give the id of an open session of the target, or with --session-command a way to open one";
    throw new SuiteError("usage", `--session-id is missing; ${advice}`);
  }
  const apiKey = process.env[values.apiKeyEnv];
  if (apiKey === undefined || apiKey === "") {
    const advice = "put the API key there, or name another variable with --api-key-env";
    const name = renderVariable(values.apiKeyEnv, process.env);
    throw new SuiteError("usage", `the environment variable ${name} is not set; ${advice}`);
  }
  return liveTarget({ ...values, baseUrl, apiKey });
}

/** Parses the names of embedded targets. Throws no error of the parser's own: those quote the value, which may be a secret. */
function embeddedNames(text: string, before: readonly EmbeddedName[] = []): readonly EmbeddedName[] {
  const names = list(text).filter(isEmbedded);
  if (names.length > 0 && names.length === list(text).length) return [...new Set([...before, ...names])];
  throw new SuiteError("usage", "the embedded targets are prism and service; for another server give --base-url");
}

/** Parses a number; returns any other text unchanged, so that the error message can show it. */
function number(text: string): number | string {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

/** Parses a list. Commas separate patterns, except within braces. */
function list(text: string, before: readonly string[] = []): readonly string[] {
  const patterns = text.split(/,(?![^{]*\})/).map((pattern) => pattern.trim());
  return [...before, ...patterns.filter((pattern) => pattern !== "")];
}

function header(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new SuiteError("usage", '--header must be "Name: value"');
  return { ...before, [name]: value };
}

function reading(text: string, before: PinnedReadings = {}): PinnedReadings {
  const pairs = list(text).map((pair): [string, string] => {
    const [, id, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (id !== undefined && value !== undefined) return [id.trim(), value.trim()];
    throw new SuiteError("usage", '--reading must be id=value, such as "events.unknown-type=closed"');
  });
  return { ...before, ...Object.fromEntries(pairs) };
}
