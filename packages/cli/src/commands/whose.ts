import { Option } from "commander";
import { CliError } from "../errors/cli-error.ts";

/** Flags that select sessions, runs or profiles by their key. */
export interface WhoseFlags {
  /** Name of a key. */
  readonly key?: string;
  /** Selects those of all keys. */
  readonly allKeys?: boolean;
}

/** Returns the flags by which a key with the role `operate` names other keys. */
export function whoseOptions(): Option[] {
  return [
    new Option(
      "--key <name>",
      "those of the key with this name, main for that of the service (needs the role operate)",
    ),
    new Option("--all-keys", "those of all keys (needs the role operate)").conflicts("key"),
  ];
}

/**
 * Returns the query of a list for the flags.
 *
 * @throws {CliError} `usage` for `--key '*'`.
 */
export function whose({ key, allKeys }: WhoseFlags): { readonly key?: string } {
  if (key === "*") {
    throw new CliError("usage", "--key takes the name of one key; for all of them give --all-keys");
  }
  if (allKeys) return { key: "*" };
  return key === undefined ? {} : { key };
}
