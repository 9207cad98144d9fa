import type { RecordedVideo } from "@cloud-browser/recorder";
import { readEntries, withLastEntry } from "../../control/timeline-view.ts";
import type { Session } from "../../sessions/session.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import type { RecordingStore } from "../../storage/recordings/recording-store.ts";
import type { SessionRecord } from "../../storage/session-store.ts";
import type { TimelineEntry } from "../../timeline/timeline-event.ts";
import { answerProblem } from "../problems.ts";

/** A timeline as far as it is known. */
export interface FoundTimeline {
  /** Its session. */
  readonly record: SessionRecord;
  /** All its entries; the last one of a session that has ended is its end. */
  readonly entries: readonly TimelineEntry[];
  /** Where its video lies; null while there is none. */
  readonly video: RecordedVideo | null;
  /** Its session while that is open. */
  readonly open: Session | undefined;
}

/** Where timelines are found. */
export interface TimelineReaderParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Recordings of sessions, with their timelines. */
  readonly recordings: Pick<RecordingStore, "readTimeline">;
}

/**
 * Finds the timeline of a session, or says why there is none.
 *
 * @param key - Name of the key that asks.
 * @throws {ServiceError} `unknown-session`, `recording-deleted`, `storage-failed`.
 */
export async function findTimeline(
  { sessions, recordings }: TimelineReaderParts,
  id: string,
  key: string | null,
): Promise<FoundTimeline | Response> {
  const record = await sessions.getRecord(id, key);
  const open = sessions.open.find((session) => session.id === record.session_id);
  if (open) return { record, entries: withLastEntry(record, open.history.timeline.entries), video: null, open };
  if (!record.recorded)
    return answerProblem(404, "the session was not recorded: its timeline was kept as long as it lived");
  const timeline = await recordings.readTimeline(record.session_id);
  if (timeline)
    return { record, entries: withLastEntry(record, readEntries(timeline.text)), video: timeline.video, open };
  const why = "the timeline of this session can't be reached now: the node that has it is down; try again";
  return answerProblem(503, why, { "retry-after": "5" });
}
