import { checkParts, type CheckedPart } from "../start/check-parts.ts";
import { readSettings } from "../start/read-settings.ts";
import { findDefaultDataFolder } from "../data-folder.ts";
import { nameFlags } from "./option-flags.ts";

export { runProgram, type ServiceCall } from "./program.ts";
export type { CheckedPart } from "../start/check-parts.ts";

/** Tries each part that a service without flags needs on this machine. Changes nothing. */
export async function checkMachine(): Promise<readonly CheckedPart[]> {
  const parts = await checkParts(readSettings({ data: findDefaultDataFolder() }));
  return parts.map((part) => Object.assign(part, { found: nameFlags(part.found) }));
}
