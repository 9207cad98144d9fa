import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { RecordingState } from "@cloud-browser/recorder";
import { deletedKeptMs, type IndexedRecording, type RecordingIndex, type TakenRecording } from "../recording-index.ts";

/** The index in the database of one process: recordings of an earlier process have no owner. */
export class SqliteRecordingIndex implements RecordingIndex {
  readonly #database: DatabaseSync;
  /** Tells this process from those before. */
  readonly #owner = randomUUID();

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async create(state: RecordingState): Promise<void> {
    const { sessionId, stage, deleteAtMs = null } = state;
    this.#database
      .prepare("INSERT INTO recordings (session_id, owner, stage, delete_at_ms, state) VALUES (?, ?, ?, ?, ?)")
      .run(sessionId, this.#owner, stage.name, deleteAtMs, JSON.stringify(state));
  }

  async change(state: RecordingState, folder: string | null): Promise<boolean> {
    const { sessionId, stage, deleteAtMs = null } = state;
    const { changes } = this.#database
      .prepare(
        `UPDATE recordings SET stage = ?, delete_at_ms = ?, state = ?, folder = ?
          WHERE session_id = ? AND owner = ? AND stage <> 'deleted'`,
      )
      .run(stage.name, deleteAtMs, JSON.stringify(state), folder, sessionId, this.#owner);
    return changes > 0;
  }

  async expire(sessionId: string, nowMs: number): Promise<boolean> {
    const { changes } = this.#database
      .prepare(
        `UPDATE recordings SET delete_at_ms = ?1, state = json_set(state, '$.deleteAtMs', ?1)
          WHERE session_id = ?2 AND stage NOT IN ('recording', 'ended', 'deleted')`,
      )
      .run(nowMs, sessionId);
    return Number(changes) > 0;
  }

  async remove(sessionId: string): Promise<void> {
    this.#database.prepare("DELETE FROM recordings WHERE session_id = ? AND owner = ?").run(sessionId, this.#owner);
  }

  async get(sessionIds: readonly string[]): Promise<readonly IndexedRecording[]> {
    return this.#database
      .prepare("SELECT owner, state, folder FROM recordings WHERE session_id IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify(sessionIds))
      .map((row) => ({
        state: readState(row),
        folder: findFolder(row),
        isHeld: row["owner"] === this.#owner,
      }));
  }

  async take(sessionId: string): Promise<"own" | "taken" | "unknown"> {
    const row = this.#database.prepare("SELECT stage FROM recordings WHERE session_id = ?").get(sessionId);
    if (!row) return "unknown";
    if (row["stage"] !== "recording" && row["stage"] !== "ended") return "taken";
    this.#database.prepare("UPDATE recordings SET owner = ? WHERE session_id = ?").run(this.#owner, sessionId);
    return "own";
  }

  async takeUnfinished(limit: number): Promise<readonly RecordingState[]> {
    this.#takeOver("stage IN ('recording', 'ended')", limit);
    return this.#database
      .prepare("SELECT state FROM recordings WHERE stage IN ('recording', 'ended') AND owner = ?")
      .all(this.#owner)
      .map(readState);
  }

  async takeDone(limit: number): Promise<readonly TakenRecording[]> {
    return this.#takeOver("stage NOT IN ('recording', 'ended', 'deleted')", limit);
  }

  async takeDue(nowMs: number, limit: number): Promise<readonly RecordingState[]> {
    const isDue = "stage <> 'deleted' AND delete_at_ms <= ?3";
    this.#takeOver(isDue, limit, nowMs);
    return this.#database
      .prepare(`SELECT state FROM recordings WHERE ${isDue} AND owner = ?1 ORDER BY delete_at_ms LIMIT ?2`)
      .all(this.#owner, limit, nowMs)
      .map(readState);
  }

  async forget(nowMs: number): Promise<void> {
    this.#database
      .prepare("DELETE FROM recordings WHERE stage = 'deleted' AND delete_at_ms < ?")
      .run(nowMs - deletedKeptMs);
  }

  /** @param which - Selects recordings: `?3` is the first of the values. */
  #takeOver(which: string, limit: number, ...values: readonly number[]): readonly TakenRecording[] {
    // Not `<>`, for which no index is used: nearly all recordings are this process's.
    const ofOthers = ["<", ">"].map(
      (than) => `SELECT session_id, delete_at_ms FROM recordings WHERE ${which} AND owner ${than} ?1`,
    );
    return this.#database
      .prepare(
        `UPDATE recordings SET owner = ?1 WHERE session_id IN (
          SELECT session_id FROM (${ofOthers.join(" UNION ALL ")}) ORDER BY delete_at_ms LIMIT ?2)
          RETURNING session_id, folder`,
      )
      .all(this.#owner, limit, ...values)
      .map((row) => ({ sessionId: String(row["session_id"]), folder: findFolder(row) }));
  }
}

function findFolder({ folder }: Record<string, unknown>): string | null {
  return typeof folder === "string" ? folder : null;
}

function readState({ state }: Record<string, unknown>): RecordingState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
  return JSON.parse(String(state)) as RecordingState;
}
