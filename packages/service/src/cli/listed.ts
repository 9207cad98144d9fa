import { Option, type Command } from "commander";
import { ServiceError } from "../service-error.ts";

/** Flags that choose whose sessions or runs are listed. */
export interface ListedFlags {
  /** Name of a key. */
  readonly key?: string;
  /** Those of all keys. */
  readonly allKeys?: true;
}

/** Adds the flags by which a key with the role `operate` names other keys. */
export function addListedFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--key <name>",
        "those of the key with this name, main for that of the service (needs the role operate)",
      ),
    )
    .addOption(new Option("--all-keys", "those of all keys (needs the role operate)").conflicts("key"));
}

/** Returns the query that asks for what the flags choose. */
export function queryOf({ key, allKeys }: ListedFlags, others: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(others);
  if (key === "*") throw new ServiceError("usage", "--key takes the name of one key; for all of them give --all-keys");
  if (key !== undefined) query.set("key", key);
  if (allKeys) query.set("key", "*");
  return query.size === 0 ? "" : `?${query}`;
}
