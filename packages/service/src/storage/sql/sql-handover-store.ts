import type { HandoverFilter, HandoverRecord, HandoverStore, NewHandover } from "../handover-store.ts";
import { isOfKey, makeKeyValue } from "./conditions.ts";
import type { SqlDatabase, SqlValues } from "./sql-database.ts";

const columns = `handover_id, handovers.session_id, key_name AS key, message, asked_by, asked_ms, expires_ms,
  coalesce(answer, CASE WHEN ended_ms IS NOT NULL THEN 'ended' END) AS answer, note, coalesce(answered_ms, ended_ms) AS answered_ms`;
const from = "handovers JOIN sessions ON sessions.session_id = handovers.session_id";
const isOpen = "answer IS NULL AND ended_ms IS NULL";

/** Requests for a person in a file of one process, or in a database that all nodes share. */
export class SqlHandoverStore implements HandoverStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async ask(handover: NewHandover): Promise<HandoverRecord> {
    const names = ["handover_id", "session_id", "message", "asked_by", "asked_ms", "expires_ms", "idempotency_key"];
    const values = { ...handover };
    const insert = `INSERT INTO handovers (${names.join(", ")}) VALUES (:${names.join(", :")}) ON CONFLICT DO NOTHING`;
    await this.#database.query(insert, values);
    const isSame = "handovers.session_id = :session_id AND idempotency_key = :idempotency_key";
    const [row] = await this.#read(`WHERE handover_id = :handover_id OR (${isSame})`, values);
    if (row) return row;
    throw new Error(`the session ${handover.session_id} has no record`);
  }

  async answer(
    id: string,
    answer: HandoverRecord["answer"],
    note: string | null,
    atMs: number,
  ): Promise<HandoverRecord | undefined> {
    // The session is locked until the answer is written, so that it can't be ended meanwhile.
    await this.#database.query(
      `WITH open AS (
        SELECT sessions.session_id FROM sessions JOIN handovers ON handovers.session_id = sessions.session_id
          WHERE handover_id = :id AND ended_ms IS NULL ${this.#database.dialect.lock("FOR SHARE OF sessions")})
      UPDATE handovers SET answer = :answer, note = :note, answered_ms = :at FROM open
        WHERE handover_id = :id AND handovers.session_id = open.session_id AND answer IS NULL`,
      { id, answer, note, at: atMs },
    );
    return this.get(id);
  }

  async get(id: string): Promise<HandoverRecord | undefined> {
    return (await this.#read("WHERE handover_id = :id", { id }))[0];
  }

  list(limit: number, { key, state, sessionId }: HandoverFilter = {}): Promise<readonly HandoverRecord[]> {
    const where = [
      isOfKey(key),
      sessionId === undefined ? "TRUE" : "handovers.session_id = :session",
      state === undefined ? "TRUE" : state === "open" ? isOpen : `NOT (${isOpen})`,
    ];
    return this.#read(`WHERE ${where.join(" AND ")} ORDER BY asked_ms DESC, handover_id LIMIT :limit`, {
      ...makeKeyValue(key),
      session: sessionId ?? null,
      limit,
    });
  }

  async countOpen(key?: string | null): Promise<number> {
    const select = `SELECT count(*) AS count FROM ${from} WHERE ${isOpen} AND ${isOfKey(key)}`;
    const [row] = await this.#database.query<{ count: number }>(select, makeKeyValue(key));
    return row?.count ?? 0;
  }

  #read(where: string, values: SqlValues): Promise<readonly HandoverRecord[]> {
    return this.#database.query<HandoverRecord>(`SELECT ${columns} FROM ${from} ${where}`, values);
  }
}
