import { readFileSync } from "node:fs";
import { describeServiceError, ServiceError } from "../../service-error.ts";
import { readSecret } from "../env-option.ts";

const keyVariable = "CLOUD_BROWSER_PROFILE_KEY";

/**
 * Returns the encryption keys of profiles, from the file or the environment; undefined when there are none.
 *
 * @throws {ServiceError} `usage` when the file can't be read, or there are keys in both.
 */
export function readProfileKeys(file: string | undefined): string | undefined {
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
