import { checkParts, type CheckedPart } from "../start/check-parts.ts";
import { readSettings } from "../start/read-settings.ts";
import { defaultDataFolder } from "../data-folder.ts";

export { runProgram, type ServiceCall } from "./program.ts";
export type { CheckedPart } from "../start/check-parts.ts";

/** Tries each part that a service without flags needs on this machine. Changes nothing. */
export async function checkMachine(): Promise<readonly CheckedPart[]> {
  return checkParts(readSettings({ data: defaultDataFolder() }));
}
