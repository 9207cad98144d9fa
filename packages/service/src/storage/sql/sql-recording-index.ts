import { randomUUID } from "node:crypto";
import type { RecordingState } from "@cloud-browser/recorder";
import type { Lease } from "../lease-store.ts";
import { deletedKeptMs, type IndexedRecording, type RecordingIndex, type TakenRecording } from "../recording-index.ts";
import { Fence } from "./fence.ts";
import type { SqlDatabase, SqlValues } from "./sql-database.ts";

interface Row {
  readonly session_id: string;
  readonly state: string;
  readonly folder: string | null;
  readonly is_held: boolean | 0 | 1;
}

const isUnfinished = "stage IN ('recording', 'ended')";
const isDone = "stage NOT IN ('recording', 'ended', 'deleted')";
const isDue = "stage <> 'deleted' AND delete_at_ms <= :now";

/** Most rows that one statement deletes, so that none takes long. */
const maxForgotten = 1_000;

/** How recordings have owners. */
interface Ownership {
  /** Values of the parameters. */
  readonly values: SqlValues;
  /** Adds a recording of this process. */
  readonly insert: (row: SqlValues) => Promise<void>;
  /** Condition that this process owns a recording. */
  readonly isOwn: string;
  /** Condition that a recording has an owner. */
  readonly isHeld: string;
  /** Assignments that give a recording to this process, and the condition that it may have one. */
  readonly take: string;
  readonly mayTake: string;
  /** Returns the query for the ids of recordings without an owner that a condition selects, `:limit` at most. */
  readonly withoutOwner: (which: string) => string;
  /** Query for the ids of those that are done. */
  readonly doneWithoutOwner: string;
}

/**
 * The index in a file of one process, or in a database that all nodes share. No row is locked while a process works on a recording: what is
 * in its row fences the former owner.
 */
export class SqlRecordingIndex implements RecordingIndex {
  readonly #database: SqlDatabase;
  readonly #ownership: Ownership;

  /** @param lease - Of this node; undefined in a file of one process. */
  constructor(database: SqlDatabase, lease?: Lease) {
    this.#database = database;
    this.#ownership = lease === undefined ? makeProcessOwnership(database) : makeLeaseOwnership(database, lease);
  }

  async create(state: RecordingState): Promise<void> {
    const { sessionId, stage, deleteAtMs = null } = state;
    await this.#ownership.insert({ session_id: sessionId, stage: stage.name, state: JSON.stringify(state) });
    if (deleteAtMs !== null) await this.change(state, null);
  }

  async change(state: RecordingState, folder: string | null): Promise<boolean> {
    const { sessionId: id, stage, deleteAtMs = null } = state;
    const rows = await this.#query(
      `UPDATE recordings SET stage = :stage, delete_at_ms = :delete_at, state = :state, folder = :folder
        WHERE session_id = :id AND ${this.#ownership.isOwn} AND stage <> 'deleted' RETURNING 1`,
      { id, stage: stage.name, delete_at: deleteAtMs, state: JSON.stringify(state), folder },
    );
    return rows.length > 0;
  }

  async expire(sessionId: string, nowMs: number): Promise<boolean> {
    const state = this.#database.dialect.withField("state", "deleteAtMs", ":now");
    const rows = await this.#query(
      `UPDATE recordings SET delete_at_ms = :now, state = ${state} WHERE session_id = :id AND ${isDone} RETURNING 1`,
      { id: sessionId, now: nowMs },
    );
    return rows.length > 0;
  }

  async remove(sessionId: string): Promise<void> {
    await this.#query(`DELETE FROM recordings WHERE session_id = :id AND ${this.#ownership.isOwn}`, { id: sessionId });
  }

  async get(sessionIds: readonly string[]): Promise<readonly IndexedRecording[]> {
    const isOneOf = this.#database.dialect.isIn("session_id", "ids");
    const select = `SELECT state, folder, ${this.#ownership.isHeld} AS is_held FROM recordings WHERE ${isOneOf}`;
    const rows = await this.#query(select, { ids: sessionIds });
    return rows.map((row) => ({ state: readState(row), folder: row.folder, isHeld: Boolean(row.is_held) }));
  }

  async claim(sessionId: string): Promise<"own" | "taken" | "unknown"> {
    const { isOwn, withoutOwner } = this.#ownership;
    await this.#takeOver(withoutOwner(`session_id = :id AND ${isUnfinished}`), 1, { id: sessionId });
    const select = `SELECT ${isOwn} AND ${isUnfinished} AS is_held FROM recordings WHERE session_id = :id`;
    const [row] = await this.#query(select, { id: sessionId });
    if (!row) return "unknown";
    return row.is_held ? "own" : "taken";
  }

  async takeUnfinished(limit: number): Promise<readonly RecordingState[]> {
    const { isOwn, withoutOwner } = this.#ownership;
    await this.#takeOver(withoutOwner(isUnfinished), limit);
    return (await this.#query(`SELECT state FROM recordings WHERE ${isUnfinished} AND ${isOwn}`)).map(readState);
  }

  async takeDone(limit: number): Promise<readonly TakenRecording[]> {
    return this.#takeOver(this.#ownership.doneWithoutOwner, limit);
  }

  async takeDue(nowMs: number, limit: number): Promise<readonly RecordingState[]> {
    const { isOwn, withoutOwner } = this.#ownership;
    await this.#takeOver(withoutOwner(isDue), limit, { now: nowMs });
    const select = `SELECT state FROM recordings WHERE ${isDue} AND ${isOwn} ORDER BY delete_at_ms LIMIT :limit`;
    return (await this.#query(select, { now: nowMs, limit })).map(readState);
  }

  async forget(nowMs: number): Promise<void> {
    await this.#query(
      `DELETE FROM recordings WHERE session_id IN (
        SELECT session_id FROM recordings WHERE stage = 'deleted' AND delete_at_ms < :before
          ORDER BY delete_at_ms LIMIT ${maxForgotten} ${this.#database.dialect.lock("FOR UPDATE SKIP LOCKED")})`,
      { before: nowMs - deletedKeptMs },
    );
  }

  /** @param which - Query for ids. */
  async #takeOver(which: string, limit: number, values: SqlValues = {}): Promise<readonly TakenRecording[]> {
    const { take, mayTake } = this.#ownership;
    const rows = await this.#query(
      `UPDATE recordings SET ${take} WHERE ${mayTake} AND session_id IN (${which}) RETURNING session_id, folder`,
      { ...values, limit },
    );
    return rows.map(({ session_id: sessionId, folder }) => ({ sessionId, folder }));
  }

  #query(text: string, values: SqlValues = {}): Promise<readonly Row[]> {
    return this.#database.query<Row>(text, { ...values, ...this.#ownership.values });
  }
}

