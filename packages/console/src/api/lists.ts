import { apiKey } from "./key.ts";
import { control, ControlError, unwrap, type ListedRun, type ListedSession } from "./control.ts";

/** Maximum number of sessions that are read: the newest ones. */
export const mostSessions = 500;

/** The key that was found not to see what other keys have. */
let ownOnly: string | undefined;

/** Lists the newest sessions, open and ended: of all keys where this one may see them. */
export async function listSessions(signal: AbortSignal): Promise<readonly ListedSession[]> {
  return forAllKeys(async (query) => {
    const { sessions } = await unwrap(
      control.GET("/control/sessions", { params: { query: { limit: mostSessions, ...query } }, signal }),
    );
    return sessions;
  });
}

/** Returns whether a session has ended, and its replay or its profile is still in progress. */
export function isEnding({ state, recording, profile }: ListedSession): boolean {
  const isMaking =
    recording?.state === "encoding" || recording?.state === "retrying" || recording?.state === "recording";
  return state === "ended" && (isMaking || profile?.outcome === "open");
}

/** Lists the active runs and the newest ended ones: of all keys where this one may see them. */
export async function listRuns(signal: AbortSignal): Promise<readonly ListedRun[]> {
  return forAllKeys(async (query) => {
    const list = async (state: ListedRun["state"]): Promise<readonly ListedRun[]> =>
      (await unwrap(control.GET("/control/runs", { params: { query: { state, ...query } }, signal }))).runs;
    const [active, ended] = await Promise.all([list("active"), list("ended")]);
    const ids = new Set(active.map(({ thread_id }) => thread_id));
    return [...active, ...ended.filter(({ thread_id }) => !ids.has(thread_id))];
  });
}

/** Requests the entries of all keys; for a key that may not see them, which is remembered, its own. */
export async function forAllKeys<Item>(list: (query: { readonly key?: string }) => Promise<Item>): Promise<Item> {
  const key = apiKey.peek();
  if (ownOnly === key) return list({});
  try {
    return await list({ key: "*" });
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 403)) throw error;
    ownOnly = key;
    return list({});
  }
}
