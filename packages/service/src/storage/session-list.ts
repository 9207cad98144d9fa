import type { SessionFilter } from "./session-store.ts";

/** Returns the condition of SQL that sessions in a state fulfil. */
export function inState(state: SessionFilter["state"]): string {
  if (state === undefined) return "TRUE";
  return state === "active" ? "ended_ms IS NULL" : "ended_ms IS NOT NULL";
}

/** Order of SQL of the list of sessions: total, so that a page begins where the one before ended. */
export const newestFirst = "created_ms DESC, session_id DESC";

/** Returns the condition of SQL that sessions fulfil which come after another one in that list. @param id - Placeholder of its id. */
export function followsInList(id: string): string {
  return `(created_ms, session_id) < (SELECT created_ms, session_id FROM sessions WHERE session_id = ${id})`;
}
