import type { Command, Option } from "commander";
import type { ModelSettings } from "@cloud-browser/page-content";
import { ServiceError } from "../../service-error.ts";
import type { ClusterOptions, ServiceOptions } from "../../service-options.ts";
import { settingRanges, type SettingRange } from "../../setting-ranges.ts";
import { makeEnvOption, readSecret } from "../env-option.ts";
import { parseInRange } from "../option-parsers.ts";
import { flagRows, serveFlags, type ServeFlag } from "./flag-table.ts";
import { completeModel } from "./model-flags.ts";
import { readProfileKeys } from "./profile-flags.ts";

/** Values of the flags of `serve` by their names in camel case; those that have a name here are read by the command itself. */
export interface ServeFlags {
  readonly [flag: string]: unknown;
  /** Folder of records and recordings. */
  readonly data: string;
  readonly console?: "on" | "off";
  /** File with the encryption keys of profiles. */
  readonly profileKeyFile?: string;
  /** Name of this node of a cluster. */
  readonly nodeName?: string;
  /** True to try the settings, and start nothing. */
  readonly check?: true;
  /** Log level. */
  readonly logLevel: string;
  /** URL of an OpenTelemetry collector. */
  readonly traces?: string;
}

/** Adds the flags of the service. */
export function addServeFlags(command: Command): Command {
  for (const [heading, rows] of Object.entries(serveFlags)) {
    command.optionsGroup(heading);
    for (const row of rows) command.addOption(typeof row === "function" ? row() : makeFlag(row));
  }
  return command;
}

function makeFlag([flag, setting, help, value = {}]: ServeFlag): Option {
  const option = makeEnvOption(flag, help).default(value.default);
  if (value.choices) return option.choices(value.choices);
  const range = setting === null ? undefined : ranges.get(setting);
  const parse = value.parse ?? (range && parseInRange(range));
  return parse ? option.argParser(parse) : option;
}

const ranges = new Map<string, SettingRange>(Object.entries(settingRanges));

/**
 * Makes options of the service from command-line flags.
 *
 * @throws {ServiceError} `usage` when flags do not go together.
 */
export function readServeFlags(flags: ServeFlags): ServiceOptions {
  const { cluster, model, profiles, ...options } = collectOptions(flags);
  const apiKey = readSecret("CLOUD_BROWSER_API_KEY");
  const keys = readProfileKeys(flags.profileKeyFile);
  return {
    ...options,
    data: flags.data,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(flags.console === undefined ? {} : { console: flags.console === "on" }),
    ...(cluster && { cluster: requireDatabase(cluster) }),
    ...(model && { model: completeModel(model) }),
    ...((profiles ?? keys) === undefined ? {} : { profiles: { ...profiles, ...(keys === undefined ? {} : { keys }) } }),
  };
}

/** Options of the service, of which groups may not be complete. */
interface FlagOptions extends Omit<ServiceOptions, "cluster" | "model"> {
  readonly cluster?: Partial<ClusterOptions>;
  readonly model?: Partial<ModelSettings>;
}

/** Puts the values of flags where their options are: that of `limits.count` into the group `limits`. */
function collectOptions(flags: ServeFlags): FlagOptions {
  const options: Record<string, unknown> = {};
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [flag, setting, help] of flagRows) {
    const value = flags[makeEnvOption(flag, help).attributeName()];
    if (setting === null || value === undefined) continue;
    const [group = "", name] = setting.split(".");
    if (name === undefined) options[group] = value;
    else groups[group] = { ...groups[group], [name]: value };
  }
  return { ...options, ...groups };
}

function requireDatabase({ database, ...node }: Partial<ClusterOptions>): ClusterOptions {
  if (database !== undefined) return { database, ...node };
  throw new ServiceError("usage", "--node-name and --node-url need --cluster");
}
