import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deletedKeptMs } from "../../../src/storage/recording-index.ts";
import { startPostgresBackend } from "./postgres-backend.ts";
import { begun } from "../recording-index-contract.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server[Symbol.asyncDispose]());

test("no recording is taken over from a node that holds its lease, or by a node that has lost its own", async () => {
  await using backend = await startPostgresBackend(server);
  const one = await backend.open("one");
  const two = await backend.open("two");
  await one.recordings.create(begun("a"));
  expect(await two.recordings.takeUnfinished(10)).toEqual([]);
  expect(await two.recordings.claim("a")).toBe("taken");
  expect(await two.recordings.get(["a"])).toMatchObject([{ isHeld: true }]);
  await backend.expire("one");
  // Its time is over, and nobody has revoked it yet: it may count otherwise.
  expect(await two.recordings.takeUnfinished(10)).toEqual([]);
  await two.leases.release(one.lease);
  expect(await two.recordings.get(["a"])).toMatchObject([{ isHeld: false }]);
  await backend.expire("two");
  expect(await two.recordings.takeUnfinished(10)).toEqual([]);
  await backend.setBack("two");
  expect(await two.recordings.takeUnfinished(10)).toEqual([begun("a")]);
  expect(await one.recordings.claim("a")).toBe("taken");
});

test("each recording is taken over by one of many concurrent nodes", async () => {
  await using backend = await startPostgresBackend(server);
  const lost = await backend.open("lost");
  const ids = Array.from({ length: 40 }, (_, index) => `session-${index}`);
  await Promise.all(ids.map((id) => lost.recordings.create(begun(id))));
  const nodes = await Promise.all(["one", "two", "three"].map((name) => backend.open(name)));
  await lost.leases.release(lost.lease);
  const takes = nodes.flatMap(({ recordings }) => [recordings.takeUnfinished(10), recordings.takeUnfinished(10)]);
  await Promise.all(takes);
  const lists = await Promise.all(nodes.map(({ recordings }) => recordings.takeUnfinished(0)));
  const all = lists.flat().map(({ sessionId }) => sessionId);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(30);
});

test("a sweep reads only recordings with pending work, however many are done or deleted", async () => {
  await using backend = await startPostgresBackend(server);
  const nodes = [await backend.open("one"), await backend.open("two"), await backend.open("lost")];
  const [one, , lost] = nodes;
  if (!one || !lost) throw new Error("There are no nodes.");
  // 3,000 are done, of the two nodes that are there; 3,000 are known to be deleted.
  await backend.asAdmin(
    `INSERT INTO recordings (session_id, stage, delete_at_ms, state, host, epoch)
      SELECT 'session-' || i, CASE WHEN i < 3000 THEN 'deleted' ELSE 'finished' END, i, '{}', '', ($1::bigint[])[1 + i % 2]
      FROM generate_series(0, 5999) AS i`,
    [nodes.map(({ lease }) => lease.epoch)],
  );
  await lost.recordings.create(begun("open"));
  await lost.recordings.create(begun("done"));
  await lost.recordings.change({ ...begun("done"), stage: { name: "failed", why: "nothing was recorded" } }, null);
  await lost.leases.release(lost.lease);
  await backend.asAdmin("ANALYZE recordings");
  const read = async (): Promise<number> => {
    await one.database.query("SELECT pg_stat_force_next_flush()");
    const [row] = await backend.asAdmin(
      `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relid = 'recordings'::regclass)
        + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relid = 'recordings'::regclass) AS rows`,
    );
    return Number(row?.["rows"]);
  };
  const before = await read();
  expect(await one.recordings.takeUnfinished(10)).toMatchObject([{ sessionId: "open" }]);
  expect(await one.recordings.takeDone(10)).toEqual([{ sessionId: "done", folder: null }]);
  expect(await one.recordings.takeDone(10)).toEqual([]);
  expect(await one.recordings.takeDue(2_999, 10)).toEqual([]);
  await one.recordings.forget(2_999);
  expect((await read()) - before).toBeLessThan(100);
});

test("entries of long deleted recordings are removed in batches, by several nodes at once", async () => {
  await using backend = await startPostgresBackend(server);
  const [one, two] = [await backend.open("one"), await backend.open("two")];
  await backend.asAdmin(
    `INSERT INTO recordings (session_id, stage, delete_at_ms, state, host, epoch)
      SELECT 'session-' || i, 'deleted', i, '{}', '', 1 FROM generate_series(0, 2499) AS i`,
  );
  const left = async (): Promise<unknown> => (await backend.asAdmin("SELECT count(*)::int AS rows FROM recordings"))[0];
  await one.recordings.forget(deletedKeptMs + 10_000);
  expect(await left()).toEqual({ rows: 1_500 });
  // The oldest are being deleted by somebody else: nobody waits for that.
  await one.database.transact(async (query) => {
    await query("SELECT FROM recordings WHERE delete_at_ms < 2000 FOR UPDATE");
    await two.recordings.forget(deletedKeptMs + 10_000);
  });
  expect(await left()).toEqual({ rows: 1_000 });
});
