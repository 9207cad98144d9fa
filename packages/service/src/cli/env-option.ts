import { closest, distance } from "fastest-levenshtein";
import { Option, type Command } from "commander";
import { ServiceError } from "../service-error.ts";

/** A flag with an environment variable of the same name: `CLOUD_BROWSER_PORT` for `--port`. */
export function makeEnvOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`CLOUD_BROWSER_${option.name().replaceAll("-", "_").toUpperCase()}`);
}

/**
 * Returns a secret from its environment variable; undefined when that is not set.
 *
 * @throws {ServiceError} `usage` when it is set but empty.
 */
export function readSecret(variable: string): string | undefined {
  const value = process.env[variable]?.trim();
  if (value === "") throw makeEmptyError(variable);
  return value;
}

/**
 * Rejects flags with an empty value, and environment variables that stand for flags.
 *
 * @throws {ServiceError} `usage`, naming the flag or the variable.
 */
export function refuseEmpty(command: Command): void {
  for (let one: Command | null = command; one; one = one.parent) {
    for (const option of one.options) {
      const value: unknown = one.getOptionValue(option.attributeName());
      const isEmpty = typeof value === "string" ? value.trim() === "" : Array.isArray(value) && value.length === 0;
      const source = one.getOptionValueSource(option.attributeName());
      if (isEmpty && source === "env") throw makeEmptyError(option.envVar ?? option.flags);
      if (isEmpty && source === "cli")
        throw new ServiceError("usage", `${option.long ?? option.flags} must not be empty; omit it, or give a value`);
    }
  }
}

/** Variables that stand for no flag of this command line: secrets, and those of the client and of the conformance suite. */
const others = [
  "ALLOW_INSECURE_HTTP",
  "API_KEY",
  "AUTOMATION_URL",
  "BASE_URL",
  "ENDED_SESSION_ID",
  "LOG",
  "MODEL_KEY",
  "PROFILE_KEY",
  "SESSION_ID",
].map((name) => `CLOUD_BROWSER_${name}`);

/** Most letters by which a misspelt name differs from the one that is suggested. */
const misspelt = 3;

/** Returns a sentence for each environment variable that looks like one of ours, and is none: it is misspelt, and does nothing. */
export function describeUnknownVariables(
  program: Command,
  names: readonly string[] = Object.keys(process.env),
): string[] {
  const options = [program, ...program.commands].flatMap((command) => command.options);
  const variables = [...new Set([...options.flatMap(({ envVar }) => envVar ?? []), ...others])];
  return names
    .filter((name) => name.startsWith("CLOUD_BROWSER_") && !variables.includes(name))
    .map((name) => {
      const near = closest(name, variables);
      const advice = distance(name, near) <= misspelt ? `; did you mean ${near}?` : "";
      return `${name} is no variable of the service, and does nothing${advice}`;
    });
}

function makeEmptyError(variable: string): ServiceError {
  return new ServiceError("usage", `${variable} must not be empty; unset it, or give a value`);
}
