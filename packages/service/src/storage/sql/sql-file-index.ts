import type { FileIndex, FileRecord } from "../file-index.ts";
import type { SqlDatabase, SqlValues } from "./sql-database.ts";

const keptOnes = "files LEFT JOIN sessions USING (session_id)";
const isDue = "(sessions.created_ms IS NULL OR coalesce(sessions.ended_ms + files.kept_ms <= :now, FALSE))";

/**
 * Files of sessions in a file of one process, or in a database that all nodes share. There each row is written by the node that has the
 * session; a node that has lost its lease can only tell of files of sessions that have ended by then.
 */
export class SqlFileIndex implements FileIndex {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async save(file: FileRecord, keptMs: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO files (session_id, file_id, created_ms, kept_ms, record) VALUES (:session, :file, :created, :kept, :record)
        ON CONFLICT (session_id, file_id) DO UPDATE SET record = excluded.record`,
      {
        session: file.session_id,
        file: file.file_id,
        created: file.created_ms,
        kept: keptMs,
        record: JSON.stringify(file),
      },
    );
  }

  async list(sessionId: string, nowMs: number): Promise<readonly FileRecord[]> {
    const rows = await this.#database.query<{ record: string }>(
      `SELECT record FROM ${keptOnes} WHERE session_id = :session AND NOT ${isDue} ORDER BY files.created_ms, file_id`,
      { session: sessionId, now: nowMs },
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
    return rows.map(({ record }) => JSON.parse(record) as FileRecord);
  }

  async expire(sessionId: string): Promise<void> {
    await this.#database.query(
      `UPDATE files SET kept_ms = 0 WHERE session_id = :session
        AND session_id IN (SELECT session_id FROM sessions WHERE ended_ms IS NOT NULL)`,
      { session: sessionId },
    );
  }

  listDue(nowMs: number, limit: number): Promise<readonly string[]> {
    return this.#listSessions(`${isDue} LIMIT :limit`, { now: nowMs, limit });
  }

  async findKept(sessionIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>> {
    const isOneOf = this.#database.dialect.isIn("session_id", "ids");
    return new Set(await this.#listSessions(`${isOneOf} AND NOT ${isDue}`, { ids: sessionIds, now: nowMs }));
  }

  async remove(sessionId: string): Promise<void> {
    await this.#database.query("DELETE FROM files WHERE session_id = :session", { session: sessionId });
  }

  async #listSessions(where: string, values: SqlValues): Promise<readonly string[]> {
    const select = `SELECT DISTINCT session_id AS id FROM ${keptOnes} WHERE ${where}`;
    return (await this.#database.query<{ id: string }>(select, values)).map(({ id }) => id);
  }
}
