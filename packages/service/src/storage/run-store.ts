import type { TerminalEvent } from "@cloud-browser/automation";

/** Record of an automation run, kept beyond its end. */
export interface RunRecord {
  /** Its id, a UUID: `metadata.thread_id` of its terminal event. */
  readonly thread_id: string;
  /** Its session; null until that is there. */
  readonly session_id: string | null;
  /** When it began, in milliseconds since 1970. */
  readonly started_ms: number;
  /** When it ended, in milliseconds since 1970; null while it goes on. */
  readonly ended_ms: number | null;
  /** Type of its terminal event; `service-died` when the service ended before it, `host-lost` when its node was not heard of any more; null while it goes on. */
  readonly end: TerminalEvent["type"] | "service-died" | "host-lost" | null;
  /** `error` or `reason` of its terminal event; null for `done`, and while it goes on. */
  readonly reason: string | null;
  /** Cost, in US dollars: an exact decimal. */
  readonly cost_usd: string;
  /** The function that it ended in; null when it made none. */
  readonly function_id: string | null;
  /** Name of the key that started it; null for the key that the service was started with. */
  readonly key: string | null;
}

/** How long the record of an ended run is kept, in milliseconds: a week, as that of its session. */
export const runKeptMs = 7 * 24 * 3_600_000;

/** What a key has used. */
export interface RunUsage {
  /** How many of its runs go on. */
  readonly open: number;
  /** What each of those cost that have ended since, in US dollars: exact decimals. */
  readonly costsUsd: readonly string[];
}

/** Fields of a run's record that change. */
export type RunChange = Partial<Omit<RunRecord, "thread_id" | "started_ms" | "key">>;

/** The automation runs of the service, those that have ended too. Changes of one run are written in the order in which they are made. */
export interface RunStore {
  /** Keeps a run that begins, with the name of its key, and forgets what ended long ago. May reject when it can't be written. */
  create(threadId: string, startedMs: number, key?: string | null): Promise<void>;
  /** Keeps what is new of a run that has not ended: the first end counts. Never rejects: a change that can't be written is told. */
  change(threadId: string, change: RunChange): Promise<void>;
  /** The record of a run; undefined when there is none. */
  get(threadId: string): Promise<RunRecord | undefined>;
  /** The runs that these sessions were opened for, in any order; sessions that were opened for none have none. */
  ofSessions(sessionIds: readonly string[]): Promise<readonly RunRecord[]>;
  /** What a key has used since a moment. */
  usage(key: string, sinceMs: number): Promise<RunUsage>;
  /** The newest runs that have ended, the newest first: those of one key, or, when none is named, all. */
  ended(limit: number, key?: string | null): Promise<readonly RunRecord[]>;
  /** Ends what nobody has any more, as sessions are ended, and forgets what ended long ago. */
  recover(nowMs: number): Promise<void>;
  /** Writes what could not be written before, as far as that is still known. Returns why it still can't be, in words; undefined when nothing is left. */
  flush(): Promise<string | undefined>;
}
