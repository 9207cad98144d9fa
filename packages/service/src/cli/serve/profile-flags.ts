import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { ProfileOptions } from "../../service-options.ts";
import { describeServiceError, ServiceError } from "../../service-error.ts";
import { makeEnvOption, readSecret } from "../env-option.ts";
import { toMiB, settingRanges } from "../../setting-ranges.ts";
import { parseWholeNumber } from "../option-parsers.ts";

/** Command-line flags of profiles. */
export interface ProfileFlags {
  /** File with the encryption keys. */
  readonly profileKeyFile?: string;
  /** Most profiles of a key. */
  readonly maxProfiles?: number;
  /** In MiB. */
  readonly maxProfileSize?: number;
}

const keyVariable = "CLOUD_BROWSER_PROFILE_KEY";

/** Adds the flags of profiles. */
export function addProfileFlags(command: Command): Command {
  return command
    .addOption(
      makeEnvOption(
        "--profile-key-file <path>",
        `file with the key that encrypts profiles, in place of ${keyVariable}; after it, on lines of their own, keys that only decrypt`,
      ),
    )
    .addOption(
      makeEnvOption("--max-profiles <n>", "limit of profiles of an API key (default: 100)").argParser(
        parseWholeNumber(settingRanges["profiles.count"]),
      ),
    )
    .addOption(
      makeEnvOption("--max-profile-size <MiB>", "limit of the size of a profile in MiB (default: 16)").argParser(
        parseWholeNumber(toMiB(settingRanges["profiles.bytes"])),
      ),
    );
}

/**
 * Returns what the flags and the environment say of profiles; undefined when they say nothing.
 *
 * @throws {ServiceError} `usage` when the file can't be read, or there are keys in both.
 */
export function readProfileFlags({
  profileKeyFile,
  maxProfiles,
  maxProfileSize,
}: ProfileFlags): ProfileOptions | undefined {
  const keys = readKeys(profileKeyFile);
  const options = {
    ...(keys === undefined ? {} : { keys }),
    ...(maxProfiles === undefined ? {} : { count: maxProfiles }),
    ...(maxProfileSize === undefined ? {} : { bytes: maxProfileSize * 2 ** 20 }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

function readKeys(file: string | undefined): string | undefined {
  const variable = readSecret(keyVariable);
  if (file === undefined) return variable;
  if (variable !== undefined) throw new ServiceError("usage", `give ${keyVariable} or --profile-key-file, not both`);
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new ServiceError("usage", `--profile-key-file: ${file} can't be read (${describeServiceError(cause)})`, {
      cause,
    });
  }
}
