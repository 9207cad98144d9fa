import type { SessionFilter } from "./session-store.ts";

/** Returns the condition of SQL that sessions in a state fulfil. */
export function inState(state: SessionFilter["state"]): string {
  if (state === undefined) return "TRUE";
  return state === "active" ? "ended_ms IS NULL" : "ended_ms IS NOT NULL";
}
