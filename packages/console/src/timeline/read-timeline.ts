import type { components } from "@cloud-browser/spec/control-types";
import { control, unwrap } from "../api/control.ts";
import type { TimelineEntry } from "./say-entry.ts";

/** A timeline so far. */
export type ReadTimeline = Omit<components["schemas"]["Timeline"], "next_after" | "has_more">;

/** Reads the next entries of a timeline, and adds them to those before. */
export async function followTimeline(
  sessionId: string,
  before: ReadTimeline | undefined,
  signal: AbortSignal,
): Promise<ReadTimeline> {
  let entries: readonly TimelineEntry[] = before?.entries ?? [];
  // Where the video begins is known at the end only: then all moments in it are told anew.
  let isKnown = before !== undefined;
  for (;;) {
    const after = entries.at(-1)?.seq ?? 0;
    const part = await unwrap(
      control.GET("/control/sessions/{session_id}/timeline", {
        params: { path: { session_id: sessionId }, query: { after, limit: 1_000 } },
        signal,
      }),
    );
    if (typeof part === "string") throw new TypeError("the service answered with a text in place of JSON");
    if (isKnown && part.video !== null && before?.video === null) {
      entries = [];
      isKnown = false;
      continue;
    }
    entries = [...entries, ...part.entries];
    const { session_id, state, created_at, ended_at, video } = part;
    if (!part.has_more) return { session_id, state, created_at, ended_at, video, entries: [...entries] };
  }
}
