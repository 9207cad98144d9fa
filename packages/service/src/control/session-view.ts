import type { RecordingView } from "@cloud-browser/recorder";
import { mainKey } from "../keys/keys.ts";
import type { RecordingStore } from "../storage/recordings/recording-store.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { ProfileUse } from "../storage/profile-store.ts";
import type { RunStore } from "../storage/run-store.ts";
import type { ControlState } from "../sessions/control/control-lease.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SessionRecord } from "../storage/session-store.ts";
import type { SessionUrls } from "./session-tokens.ts";

/** A session as the control interface shows it. */
export interface SessionView {
  /** Its id, a UUID. */
  readonly session_id: string;
  /** Name of the key that created it; `main` for the key that the service was started with. */
  readonly key: string;
  /** Its state: `active` while it is open. */
  readonly state: "active" | "ended";
  /** When it was created: ISO 8601, UTC. */
  readonly created_at: string;
  /** When it ended; null while it lives. */
  readonly ended_at: string | null;
  /** Reason of its end; null while it lives. */
  readonly end_reason: SessionRecord["end_reason"];
  /** Address of its page, as last seen. */
  readonly url: string | null;
  /** Title of its page, as last seen. */
  readonly title: string | null;
  /** Websocket address that drives it, with its credential; null when it has ended, and for other keys than its own. */
  readonly cdp_url: string | null;
  /** Address of the page that shows it live, with a credential that watches only; null as of `cdp_url`. */
  readonly viewer_url: string | null;
  /** Id of the automation run that it was opened for, which has its cost; null if there is none. */
  readonly thread_id: string | null;
  /** State of its recording; null if there is none. */
  readonly recording: RecordingView | null;
  /** Who steers it; null when it has ended, and in a list where another node has it. */
  readonly control: ControlView | null;
  /** Profile that it began with; null if there is none. */
  readonly profile: ProfileUseView | null;
}

/** Who steers a session, as the control interface shows it. */
export interface ControlView {
  /** The program, or a person. */
  readonly holder: "program" | "person";
  /** Since when: ISO 8601, UTC. */
  readonly since: string;
  /** False while the person is disconnected. */
  readonly connected: boolean;
  /** Until when a person who is disconnected keeps it; null otherwise. */
  readonly grace_until: string | null;
  /** True when commands that run scripts in pages wait, too. */
  readonly evaluation: boolean;
  /** How many commands of clients wait for it. */
  readonly waiting_commands: number;
}

/** How a session uses a profile. */
export interface ProfileUseView extends Pick<ProfileUse, "name" | "mode" | "outcome" | "why"> {
  /** When the outcome was known: ISO 8601, UTC; null while it is open. */
  readonly settled_at: string | null;
}

/** Returns a use of a profile as `/control` shows it. */
export function viewUse({ name, mode, outcome, why, settled_ms }: ProfileUse): ProfileUseView {
  return { name, mode, outcome, why, settled_at: settled_ms === null ? null : new Date(settled_ms).toISOString() };
}

/** Holder of the key of a request. */
export interface Asker {
  /** Name of its key; null: the key that the service was started with. */
  readonly name: string | null;
}

/** Sources of what a view of a session shows beside its record. */
export interface SessionLinks {
  /** Addresses of sessions. */
  readonly urls: Pick<SessionUrls, "cdpUrl" | "viewerUrl">;
  /** Records of the runs that sessions were opened for. */
  readonly runRecords: Pick<RunStore, "listOfSessions">;
  /** Recordings of sessions. */
  readonly recordings: Pick<RecordingStore, "readViews">;
  /** Sessions that are open here. */
  readonly sessions: Pick<Sessions, "findControl">;
  /** Profiles that sessions begin with. */
  readonly profiles: Pick<Profiles, "readUses">;
}

/** Returns a session as `/control` shows it. */
export async function viewSession(record: SessionRecord, asker: Asker, links: SessionLinks): Promise<SessionView> {
  const ids = [record.session_id];
  const [[run], recordings, uses] = await Promise.all([
    links.runRecords.listOfSessions(ids),
    links.recordings.readViews(ids),
    links.profiles.readUses(ids),
  ]);
  return viewRecord(record, asker, { thread_id: run?.thread_id ?? null, recordings, uses }, links);
}

/** Makes views of sessions, with one query for the runs of all, one for their recordings and one for their profiles. */
export async function viewSessions(
  records: readonly SessionRecord[],
  asker: Asker,
  links: SessionLinks,
): Promise<readonly SessionView[]> {
  const ids = records.map(({ session_id }) => session_id);
  const [runs, recordings, uses] = await Promise.all([
    links.runRecords.listOfSessions(ids),
    links.recordings.readViews(ids),
    links.profiles.readUses(ids),
  ]);
  const threads = new Map(runs.map(({ session_id, thread_id }) => [session_id, thread_id]));
  return records.map((record) =>
    viewRecord(record, asker, { thread_id: threads.get(record.session_id) ?? null, recordings, uses }, links),
  );
}

/** Parts of a view that are not in the record of a session. */
interface Beside {
  readonly thread_id: string | null;
  readonly recordings: ReadonlyMap<string, RecordingView>;
  readonly uses: ReadonlyMap<string, ProfileUse>;
}

function viewRecord(
  record: SessionRecord,
  asker: Asker,
  { thread_id, recordings, uses }: Beside,
  { urls, sessions }: Pick<SessionLinks, "urls" | "sessions">,
): SessionView {
  const { session_id, created_ms, ended_ms, end_reason, url, title, key } = record;
  const control = ended_ms === null ? sessions.findControl(session_id) : undefined;
  const use = uses.get(session_id);
  const isUsable = ended_ms === null && key === asker.name;
  return {
    session_id,
    key: key ?? mainKey,
    state: ended_ms === null ? "active" : "ended",
    created_at: new Date(created_ms).toISOString(),
    ended_at: ended_ms === null ? null : new Date(ended_ms).toISOString(),
    end_reason,
    url,
    title,
    cdp_url: isUsable ? urls.cdpUrl(session_id) : null,
    viewer_url: isUsable ? urls.viewerUrl(session_id) : null,
    thread_id,
    recording: recordings.get(session_id) ?? null,
    control: control ? viewOfControl(control) : null,
    profile: use ? viewUse(use) : null,
  };
}

function viewOfControl({ sinceMs, isConnected, graceUntilMs, ...state }: ControlState): ControlView {
  return {
    holder: state.holder,
    since: new Date(sinceMs).toISOString(),
    connected: isConnected,
    grace_until: graceUntilMs === null ? null : new Date(graceUntilMs).toISOString(),
    evaluation: state.evaluation,
    waiting_commands: state.waitingCommands,
  };
}
