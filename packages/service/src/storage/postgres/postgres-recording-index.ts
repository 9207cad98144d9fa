import type { RecordingState } from "@cloud-browser/recorder";
import type { Lease } from "../lease-store.ts";
import { deletedKeptMs, type IndexedRecording, type RecordingIndex, type TakenRecording } from "../recording-index.ts";
import { insertedUnder } from "./lease-fence.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

interface Row {
  readonly state: string;
  readonly folder: string | null;
  readonly held: boolean;
}

/** Condition that the lease of the owner of a recording is not revoked. */
const isHeld = "EXISTS (SELECT FROM leases WHERE leases.epoch = recordings.epoch AND NOT revoked)";

/** Condition that this node may take recordings over. */
const mayTake = "EXISTS (SELECT FROM leases WHERE epoch = $2 AND NOT revoked AND expires_at > clock_timestamp())";

const isUnfinished = "stage IN ('recording', 'ended')";
const isDone = "stage NOT IN ('recording', 'ended', 'deleted')";

/** Most rows that one statement deletes, so that none takes long. */
const maxForgotten = 1_000;

/** Skips rows that another node is taking over. */
const unlocked = "LIMIT $3 FOR UPDATE SKIP LOCKED";

/**
 * Done recordings without an owner. Nearly all have one, so their leases are looked at instead, of which there are as many as nodes: each is
 * found in the index by the one before. Only that index has the order in which rows are read then (of an equal epoch the planner would leave
 * the epoch out of the order, and take the index of those that are due).
 */
const doneWithoutOwner = `WITH RECURSIVE owners (epoch) AS (
    SELECT min(epoch) FROM recordings WHERE ${isDone}
    UNION ALL
    SELECT (SELECT min(epoch) FROM recordings WHERE ${isDone} AND epoch > owners.epoch) FROM owners WHERE epoch IS NOT NULL
  ), lost AS MATERIALIZED (
    SELECT epoch FROM owners
      WHERE epoch <> $2 AND NOT EXISTS (SELECT FROM leases WHERE leases.epoch = owners.epoch AND NOT revoked)
  )
  SELECT session_id FROM lost CROSS JOIN LATERAL (
    SELECT session_id FROM recordings WHERE ${isDone} AND recordings.epoch BETWEEN lost.epoch AND lost.epoch
      ORDER BY recordings.epoch, delete_at_ms ${unlocked}
  ) AS its LIMIT $3`;

/**
 * The index in a database that all nodes share. Each recording belongs to a lease; one node takes it over once that lease is revoked.
 * No row is locked while a node works on a recording: the epoch in its row fences the former owner.
 */
export class PostgresRecordingIndex implements RecordingIndex {
  readonly #database: PostgresDatabase;
  readonly #lease: Lease;

  /** @param lease - Of this node. */
  constructor(database: PostgresDatabase, lease: Lease) {
    this.#database = database;
    this.#lease = lease;
  }

  async create(state: RecordingState): Promise<void> {
    const { sessionId, stage, deleteAtMs = null } = state;
    const into = "INSERT INTO recordings (session_id, stage, state, host, epoch)";
    await insertedUnder(this.#lease, this.#database.query, into, [sessionId, stage.name, JSON.stringify(state)]);
    if (deleteAtMs !== null) await this.change(state, null);
  }

  async change(state: RecordingState, folder: string | null): Promise<boolean> {
    const { sessionId, stage, deleteAtMs = null } = state;
    const changed = await this.#database.query(
      `UPDATE recordings SET stage = $3, delete_at_ms = $4, state = $5, folder = $6
        WHERE session_id = $1 AND epoch = $2 AND stage <> 'deleted' RETURNING 1`,
      [sessionId, this.#lease.epoch, stage.name, deleteAtMs, JSON.stringify(state), folder],
    );
    return changed.length > 0;
  }

  async expire(sessionId: string, nowMs: number): Promise<boolean> {
    const expired = await this.#database.query(
      `UPDATE recordings SET delete_at_ms = $2, state = jsonb_set(state::jsonb, '{deleteAtMs}', to_jsonb($2::bigint))::text
        WHERE session_id = $1 AND stage NOT IN ('recording', 'ended', 'deleted') RETURNING 1`,
      [sessionId, nowMs],
    );
    return expired.length > 0;
  }

