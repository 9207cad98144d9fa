import type { DatabaseSync } from "node:sqlite";
import type { HandoverFilter, HandoverRecord, HandoverStore, NewHandover } from "../handover-store.ts";

const columns = `handover_id, handovers.session_id, key_name AS key, message, asked_by, asked_ms, expires_ms,
  coalesce(answer, CASE WHEN ended_ms IS NOT NULL THEN 'ended' END) AS answer, note, coalesce(answered_ms, ended_ms) AS answered_ms`;
const from = "handovers JOIN sessions ON sessions.session_id = handovers.session_id";
const isOpen = "answer IS NULL AND ended_ms IS NULL";

/** Requests for a person in the database of one process. */
export class SqliteHandoverStore implements HandoverStore {
  readonly #database: DatabaseSync;

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async ask(handover: NewHandover): Promise<HandoverRecord> {
    const { handover_id, session_id, message, asked_by, asked_ms, expires_ms, idempotency_key } = handover;
    const insert = `INSERT INTO handovers (handover_id, session_id, message, asked_by, asked_ms, expires_ms, idempotency_key)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
    const values = [handover_id, session_id, message, asked_by, asked_ms, expires_ms, idempotency_key];
    this.#database.prepare(insert).run(...values);
    const [row] = this.#read(
      "WHERE handover_id = ? OR (handovers.session_id = ? AND idempotency_key = ?)",
      handover_id,
      session_id,
      idempotency_key,
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
    const update = `UPDATE handovers SET answer = ?, note = ?, answered_ms = ? WHERE handover_id = ? AND answer IS NULL
      AND EXISTS (SELECT 1 FROM sessions WHERE sessions.session_id = handovers.session_id AND ended_ms IS NULL)`;
    this.#database.prepare(update).run(answer, note, atMs, id);
    return this.get(id);
  }

  async get(id: string): Promise<HandoverRecord | undefined> {
    const [row] = this.#read("WHERE handover_id = ?", id);
    return row;
  }

  async list(limit: number, { key, state, sessionId }: HandoverFilter = {}): Promise<readonly HandoverRecord[]> {
    const where = [
      key === undefined ? "TRUE" : "key_name IS ?",
      sessionId === undefined ? "TRUE" : "handovers.session_id = ?",
      state === undefined ? "TRUE" : state === "open" ? isOpen : `NOT (${isOpen})`,
    ];
    const values = [key === undefined ? [] : [key], sessionId === undefined ? [] : [sessionId], limit].flat();
    return this.#read(`WHERE ${where.join(" AND ")} ORDER BY asked_ms DESC, handover_id LIMIT ?`, ...values);
  }

  async countOpen(key?: string | null): Promise<number> {
    const of = key === undefined ? "" : "AND key_name IS ?";
    const select = `SELECT count(*) AS count FROM ${from} WHERE ${isOpen} ${of}`;
    const row = this.#database.prepare(select).get(...(key === undefined ? [] : [key]));
    return Number(row?.["count"]);
  }

  #read(where: string, ...values: readonly (string | number | null)[]): readonly HandoverRecord[] {
    const rows = this.#database.prepare(`SELECT ${columns} FROM ${from} ${where}`).all(...values);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table is ours, and strict
    return rows as unknown as HandoverRecord[];
  }
}
