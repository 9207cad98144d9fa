import type { RecordingView } from "@cloud-browser/recorder";
import type { SessionRecord } from "../records/session-records.ts";

/** A session as the control interface shows it. */
export interface SessionView {
  /** Its id, a UUID. */
  readonly session_id: string;
  /** Whether it is open. */
  readonly state: "active" | "ended";
  /** When it was created: ISO 8601, UTC. */
  readonly created_at: string;
  /** When it ended; null while it lives. */
  readonly ended_at: string | null;
  /** Why it ended; null while it lives. */
  readonly end_reason: SessionRecord["end_reason"];
  /** Address of its page, as last seen. */
  readonly url: string | null;
  /** Title of its page, as last seen. */
  readonly title: string | null;
  /** Websocket address that drives it, with its credential; null when it has ended. */
  readonly cdp_url: string | null;
  /** Id of the automation run that it was opened for, which tells what that cost; null when it was opened for none. */
  readonly thread_id: string | null;
  /** How far its recording is; null when there is none. */
  readonly recording: RecordingView | null;
}

/** What a session is shown with. */
export interface SessionLinks {
  /** Websocket address that drives a session, with its credential. */
  readonly cdpUrl: (sessionId: string) => string;
  /** Id of the run that a session was opened for; undefined when it was opened for none. */
  readonly threadOf: (sessionId: string) => string | undefined;
  /** How far the recording of a session is; undefined when there is none. */
  readonly recordingOf: (sessionId: string) => RecordingView | undefined;
}

/** Shows a session. */
export function viewOf(record: SessionRecord, { cdpUrl, threadOf, recordingOf }: SessionLinks): SessionView {
  const { session_id, created_ms, ended_ms, end_reason, url, title } = record;
  return {
    session_id,
    state: ended_ms === null ? "active" : "ended",
    created_at: new Date(created_ms).toISOString(),
    ended_at: ended_ms === null ? null : new Date(ended_ms).toISOString(),
    end_reason,
    url,
    title,
    cdp_url: ended_ms === null ? cdpUrl(session_id) : null,
    thread_id: threadOf(session_id) ?? null,
    recording: recordingOf(session_id) ?? null,
  };
}
