import type { TerminalEvent } from "@cloud-browser/automation";
import type { Lease } from "./lease-store.ts";

/** Record of an automation run, kept beyond its end. */
export interface RunRecord {
  /** Its id, a UUID: `metadata.thread_id` of its terminal event. */
  readonly thread_id: string;
  /** Its session; null until that is there. */
  readonly session_id: string | null;
  /** When it began, in milliseconds since 1970. */
  readonly started_ms: number;
  /** When it ended, in milliseconds since 1970; null while it is running. */
  readonly ended_ms: number | null;
  /** Type of its terminal event; `service-died` when the service ended before it, `host-lost` when the lease of its node was revoked; null while it is running. */
  readonly end: TerminalEvent["type"] | "service-died" | "host-lost" | null;
  /** `error` or `reason` of its terminal event; null for `done`, and while it is running. */
  readonly reason: string | null;
  /** Cost, in US dollars: an exact decimal. */
  readonly cost_usd: string;
  /** The function that it created; null when it created none. */
  readonly function_id: string | null;
  /** Name of the key that started it; null for the key that the service was started with. */
  readonly key: string | null;
  /** The task, with `{{names}}` in place of its secrets; null until these are known: for a new task, until it is done. */
  readonly task: string | null;
  /** How many steps have been performed. */
  readonly steps: number;
}

/** Fields that the record of every run has when it begins. */
export const newRun = {
  session_id: null,
  ended_ms: null,
  end: null,
  reason: null,
  cost_usd: "0",
  function_id: null,
  steps: 0,
} as const satisfies Partial<RunRecord>;

/** An event of a run, other than its terminal event. */
export interface RunEvent {
  /** Its number among the events of its run: 1 is the first. */
  readonly seq: number;
  /** The event: a JSON object in one line. */
  readonly event: string;
}

/** How long the record of an ended run and its events are kept, in milliseconds: a week, as that of its session. */
export const runKeptMs = 7 * 24 * 3_600_000;

/** Usage of a key. */
export interface RunUsage {
  /** Number of its active runs. */
  readonly open: number;
  /** Cost of each run that has ended since, in US dollars: exact decimals. */
  readonly costsUsd: readonly string[];
}

/** Changed fields of a run. */
export type RunChange = Partial<Omit<RunRecord, "thread_id" | "started_ms" | "key">> & {
  /** The terminal event: a JSON object in one line. Given together with `ended_ms`, so that a run has exactly one end. */
  readonly outcome?: string;
};

/** The automation runs of the service, active and ended. Changes of one run are written in the order in which they are made. */
export interface RunStore {
  /** Adds a run, with the name of its key and its task as far as that is known, and deletes runs that ended long ago. Rejects when the store is unavailable. */
  create(threadId: string, startedMs: number, key?: string | null, task?: string | null): Promise<void>;
  /** Stores changes of an active run; the first end counts. Never rejects: a change that can't be written is reported, and written by {@link RunStore.flush}. */
  change(threadId: string, change: RunChange): Promise<void>;
  /** Returns the record of a run, or undefined if no run has that id. */
  get(threadId: string): Promise<RunRecord | undefined>;
  /** Writes pending changes of a run, and returns its record as all nodes read it. Rejects when the store is unavailable. */
  settle(threadId: string): Promise<RunRecord | undefined>;
  /** Returns the terminal event of a run; null while it is active, and when its process died without one: its record has the reason then. */
  readOutcome(threadId: string): Promise<string | null>;
  /**
   * Stores events of an active run; those that are stored already stay as they are.
   *
   * @param oldest - Number of the oldest event to keep: earlier ones are deleted.
   * @throws When the store is unavailable; the same events may be given again.
   */
  append(threadId: string, events: readonly RunEvent[], oldest: number): Promise<void>;
  /** Returns the events of a run after a number, in order: up to `bytes`, but at least one if there is any. */
  readEvents(threadId: string, after: number, bytes: number): Promise<readonly RunEvent[]>;
  /** Returns the lease of an active run; undefined when it has ended, and in a store of one process. */
  findHost(threadId: string): Promise<Lease | undefined>;
  /** Returns the runs that these sessions were opened for, in any order. */
  listOfSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]>;
  /** Returns the usage of a key since a time. */
  readUsage(key: string, sinceMs: number): Promise<RunUsage>;
  /** Returns the active runs of all processes, the newest first: those of one key, or, without a key, all. */
  listActive(limit: number, key?: string | null): Promise<readonly RunRecord[]>;
  /** Returns ended runs, the newest first: those of one key, or, without a key, all. */
  listEnded(limit: number, key?: string | null): Promise<readonly RunRecord[]>;
  /** Ends runs without an owner, each once, as {@link SessionStore.recover} ends sessions, and deletes old records. Resolves with how many. */
  recover(nowMs: number): Promise<number>;
  /** Writes pending changes that are still known. Returns the reason when some remain; undefined when none do. */
  flush(): Promise<string | undefined>;
}
