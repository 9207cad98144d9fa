import { Option, type Command } from "commander";
import { ServiceError } from "../service-error.ts";

/** A flag with an environment variable of the same name: `CLOUD_BROWSER_PORT` for `--port`. */
export function env(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`CLOUD_BROWSER_${option.name().replaceAll("-", "_").toUpperCase()}`);
}

/**
 * Returns a secret from its environment variable; undefined when that is not set.
 *
 * @throws {ServiceError} `usage` when it is set but empty.
 */
export function secretFrom(variable: string): string | undefined {
  const value = process.env[variable]?.trim();
  if (value === "") throw emptyValue(variable);
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
      if (isEmpty && source === "env") throw emptyValue(option.envVar ?? option.flags);
      if (isEmpty && source === "cli")
        throw new ServiceError("usage", `${option.long ?? option.flags} must not be empty; omit it, or give a value`);
    }
  }
}

function emptyValue(variable: string): ServiceError {
  return new ServiceError("usage", `${variable} must not be empty; unset it, or give a value`);
}
