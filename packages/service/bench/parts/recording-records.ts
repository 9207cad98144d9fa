import type { DatabaseSync } from "node:sqlite";
import type { PostgresDatabase } from "../../src/storage/postgres/postgres-database.ts";
import type { RecordingIndex } from "../../src/storage/recording-index.ts";
import type { Figure } from "../measuring/figure.ts";
import { timed } from "../measuring/timed.ts";

const hourMs = 3_600_000;

/** Of a session that ended in the last 24 hours there is a replay; of those of the week before it is known that it was deleted. */
const spanMs = 8 * 24 * hourMs;

/** Columns of a row; `i` counts the rows, of which each is so many milliseconds younger than the one before. */
const columns = "session_id, stage, delete_at_ms, state, folder";

/** A million recordings, of which none has to be worked on: what a node looks for every few seconds is not there. */
export function fillFile(database: DatabaseSync, count: number, nowMs: number, owner: string): void {
  database
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count),
        due(i, ms) AS (SELECT i, cast(:first + i * :step AS INTEGER) FROM n)
        INSERT INTO recordings (${columns}, owner)
        SELECT 'session-' || i, iif(ms <= :now, 'deleted', 'finished'), ms, '{}', 'recordings/session-' || i || '/replay', :owner FROM due`,
    )
    .run({ count, first: nowMs - spanMs + 24 * hourMs, step: spanMs / count, now: nowMs, owner });
}

/** The same in a database, where they are of three nodes. */
export async function fillDatabase(
  database: PostgresDatabase,
  count: number,
  nowMs: number,
  epochs: readonly number[],
): Promise<void> {
  await database.query(
    `INSERT INTO recordings (${columns}, host, epoch)
      SELECT 'session-' || i, CASE WHEN ms <= :now THEN 'deleted' ELSE 'finished' END, ms, '{}', 'recordings/session-' || i || '/replay',
        'bench', (CAST(:epochs AS bigint[]))[1 + i % cardinality(CAST(:epochs AS bigint[]))]
      FROM (SELECT i, (CAST(:first AS float8) + i * CAST(:step AS float8))::bigint AS ms FROM generate_series(0, CAST(:count AS int) - 1) AS i) AS due`,
    { count, first: nowMs - spanMs + 24 * hourMs, step: spanMs / count, now: nowMs, epochs: epochs.map(String) },
  );
  await database.query("ANALYZE recordings");
}

/** What each node asks of the index at every sweep, and for a page of sessions. */
export async function recordingFigures(
  name: string,
  index: RecordingIndex,
  ids: readonly string[],
  nowMs: number,
): Promise<Figure[]> {
  const figure = (what: string, values: readonly number[]): Figure => {
    return { name: `${name}, recordings: ${what}`, unit: "ms", digits: 2, values };
  };
  return [
    figure("read 100", await timed(50, () => index.get(ids.slice(0, 100)))),
    figure("take over what is unfinished", await timed(10, () => index.takeUnfinished(4))),
    figure("take over what is done", await timed(10, () => index.takeDone(100))),
    figure("find what is due", await timed(10, () => index.takeDue(nowMs, 100))),
    figure("forget what was deleted", await timed(10, () => index.forget(nowMs))),
  ];
}
