import type { DatabaseSync } from "node:sqlite";
import type { FileIndex, FileRecord } from "../file-index.ts";

const keptOnes = "files LEFT JOIN sessions USING (session_id)";
const isDue = "(sessions.created_ms IS NULL OR sessions.ended_ms + files.kept_ms <= ?)";

/** Files of sessions in the database of one process. */
export class SqliteFileIndex implements FileIndex {
  readonly #database: DatabaseSync;

  /** @param database - Opened by `openDatabase`. */
  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async save(file: FileRecord, keptMs: number): Promise<void> {
    this.#database
      .prepare(
        `INSERT INTO files (session_id, file_id, created_ms, kept_ms, record) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET record = excluded.record`,
      )
      .run(file.session_id, file.file_id, file.created_ms, keptMs, JSON.stringify(file));
  }

  async list(sessionId: string, nowMs: number): Promise<readonly FileRecord[]> {
    const select = `SELECT record FROM ${keptOnes} WHERE files.session_id = ? AND NOT ${isDue} IS TRUE
      ORDER BY files.created_ms, file_id`;
    return this.#database
      .prepare(select)
      .all(sessionId, nowMs)
      .map(({ record }) => read(record));
  }

  async expire(sessionId: string): Promise<void> {
    const update = `UPDATE files SET kept_ms = 0 WHERE session_id = ?
      AND session_id IN (SELECT session_id FROM sessions WHERE ended_ms IS NOT NULL)`;
    this.#database.prepare(update).run(sessionId);
  }

  async due(nowMs: number, limit: number): Promise<readonly string[]> {
    const select = `SELECT DISTINCT files.session_id AS id FROM ${keptOnes} WHERE ${isDue} LIMIT ?`;
    return this.#database
      .prepare(select)
      .all(nowMs, limit)
      .map(({ id }) => String(id));
  }

  async kept(sessionIds: readonly string[], nowMs: number): Promise<ReadonlySet<string>> {
    const select = `SELECT DISTINCT files.session_id AS id FROM ${keptOnes}
      WHERE files.session_id IN (SELECT value FROM json_each(?)) AND NOT ${isDue} IS TRUE`;
    const rows = this.#database.prepare(select).all(JSON.stringify(sessionIds), nowMs);
    return new Set(rows.map(({ id }) => String(id)));
  }

  async remove(sessionId: string): Promise<void> {
    this.#database.prepare("DELETE FROM files WHERE session_id = ?").run(sessionId);
  }
}

function read(record: unknown): FileRecord {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save`
  return JSON.parse(String(record)) as FileRecord;
}
