import type { FileIndex, FileRecord } from "../file-index.ts";
import type { PostgresDatabase } from "./postgres-database.ts";

const keptOnes = "files LEFT JOIN sessions USING (session_id)";
const isDue = "(sessions.created_ms IS NULL OR coalesce(sessions.ended_ms + files.kept_ms <= $1, false))";

/**
 * Files of sessions in a database that all nodes share. Each row is written by the node that has the session; a node that has lost its
 * lease can only tell of files of sessions that have ended by then.
 */
export class PostgresFileIndex implements FileIndex {
  readonly #database: PostgresDatabase;

  /** @param database - With the tables of `migrate`. */
  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async save(file: FileRecord, keptMs: number): Promise<void> {
    await this.#database.query(
      `INSERT INTO files (session_id, file_id, created_ms, kept_ms, record) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (session_id, file_id) DO UPDATE SET record = excluded.record`,
      [file.session_id, file.file_id, file.created_ms, keptMs, JSON.stringify(file)],
    );
  }

  async list(sessionId: string, nowMs: number): Promise<readonly FileRecord[]> {
    const select = `SELECT record FROM ${keptOnes} WHERE session_id = $2 AND NOT ${isDue}
      ORDER BY files.created_ms, file_id`;
    const rows = await this.#database.query<{ record: string }>(select, [nowMs, sessionId]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
    return rows.map(({ record }) => JSON.parse(record) as FileRecord);
  }

  async expire(sessionId: string): Promise<void> {
    const update = `UPDATE files SET kept_ms = 0 WHERE session_id = $1
      AND session_id IN (SELECT session_id FROM sessions WHERE ended_ms IS NOT NULL)`;
    await this.#database.query(update, [sessionId]);
  }

  async due(nowMs: number, limit: number): Promise<readonly string[]> {
    const select = `SELECT DISTINCT session_id AS id FROM ${keptOnes} WHERE ${isDue} LIMIT $2`;
    return (await this.#database.query<{ id: string }>(select, [nowMs, limit])).map(({ id }) => id);
  }

  async kept(sessionIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>> {
    const select = `SELECT DISTINCT session_id AS id FROM ${keptOnes} WHERE session_id = ANY ($2) AND NOT ${isDue}`;
    const rows = await this.#database.query<{ id: string }>(select, [nowMs, [...sessionIds]]);
    return new Set(rows.map(({ id }) => id));
  }

  async remove(sessionId: string): Promise<void> {
    await this.#database.query("DELETE FROM files WHERE session_id = $1", [sessionId]);
  }
}
