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
  /** Type of its terminal event; `service-died` when the service ended before it, `host-lost` when its node was not heard of any more; null while it is running. */
  readonly end: TerminalEvent["type"] | "service-died" | "host-lost" | null;
  /** `error` or `reason` of its terminal event; null for `done`, and while it is running. */
  readonly reason: string | null;
  /** Cost, in US dollars: an exact decimal. */
  readonly cost_usd: string;
  /** The function that it ended in; null when it made none. */
  readonly function_id: string | null;
  /** Name of the key that started it; null for the key that the service was started with. */
  readonly key: string | null;
  /** The task, with `{{names}}` in place of its secrets; null until it is known which these are: of a task that is new, when it is done. */
  readonly task: string | null;
  /** How many steps have been performed. */
  readonly steps: number;
}

/** An event of a run, but for the one that ends it. */
export interface RunEvent {
  /** Its number among the events of its run: 1 is the first. */
  readonly seq: number;
  /** The event: a JSON object in one line. */
  readonly event: string;
}

/** How long the record of an ended run and its events are kept, in milliseconds: a week, as that of its session. */
export const runKeptMs = 7 * 24 * 3_600_000;

/** What a key has used. */
export interface RunUsage {
  /** Number of its active runs. */
  readonly open: number;
  /** What each of those cost that have ended since, in US dollars: exact decimals. */
  readonly costsUsd: readonly string[];
}

/** What changes of a run. */
export type RunChange = Partial<Omit<RunRecord, "thread_id" | "started_ms" | "key">> & {
  /** The event that ends it: a JSON object in one line. Given together with `ended_ms`, so that a run that has ended has one end and no other. */
  readonly outcome?: string;
};

/** The automation runs of the service, those that have ended too. Changes of one run are written in the order in which they are made. */
export interface RunStore {
  /** Keeps a run that begins, with the name of its key and what is known of its task, and forgets what ended long ago. May reject when it can't be written. */
  create(threadId: string, startedMs: number, key?: string | null, task?: string | null): Promise<void>;
  /** Stores changes of a run that has not ended: the first end counts. Never rejects: a change that can't be written is reported, and written by {@link RunStore.flush}. */
  change(threadId: string, change: RunChange): Promise<void>;
  /** Returns the record of a run, or undefined if no run has that id. */
  get(threadId: string): Promise<RunRecord | undefined>;
  /** The record of a run as all read it who can end it: what is not written yet is written first. Rejects when it can't be. */
  settled(threadId: string): Promise<RunRecord | undefined>;
  /** The event that ended a run; null when it has not ended, and when its process died without one: its record has the reason then. */
  outcome(threadId: string): Promise<string | null>;
  /**
   * Keeps events of a run that has not ended; those that are kept already stay as they are.
   *
   * @param oldest - Number of the oldest event that is still wanted: those before it are forgotten.
   * @returns Rejects when they can't be written; all may be given again.
   */
  append(threadId: string, events: readonly RunEvent[], oldest: number): Promise<void>;
  /** The next events of a run after a number, in order: up to that many bytes, but at least one if there is any. */
  events(threadId: string, after: number, bytes: number): Promise<readonly RunEvent[]>;
  /** The lease of an active run; undefined when it has ended, and where only one process can have runs. */
  hostOf(threadId: string): Promise<Lease | undefined>;
  /** The runs that these sessions were opened for, in any order; sessions that were opened for none have none. */
  ofSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]>;
  /** What a key has used since a moment. */
  usage(key: string, sinceMs: number): Promise<RunUsage>;
  /** The newest runs that have not ended, of all processes, the newest first: those of one key, or, when none is named, all. */
  active(limit: number, key?: string | null): Promise<readonly RunRecord[]>;
  /** The newest runs that have ended, the newest first: those of one key, or, when none is named, all. */
  ended(limit: number, key?: string | null): Promise<readonly RunRecord[]>;
  /** Ends the runs without an owner, as sessions are ended, each once, and deletes old ones. */
  recover(nowMs: number): Promise<void>;
  /** Writes what could not be written before, as far as that is still known. Returns why it still can't be, in words; undefined when nothing is left. */
  flush(): Promise<string | undefined>;
}