/** A recording in a file belongs to the process that has begun it, or that took it over: each has a name of its own. */
function makeProcessOwnership(database: SqlDatabase): Ownership {
  const values = { owner: randomUUID() };
  return {
    values,
    insert: (row) => new Fence(database).insert(database.query, "recordings", { ...row, ...values }),
    isOwn: "owner = :owner",
    isHeld: "owner = :owner",
    take: "owner = :owner",
    mayTake: "TRUE",
    withoutOwner: ofOtherProcesses,
    doneWithoutOwner: ofOtherProcesses(isDone),
  };
}

function ofOtherProcesses(which: string): string {
  // Not `<>`, for which no index is used: nearly all recordings are this process's.
  const parts = ["<", ">"].map(
    (than) => `SELECT session_id, delete_at_ms FROM recordings WHERE ${which} AND owner ${than} :owner`,
  );
  return `SELECT session_id FROM (${parts.join(" UNION ALL ")}) ORDER BY delete_at_ms LIMIT :limit`;
}

/** A recording in a shared database belongs to a lease; one node takes it over once that lease is revoked. */
function makeLeaseOwnership(database: SqlDatabase, lease: Lease): Ownership {
  const fence = new Fence(database, lease);
  const isHeld = fence.isHeld("recordings");
  // Rows that another node is taking over are skipped.
  const unlocked = `LIMIT :limit ${database.dialect.lock("FOR UPDATE SKIP LOCKED")}`;
  return {
    values: fence.values,
    insert: (row) => fence.insert(database.query, "recordings", row),
    isOwn: fence.isOwn("recordings"),
    isHeld,
    take: "host = :lease_name, epoch = :lease_epoch",
    mayTake: fence.mayWrite,
    withoutOwner: (which) => `SELECT session_id FROM recordings
      WHERE ${which} AND epoch <> :lease_epoch AND NOT ${isHeld} ORDER BY delete_at_ms ${unlocked}`,
    // Nearly all that are done have an owner, so their leases are looked at instead, of which there are as many as nodes: each is found in
    // the index by the one before. Only that index has the order in which rows are read then (of an equal epoch the planner would leave the
    // epoch out of the order, and take the index of those that are due).
    doneWithoutOwner: `WITH RECURSIVE owners (epoch) AS (
        SELECT min(epoch) FROM recordings WHERE ${isDone}
        UNION ALL
        SELECT (SELECT min(epoch) FROM recordings WHERE ${isDone} AND epoch > owners.epoch) FROM owners WHERE epoch IS NOT NULL
      ), lost AS MATERIALIZED (
        SELECT epoch FROM owners WHERE epoch <> :lease_epoch AND NOT ${fence.isHeld("owners")}
      )
      SELECT session_id FROM lost CROSS JOIN LATERAL (
        SELECT session_id FROM recordings WHERE ${isDone} AND recordings.epoch BETWEEN lost.epoch AND lost.epoch
          ORDER BY recordings.epoch, delete_at_ms ${unlocked}
      ) AS its LIMIT :limit`,
  };
}

function readState({ state }: Row): RecordingState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this class
  return JSON.parse(state) as RecordingState;
}
