import type { TerminalEvent, Worker } from "@cloud-browser/automation";
import type { Clock } from "@cloud-browser/recorder";
import type { Logger } from "pino";
import type { GivenFile } from "../files/given-file.ts";
import type { Handovers } from "../handovers/handovers.ts";
import type { ProfileRequest } from "../profiles/profiles.ts";
import type { Permit } from "../semaphore.ts";
import type { ServiceError } from "../service-error.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { FunctionStore } from "../storage/function-store.ts";
import type { RunStore } from "../storage/run-store.ts";

/** Limits of runs. */
export interface RunLimits {
  /** Most runs at a time. Default: 10. */
  readonly count: number;
  /** Longest time of one run, in milliseconds. Default: 10 minutes. */
  readonly timeMs: number;
  /** True to continue a run when the reader of its stream disconnects. Default: false. */
  readonly outlivesReader: boolean;
  /** How long a person has whom a run asks for a login, a code, or what it must not do by itself, in milliseconds. Default: 0, runs ask nobody. */
  readonly askMs: number;
}

/** The limits that hold unless others are given. */
export const defaultRunLimits: RunLimits = { count: 10, timeMs: 10 * 60_000, outlivesReader: false, askMs: 0 };

/** Options of the runs. */
export interface RunsOptions {
  /** Each run has a session of its own. */
  readonly sessions: Sessions;
  /** Store of the functions that runs create. */
  readonly functions: FunctionStore;
  /** Store of the records and events of runs. */
  readonly records: RunStore;
  /** Throws when opening a page at an address is not allowed. */
  readonly checkUrl: (url: URL) => Promise<void>;
  /** Address of the page that shows a session live, with its credential. */
  readonly viewerUrl: (sessionId: string) => string;
  /** Requests for a person. */
  readonly handovers: Pick<Handovers, "ask" | "wait">;
  /** Returns the current time. */
  readonly clock: Clock;
  /** Limits of runs. */
  readonly limits: RunLimits;
  /** Logs each end. */
  readonly log: Logger;
  /** Called for each run, once its record is written. */
  readonly onBegin?: () => void;
  /** Called with the name of its key when a run has begun, when its record changes, and when its end is stored. */
  readonly onChange?: (key: string | null) => void;
  /** Called when a run ends, with its terminal type, its cost in US dollars and the name of its key. */
  readonly onEnd?: (end: TerminalEvent["type"], costUsd: string, key: string | null) => void;
}

/** Work to be done in a run. */
export interface Assignment {
  /** Its worker; each run has its own. */
  readonly worker: Worker;
  /** The task, in plain language. */
  readonly task: string;
  /** True when the run ends in a new function. */
  readonly makesFunction: boolean;
  /** Name of the key that asks, which the run, its session and its function belong to. Default: null, the key that the service was started with. */
  readonly key?: string | null;
  /** Profile that its session begins with. Default: none. */
  readonly profile?: ProfileRequest | undefined;
  /** Files that it is started with, for file choosers. Default: none. */
  readonly files?: readonly GivenFile[] | undefined;
  /** True to start the run without a reader. Default: false; it is cancelled when its reader disconnects. */
  readonly isDetached?: boolean;
}

/** The slots of a run, until they are released. */
export interface RunPermit extends Permit {
  /** Slot of the run. */
  readonly slot: Permit;
  /** Slot of its session. */
  readonly session: Permit;
}

/** A run that has begun. */
export interface StartedRun {
  /** Its id, a UUID. */
  readonly id: string;
  /** Its events as server-sent events without ids; null for a detached run, which is read by {@link Runs.follow}. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Resolves with the terminal event, or with the reason why that is unknown; never rejects. */
  readonly ended: Promise<TerminalEvent | ServiceError>;
}
