import type { ListedSession } from "../api/control.ts";

/** Filter of a table of sessions. */
export interface TableFilter {
  /** Words that all have to occur in the title, address, key or id. */
  readonly text: string;
  /** The state; all when empty. */
  readonly state: "" | "active" | "ended";
}

/** Returns the sessions that a filter keeps, in their order. */
export function filterSessions(
  sessions: readonly ListedSession[],
  { text, state }: TableFilter,
): readonly ListedSession[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    if (state !== "" && session.state !== state) return false;
    const { title, url, key, session_id, end_reason } = session;
    const searched = [title, url, key, session_id, end_reason].join(" ").toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Number of the page, from 0: the last page if the requested one is beyond it. */
  readonly index: number;
  readonly count: number;
}

/** Returns one page of a list. */
export function cutPage<Item>(items: readonly Item[], size: number, index: number): Page<Item> {
  const count = Math.max(1, Math.ceil(items.length / size));
  const at = Math.min(Math.max(0, index), count - 1);
  return { items: items.slice(at * size, (at + 1) * size), index: at, count };
}
