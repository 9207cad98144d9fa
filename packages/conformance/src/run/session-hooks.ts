import { SuiteError } from "../http/suite-error.ts";
import { endWithCommand, openWithCommand } from "../site/session-command.ts";
import type { Target } from "../target/target.ts";

/** Reason why no page is opened, where a target has no way to open one. */
export const noWayToOpen = "No way to open a page was given (--session-command).";
/** Reason why no session is ended, where a target has no way to end one. */
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

/** Options of calling hooks. */
interface HookOptions {
  /** Redacts the secrets in a message. */
  readonly redact: (text: string) => string;
  /** Aborts a command. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a session on a page, and returns its id.
 *
 * @throws {SuiteError} `session-failed` when the hook fails, or gives no id.
 */
export async function openSessionOn(
  { openSession, sessionCommand }: Target,
  url: string,
  { redact, signal }: HookOptions,
): Promise<string> {
  const id: unknown = await withShownErrors(redact, async () =>
    openSession ? openSession(url) : openWithCommand(sessionCommand ?? "", url, { ...(signal && { signal }) }),
  );
  if (typeof id !== "string" || /^\.{0,2}$/.test(id.trim()))
    throw new SuiteError("session-failed", `invalid session id ${JSON.stringify(id)}`);
  return id.trim();
}

/**
 * Ends a session; false where there is no hook for that.
 *
 * @throws {SuiteError} `session-failed` when the hook fails.
 */
export async function endOpenSession(
  { endSession, endSessionCommand }: Target,
  id: string,
  { redact }: HookOptions,
): Promise<boolean> {
  if (!endSession && endSessionCommand === undefined) return false;
  await withShownErrors(redact, async () =>
    endSession ? endSession(id) : endWithCommand(endSessionCommand ?? "", id),
  );
  return true;
}

/** Turns anything that a hook throws into an error without secrets. */
async function withShownErrors<Result>(redact: HookOptions["redact"], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const message = joinMessages(cause);
    const ours = cause instanceof SuiteError ? message : `the session could not be opened or ended: ${message}`;
    // The cause itself is not passed on: it may hold what was taken out of the message.
    throw new SuiteError("session-failed", redact(ours).slice(0, 500));
  }
}

/** Returns the message of an error that a hook threw, and those of its causes: "fetch failed" alone does not say why. */
function joinMessages(error: unknown, most = 5): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message === "" && "code" in error ? String(error.code) : error.message;
  return error.cause === undefined || most === 0 ? own : `${own}: ${joinMessages(error.cause, most - 1)}`;
}
