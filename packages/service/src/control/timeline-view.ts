import type { RecordedVideo } from "@cloud-browser/recorder";
import type { SessionRecord } from "../storage/session-store.ts";
import type { TimelineEntry } from "../timeline/timeline-event.ts";

/** A part of a timeline as the control interface shows it. */
export interface TimelineView {
  /** The session. */
  readonly session_id: string;
  /** `active` while it lives: more comes. */
  readonly state: "active" | "ended";
  /** When it was created: ISO 8601, UTC. */
  readonly created_at: string;
  /** When it ended; null while it lives. */
  readonly ended_at: string | null;
  /** Where the video of its recording lies, in milliseconds from its creation; null while there is none. */
  readonly video: {
    readonly start_ms: number;
    readonly duration_ms: number;
    readonly gaps: RecordedVideo["gaps"];
  } | null;
  /** The entries after the number that was asked for. */
  readonly entries: readonly ShownEntry[];
  /** Number after which the next ones are read. */
  readonly next_after: number;
  /** True when there are more entries now. */
  readonly has_more: boolean;
}

/** An entry, and where it is in the video. */
export type ShownEntry = TimelineEntry & {
  /** When it is in the video, in milliseconds from the start of that; null while there is no video, and for a moment that is not in it. */
  readonly video_ms: number | null;
};

/** Which part of a timeline is asked for. */
export interface TimelinePage {
  /** Number of the last entry that is known; 0 for none. */
  readonly after: number;
  /** Most entries. */
  readonly limit: number;
}

/** Reads the lines of a timeline; one that is torn, as the process died, is left out. */
export function readEntries(text: string): readonly TimelineEntry[] {
  return text.split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as this service wrote it
      return [JSON.parse(line) as TimelineEntry];
    } catch {
      return [];
    }
  });
}

/** Returns all entries of a timeline. A session that ended with its process gets the entry that this could not write. */
export function withLastEntry(
  { created_ms, ended_ms, end_reason }: SessionRecord,
  written: readonly TimelineEntry[],
): readonly TimelineEntry[] {
  const last = written.at(-1);
  if (ended_ms === null || last?.kind === "end") return written;
  const end = {
    seq: (last?.seq ?? 0) + 1,
    at_ms: Math.max(ended_ms - created_ms, last?.at_ms ?? 0),
    kind: "end",
    by: "service",
    reason: end_reason ?? "unknown",
  } as const;
  return [...written, end];
}

/** Returns a part of a timeline. A session that ended with its process gets the entry that this could not write. */
export function viewTimeline(
  record: SessionRecord,
  written: readonly TimelineEntry[],
  video: RecordedVideo | null,
  { after, limit }: TimelinePage,
): TimelineView {
  const { session_id, created_ms, ended_ms } = record;
  const entries = withLastEntry(record, written);
  const rest = entries.filter(({ seq }) => seq > after);
  const shown = rest
    .slice(0, limit)
    .map((entry) => Object.assign(withoutPlace(entry), { video_ms: placeIn(video, entry.at_ms) }));
  return {
    session_id,
    state: ended_ms === null ? "active" : "ended",
    created_at: new Date(created_ms).toISOString(),
    ended_at: ended_ms === null ? null : new Date(ended_ms).toISOString(),
    video: video && { start_ms: video.startMs, duration_ms: video.durationMs, gaps: video.gaps },
    entries: shown,
    next_after: shown.at(-1)?.seq ?? after,
    has_more: rest.length > limit,
  };
}

/** Leaves out how an element is found again: that is for functions, and long. */
function withoutPlace(entry: TimelineEntry): TimelineEntry {
  if (!("target" in entry) || !entry.target) return { ...entry };
  const { role, name } = entry.target;
  return { ...entry, target: { role, name } };
}

function placeIn(video: RecordedVideo | null, atMs: number): number | null {
  const place = video ? atMs - video.startMs : -1;
  return video && place >= 0 && place <= video.durationMs ? place : null;
}
