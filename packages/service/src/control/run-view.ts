import { mainKey } from "../keys/keys.ts";
import type { RunRecord } from "../storage/run-store.ts";

/** A run as the control interface shows it (`control.openapi.json`). */
export interface RunView {
  /** Its id, a UUID. */
  readonly thread_id: string;
  /** Name of the key that started it; `main` for the key that the service was started with. */
  readonly key: string;
  /** Its session, by which its recording can be read; null until that is there. */
  readonly session_id: string | null;
  /** Its state: `active` while it is running. */
  readonly state: "active" | "ended";
  /** When it began: ISO 8601, UTC. */
  readonly started_at: string;
  /** When it ended; null while it is running. */
  readonly ended_at: string | null;
  /** Type of its terminal event; null while it is running. */
  readonly end: RunRecord["end"];
  /** Reason of an end other than `done`; null otherwise. */
  readonly reason: string | null;
  /** Cost so far, in US dollars: an exact decimal. */
  readonly cost_usd: string;
  /** The function that it ended in; null when it made none. */
  readonly function_id: string | null;
  /** The task, with `{{names}}` in place of its secrets; null until it is known which these are: of a task that is new, when it is done. */
  readonly task: string | null;
  /** How many steps have been performed. */
  readonly steps: number;
}

/** Returns a run as `/control` shows it. */
export function viewRun(record: RunRecord): RunView {
  const { thread_id, session_id, started_ms, ended_ms, end, reason, cost_usd, function_id, key, task, steps } = record;
  return {
    thread_id,
    key: key ?? mainKey,
    session_id,
    state: ended_ms === null ? "active" : "ended",
    started_at: new Date(started_ms).toISOString(),
    ended_at: ended_ms === null ? null : new Date(ended_ms).toISOString(),
    end,
    reason,
    cost_usd,
    function_id,
    task,
    steps,
  };
}
