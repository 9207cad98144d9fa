import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";

/**
 * Rejects flags with an empty value, and environment variables that stand for flags.
 *
 * @throws {CliError} `usage`, naming the flag or the variable.
 */
export function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const value: unknown = command.getOptionValue(name);
    const isEmpty =
      typeof value === "string" ? value.trim() === "" : Array.isArray(value) && value.every((one) => one === "");
    const source = command.getOptionValueSource(name);
    if (!isEmpty) continue;
    if (source === "env")
      throw new CliError("usage", `${option.envVar ?? option.flags} must not be empty; unset it, or give a value`);
    if (source === "cli")
      throw new CliError("usage", `${option.long ?? option.flags} must not be empty; omit it, or give a value`);
  }
}
