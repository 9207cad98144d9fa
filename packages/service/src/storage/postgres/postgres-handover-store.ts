import type { HandoverFilter, HandoverRecord, HandoverStore, NewHandover } from "../handover-store.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { storableText } from "./sql.ts";

const columns = `handover_id, handovers.session_id, key_name AS key, message, asked_by, asked_ms, expires_ms,
  coalesce(answer, CASE WHEN ended_ms IS NOT NULL THEN 'ended' END) AS answer, note, coalesce(answered_ms, ended_ms) AS answered_ms`;
const from = "handovers JOIN sessions ON sessions.session_id = handovers.session_id";
const isOpen = "answer IS NULL AND ended_ms IS NULL";

/** The session is locked until the answer is written, so that it can't be ended meanwhile. */
const answering = `WITH open AS (
    SELECT sessions.session_id FROM sessions JOIN handovers ON handovers.session_id = sessions.session_id
      WHERE handover_id = $1 AND ended_ms IS NULL FOR SHARE OF sessions)
  UPDATE handovers SET answer = $2, note = $3, answered_ms = $4 FROM open
    WHERE handover_id = $1 AND handovers.session_id = open.session_id AND answer IS NULL`;

/** Requests for a person in a database that all nodes share. */
export class PostgresHandoverStore implements HandoverStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async ask(handover: NewHandover): Promise<HandoverRecord> {
    const { handover_id, session_id, message, asked_by, asked_ms, expires_ms, idempotency_key } = handover;
    await this.#database.query(
      `INSERT INTO handovers (handover_id, session_id, message, asked_by, asked_ms, expires_ms, idempotency_key)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [handover_id, session_id, storableText(message), asked_by, asked_ms, expires_ms, idempotency_key],
    );
    const [row] = await this.#read(
      "WHERE handover_id = $1 OR (handovers.session_id = $2 AND idempotency_key = $3::text)",
      [handover_id, session_id, idempotency_key],
    );
    if (row) return row;
    throw new Error(`the session ${session_id} has no record`);
  }

  async answer(
    id: string,
    answer: HandoverRecord["answer"],
    note: string | null,
    atMs: number,
  ): Promise<HandoverRecord | undefined> {
    await this.#database.query(answering, [id, answer, storableText(note), atMs]);
    return this.get(id);
  }

  async get(id: string): Promise<HandoverRecord | undefined> {
    const [row] = await this.#read("WHERE handover_id = $1", [id]);
    return row;
  }

  async list(limit: number, { key, state, sessionId }: HandoverFilter = {}): Promise<readonly HandoverRecord[]> {
    const where = [
      key === undefined ? "$2::text IS NULL" : "key_name IS NOT DISTINCT FROM $2::text",
      sessionId === undefined ? "$3::text IS NULL" : "handovers.session_id = $3::text",
      state === undefined ? "TRUE" : state === "open" ? isOpen : `NOT (${isOpen})`,
    ];
    return this.#read(`WHERE ${where.join(" AND ")} ORDER BY asked_ms DESC, handover_id LIMIT $1`, [
      limit,
      key ?? null,
      sessionId ?? null,
    ]);
  }

  async countOpen(key?: string | null): Promise<number> {
    const of = key === undefined ? "$1::text IS NULL" : "key_name IS NOT DISTINCT FROM $1::text";
    const [row] = await this.#database.query<{ count: number }>(
      `SELECT count(*) FROM ${from} WHERE ${isOpen} AND ${of}`,
      [key ?? null],
    );
    return row?.count ?? 0;
  }

  #read(where: string, values: readonly unknown[]): Promise<readonly HandoverRecord[]> {
    return this.#database.query<HandoverRecord>(`SELECT ${columns} FROM ${from} ${where}`, values);
  }
}
