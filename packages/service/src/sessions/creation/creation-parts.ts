import type { ActivePage, ContextOptions, PooledContext } from "@cloud-browser/browsers";
import type { Clock } from "@cloud-browser/recorder";
import type { SessionFiles } from "../../files/session-files.ts";
import type { MonotonicClock } from "../../monotonic-clock.ts";
import type { Profiles } from "../../profiles/profiles.ts";
import type { EndReason, SessionStore } from "../../storage/session-store.ts";
import type { TimelineEntry } from "../../timeline/timeline-event.ts";
import type { SteeringEvent } from "../control/steering-events.ts";
import type { SessionLimits } from "../session-limits.ts";
import type { SessionProxy } from "../session-options.ts";
import type { SessionRecorder } from "../session-parts.ts";

/** Session that can be recorded. */
export interface Recordable {
  /** Id of the session. */
  readonly id: string;
  /** When it was created, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Its browser. */
  readonly context: PooledContext["context"];
  /** The page that it is on. */
  readonly activePage: ActivePage;
  /** Size of its pages, in CSS pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
  /** How long its recording is kept, in milliseconds. Default: as long as all others. */
  readonly retentionMs?: number;
}

/** Dependencies of the creation of a session. */
export interface CreationParts {
  /** Opens a context of a browser. */
  readonly openContext: (options: ContextOptions, proxy?: SessionProxy) => Promise<PooledContext>;
  /** Begins to record. */
  readonly record: (what: Recordable) => Promise<SessionRecorder>;
  /** Throws when a page may not be opened there. */
  readonly checkUrl: (url: URL, proxy?: SessionProxy) => Promise<void>;
  /** True when the proxy of a session may resolve names. Default: it may not. */
  readonly allowsProxyDns?: boolean;
  /** Stores a record of each session. */
  readonly records: SessionStore;
  /** Profiles that sessions begin with. */
  readonly profiles: Pick<Profiles, "check" | "begin">;
  /** Returns the current time. */
  readonly clock: Clock;
  /** Clock that their limits are measured by. */
  readonly monotonic: MonotonicClock;
  /** How many sessions there may be, and how long each may last. */
  readonly limits: SessionLimits;
  /** Called when a session has ended, with errors on the way, for the log. */
  readonly onEnd?: (id: string, reason: EndReason, faults: readonly unknown[]) => void;
  /** Resolves when the recording of a session is in its store, or that takes too long. Default: it is at once. */
  readonly secure?: (id: string) => Promise<void>;
  /** Called with each change about who steers a session. */
  readonly onSteering?: (event: SteeringEvent) => void;
  /** Opens the files of a session, which are kept for so many milliseconds after its end. Default: none are kept. */
  readonly openFiles?: (id: string, keptMs: number) => SessionFiles;
  /** Called when a session is gone, with its pages. */
  readonly closeFiles?: (id: string) => Promise<void>;
  /** Called with each entry of the timeline of a session. */
  readonly onEntry?: (entry: TimelineEntry) => void;
  /** Called with the name of its key when a session was created, is on another page, and when its end is written. */
  readonly onChange?: (key: string | null) => void;
  /** Called when a session was created and its record is written. */
  readonly onBegin?: (id: string) => void;
}