  async remove(sessionId: string): Promise<void> {
    await this.#database.query("DELETE FROM recordings WHERE session_id = $1 AND epoch = $2", [
      sessionId,
      this.#lease.epoch,
    ]);
  }

  async get(sessionIds: readonly string[]): Promise<readonly IndexedRecording[]> {
    const rows = await this.#database.query<Row>(
      `SELECT state, folder, ${isHeld} AS held FROM recordings WHERE session_id = ANY ($1)`,
      [sessionIds],
    );
    return rows.map((row) => ({ state: readState(row), folder: row.folder, isHeld: row.held }));
  }

  async take(sessionId: string): Promise<"own" | "taken" | "unknown"> {
    await this.#takeOver(withoutOwner(`session_id = $4 AND ${isUnfinished}`), 1, sessionId);
    const [row] = await this.#database.query<{ own: boolean }>(
      `SELECT epoch = $2 AND ${isUnfinished} AS own FROM recordings WHERE session_id = $1`,
      [sessionId, this.#lease.epoch],
    );
    if (!row) return "unknown";
    return row.own ? "own" : "taken";
  }

  async takeUnfinished(limit: number): Promise<readonly RecordingState[]> {
    await this.#takeOver(withoutOwner(isUnfinished), limit);
    const rows = await this.#database.query<Row>(`SELECT state FROM recordings WHERE ${isUnfinished} AND epoch = $1`, [
      this.#lease.epoch,
    ]);
    return rows.map(readState);
  }

  async takeDone(limit: number): Promise<readonly TakenRecording[]> {
    return this.#takeOver(doneWithoutOwner, limit);
  }

  async takeDue(nowMs: number, limit: number): Promise<readonly RecordingState[]> {
    await this.#takeOver(withoutOwner("stage <> 'deleted' AND delete_at_ms <= $4"), limit, nowMs);
    const rows = await this.#database.query<Row>(
      `SELECT state FROM recordings WHERE stage <> 'deleted' AND delete_at_ms <= $1 AND epoch = $2
        ORDER BY delete_at_ms LIMIT $3`,
      [nowMs, this.#lease.epoch, limit],
    );
    return rows.map(readState);
  }

  async forget(nowMs: number): Promise<void> {
    await this.#database.query(
      `DELETE FROM recordings WHERE session_id IN (
        SELECT session_id FROM recordings WHERE stage = 'deleted' AND delete_at_ms < $1
          ORDER BY delete_at_ms LIMIT ${maxForgotten} FOR UPDATE SKIP LOCKED)`,
      [nowMs - deletedKeptMs],
    );
  }

  /** @param which - Selects ids: `$2` is the epoch of this node, `$3` the limit, and `$4` the first of the other values. */
  async #takeOver(
    which: string,
    limit: number,
    ...values: readonly (string | number)[]
  ): Promise<readonly TakenRecording[]> {
    const { name, epoch } = this.#lease;
    const rows = await this.#database.query<{ session_id: string; folder: string | null }>(
      `UPDATE recordings SET host = $1, epoch = $2 WHERE ${mayTake} AND session_id IN (${which}) RETURNING session_id, folder`,
      [name, epoch, limit, ...values],
    );
    return rows.map(({ session_id: sessionId, folder }) => ({ sessionId, folder }));
  }
}

function withoutOwner(which: string): string {
  return `SELECT session_id FROM recordings WHERE ${which} AND epoch <> $2 AND NOT ${isHeld} ORDER BY delete_at_ms ${unlocked}`;
}

function readState({ state }: Pick<Row, "state">): RecordingState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this class
  return JSON.parse(state) as RecordingState;
}
