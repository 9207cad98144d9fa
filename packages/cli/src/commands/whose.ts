import { Option } from "commander";
import { CliError } from "../errors/cli-error.ts";

/** Flags that choose whose sessions, runs or profiles are meant. */
export interface WhoseFlags {
  /** Name of a key. */
  readonly key?: string;
  /** Those of all keys. */
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
 * Returns what the flags choose, as the query of a list.
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
