import type { Target } from "../target/target.ts";

/** Reason why no page is opened, where a target says nothing of it. */
export const noWayToOpen = "No way to open a page was given (--session-command).";
/** Reason why no session is ended, where a target says nothing of it. */
export const noWayToEnd = "No way to end a session was given (--end-session-command).";

/** Returns whether there is a hook that opens a session on a page. */
export function opensPages({ openSession, sessionCommand }: Target): boolean {
  return openSession !== undefined || sessionCommand !== undefined;
}

/** Returns whether there is a hook that ends a session, and the target can do so. */
export function endsSessions({ endSession, endSessionCommand, lacks }: Target): boolean {
  return (endSession !== undefined || endSessionCommand !== undefined) && !lacks.has("ends-sessions");
}

/** Returns whether no session was given that has ended. */
export function givesNoEndedSession({ endedSessionId, sessionId, lacks }: Target): boolean {
  return lacks.has("ended-session") && endedSessionId === sessionId;
}

/** Returns the message of an error that a hook threw, and those of its causes: "fetch failed" alone does not say why. */
export function messagesOf(error: unknown, most = 5): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message === "" && "code" in error ? String(error.code) : error.message;
  return error.cause === undefined || most === 0 ? own : `${own}: ${messagesOf(error.cause, most - 1)}`;
}
