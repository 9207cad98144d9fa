import type { OptionName } from "./option-name.ts";
import { flagRows, type FlagOption } from "./serve/flag-table.ts";

/** Place that sets the options that are not in the table of flags; null for what the command line does not set. */
const otherOptions: Readonly<Record<Exclude<OptionName, FlagOption>, string | null>> = {
  console: "--console",
  data: "--data",
  apiKey: "CLOUD_BROWSER_API_KEY",
  "cluster.leaseMs": null,
  "profiles.keys": "CLOUD_BROWSER_PROFILE_KEY",
  "model.apiKey": "CLOUD_BROWSER_MODEL_KEY",
  "model.answerFormat": null,
  "model.limits": null,
};

/** The flag or the environment variable that sets each option; null for what the command line does not set. */
export const optionFlags: ReadonlyMap<string, string | null> = new Map([
  ...flagRows.flatMap(([flag, option]): [string, string][] =>
    option === null ? [] : [[option, flag.replace(/ .*/u, "")]],
  ),
  ...Object.entries(otherOptions),
]);

/** Returns a text of the service with flags in place of the options that it names: `` `limits.count` `` is `--max-sessions`. */
export function nameFlags(text: string): string {
  return text.replaceAll(/`([\w.]+)`/gu, (quoted, name: string) => optionFlags.get(name) ?? quoted);
}
