import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordingState } from "@cloud-browser/recorder";
import { startPostgres } from "@cloud-browser/testing/postgres-server.ts";
import { migrate } from "../../src/storage/postgres/migrations.ts";
import { PostgresDatabase } from "../../src/storage/postgres/postgres-database.ts";
import { SqlLeaseStore } from "../../src/storage/sql/sql-lease-store.ts";
import { SqlRecordingIndex } from "../../src/storage/sql/sql-recording-index.ts";
import { SqlSessionStore } from "../../src/storage/sql/sql-session-store.ts";
import type { SessionStore } from "../../src/storage/session-store.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import type { Figure } from "../measuring/figure.ts";
import { timed } from "../measuring/timed.ts";
import { fillDatabase, fillFile, recordingFigures } from "./recording-records.ts";

const day = 86_400_000;

/** What ended longer ago than that is due. */
const spanMs = 7 * day;

/** Rows that are due for deletion. */
const due = 3_000;

async function readFigures(
  name: string,
  store: SessionStore,
  ids: readonly string[],
  nowMs: number,
): Promise<Figure[]> {
  const figure = (what: string, values: readonly number[]): Figure => {
    return { name: `${name}: ${what}`, unit: "ms", digits: 2, values };
  };
  return [
    figure("read one", await timed(200, (index) => store.get(ids[index % ids.length] ?? ""))),
    figure("list the newest 100", await timed(50, () => store.list(100, { key: null }))),
    figure("create one", await timed(200, () => store.create(randomUUID(), nowMs, null))),
    // A minute later, each: so often it is looked for what is due.
    figure(
      "delete what is due",
      await timed(3, (index) => store.recover(nowMs + (index + 1) * 60_001, async () => undefined)),
    ),
  ];
}

const begun: RecordingState = {
  version: 1,
  sessionId: "session",
  startedAtMs: 1,
  viewport: { width: 320, height: 180 },
  stage: { name: "recording" },
};

/** Reads and writes of sessions, and of their recordings, where there are a million, in a file and in a database. */
export async function measureRecords(count = 1_000_000): Promise<Figure[]> {
  const nowMs = Date.now();
  const stepMs = spanMs / count;
  const firstMs = nowMs - spanMs - due * stepMs;
  const folder = await mkdtemp(join(tmpdir(), "cloud-browser-bench-"));
  const database = openDatabase(join(folder, "records.db"));
  database
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :count)
        INSERT INTO sessions (session_id, created_ms, ended_ms, end_reason, url, title)
        SELECT 'session-' || i, cast(:first + i * :step AS INTEGER), cast(:first + i * :step AS INTEGER) + 1, 'requested', 'https://example.com/', 'Title'
        FROM n`,
    )
    .run({ count, first: firstMs, step: stepMs });
  const ids = Array.from({ length: 200 }, (_, index) => `session-${Math.floor((index * count) / 200)}`);
  const inFile = await readFigures("SQLite", new SqlSessionStore(new SqliteDatabase(database)), ids, nowMs);
  const indexInFile = new SqlRecordingIndex(new SqliteDatabase(database));
  await indexInFile.create(begun);
  fillFile(database, count, nowMs, String(database.prepare("SELECT owner FROM recordings").get()?.["owner"]));
  inFile.push(...(await recordingFigures("SQLite", indexInFile, ids, nowMs)));
  database.close();
  await rm(folder, { recursive: true });

  await using postgres = await startPostgres();
  await using stack = new AsyncDisposableStack();
  const shared = await PostgresDatabase.open(postgres.url, { statementMs: 300_000 });
  stack.defer(() => shared.close());
  await migrate(shared);
  const lease = await new SqlLeaseStore(shared).acquire("bench", { ttlMs: day, about: null });
  if (!lease) throw new Error("There is no lease.");
  await shared.query(
    `INSERT INTO sessions (session_id, created_ms, ended_ms, end_reason, url, title, host, epoch)
      SELECT 'session-' || i, CAST(:first AS float8) + i * CAST(:step AS float8), CAST(:first AS float8) + i * CAST(:step AS float8) + 1, 'requested', 'https://example.com/', 'Title', 'bench', 0
      FROM generate_series(0, CAST(:count AS int) - 1) AS i`,
    { count, first: firstMs, step: stepMs },
  );
  await shared.query("ANALYZE sessions");
  const inDatabase = await readFigures("PostgreSQL", new SqlSessionStore(shared, lease), ids, nowMs);
  const epochs = [lease.epoch];
  for (const other of ["second", "third"]) {
    const its = await new SqlLeaseStore(shared).acquire(other, { ttlMs: day, about: null });
    if (its) epochs.push(its.epoch);
  }
  await fillDatabase(shared, count, nowMs, epochs);
  const index = new SqlRecordingIndex(shared, lease);
  return [...inFile, ...inDatabase, ...(await recordingFigures("PostgreSQL", index, ids, nowMs))];
}
