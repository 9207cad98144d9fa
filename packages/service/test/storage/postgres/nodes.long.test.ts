import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { migrate } from "../../../src/storage/postgres/migrations.ts";
import { Fence } from "../../../src/storage/sql/fence.ts";
import { startPostgresBackend, type PostgresBackend } from "./postgres-backend.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server[Symbol.asyncDispose]());
const start = (): Promise<PostgresBackend> => startPostgresBackend(server);
const nothingSeen = async (): Promise<undefined> => undefined;

describe("nodes that share tables", () => {
  test("see each other's sessions, functions and runs, and their owners", async () => {
    await using backend = await start();
    const [one, two] = [await backend.open("one"), await backend.open("two")];
    await one.sessions.create("a", 1);
    await one.runs.create("r", 1);
    expect(await two.sessions.get("a")).toMatchObject({ ended_ms: null });
    expect(await two.sessions.findHost("a")).toEqual(one.lease);
    expect(await two.sessions.findHost("b")).toBeUndefined();
    expect(await two.runs.get("r")).toMatchObject({ end: null });
    await two.sessions.end("a", 2, "requested");
    await two.sessions.locate("a", "http://x.example/", null);
    await two.runs.change("r", { ended_ms: 2, end: "cancelled" });
    expect(await one.sessions.get("a")).toMatchObject({ ended_ms: null, url: null });
    expect(await one.runs.get("r")).toMatchObject({ ended_ms: null });
  });

  test("leave each other's sessions and runs open when they start, as long as they hold their leases", async () => {
    await using backend = await start();
    const one = await backend.open("one");
    await one.sessions.create("a", 1);
    await one.runs.create("r", 1);
    const two = await backend.open("two");
    await two.sessions.recover(10, nothingSeen);
    await two.runs.recover(10);
    expect(await two.sessions.get("a")).toMatchObject({ ended_ms: null });
    expect(await two.runs.get("r")).toMatchObject({ ended_ms: null });
    // A lease whose time is over is not revoked yet: its holder may still be ending its sessions.
    await backend.expire("one");
    await two.sessions.recover(10, nothingSeen);
    expect(await two.sessions.get("a")).toMatchObject({ ended_ms: null });
  });

  test("end the sessions of a node whose lease is revoked, at its last heartbeat, and fence its writes", async () => {
    await using backend = await start();
    const [one, two] = [await backend.open("one"), await backend.open("two")];
    const [row] = await backend.asAdmin("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms");
    const createdMs = Math.floor(Number(row?.["ms"])) - 60_000;
    await one.sessions.create("a", createdMs);
    await one.sessions.create("later than that", createdMs + 3_600_000);
    await one.runs.create("r", 1);
    await backend.asAdmin("UPDATE leases SET renewed_at = to_timestamp($1::float8 / 1000) WHERE name = 'one'", [
      createdMs + 5_000,
    ]);
    await one.runs.append("r", [{ seq: 1, event: "{}" }], 1);
    expect(await two.runs.findHost("r")).toEqual(one.lease);
    await backend.expire("one");
    expect(await two.leases.revokeExpired(await two.leases.list())).toEqual([one.lease]);
    await two.sessions.recover(10, nothingSeen);
    await two.runs.recover(10);
    const lost = { ended_ms: createdMs + 5_000, end_reason: "host-lost" };
    expect(await two.sessions.get("a")).toMatchObject(lost);
    expect(await two.sessions.get("later than that")).toMatchObject({ ended_ms: createdMs + 3_600_000 });
    expect(await two.runs.get("r")).toMatchObject({ ended_ms: 10, end: "host-lost" });
    expect(await one.sessions.get("a")).toMatchObject(lost);
    expect(await one.runs.get("r")).toMatchObject({ end: "host-lost" });
    await one.sessions.locate("a", "http://x.example/", "X");
    await one.sessions.end("a", createdMs + 70_000, "requested");
    await one.runs.change("r", { ended_ms: 20, end: "done", outcome: "{}" });
    expect(await one.sessions.get("a")).toMatchObject({ ...lost, url: null });
    expect(await one.runs.get("r")).toMatchObject({ end: "host-lost" });
    await one.runs.append("r", [{ seq: 2, event: "{}" }], 2);
    expect(await two.runs.readEvents("r", 0, 1_000)).toEqual([{ seq: 1, event: "{}" }]);
    expect(await one.runs.readOutcome("r")).toBeNull();
    expect(await two.runs.findHost("r")).toBeUndefined();
    expect(one.faults).toEqual([]);
  });

  test("acknowledge the end of a session when the others read it, too", async () => {
    await using backend = await start();
    const [one, two] = [await backend.open("one"), await backend.open("two")];
    await one.sessions.create("a", 1);
    await backend.setWritable(false);
    await one.sessions.end("a", 2, "requested");
    await expect(one.sessions.settle("a")).rejects.toMatchObject({ code: "storage-failed" });
    await backend.setWritable(true);
    expect(await one.sessions.settle("a")).toMatchObject({ end_reason: "requested" });
    expect(await two.sessions.get("a")).toMatchObject({ end_reason: "requested" });
  });

  test("take nothing new under a lease that is lost", async () => {
    await using backend = await start();
    const one = await backend.open("one");
    await backend.expire("one");
    await expect(one.sessions.create("a", 1)).rejects.toMatchObject({ code: "storage-failed" });
    await expect(one.runs.create("r", 1)).rejects.toMatchObject({ code: "storage-failed" });
    await backend.setBack("one");
    await one.sessions.create("b", 1);
    await one.leases.release(one.lease);
    await expect(one.sessions.create("c", 1)).rejects.toMatchObject({ code: "storage-failed" });
    expect((await one.sessions.list(10)).map(({ session_id }) => session_id)).toEqual(["b"]);
    expect(await one.runs.get("r")).toBeUndefined();
  });

  test("a lease is revoked only after pending creations under it are written, so that they are ended", async () => {
    await using backend = await start();
    const [one, two] = [await backend.open("one"), await backend.open("two")];
    const inserted = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    const creating = one.database.transact(async (query) => {
      await new Fence(one.database, one.lease).insert(query, "sessions", { session_id: "a", created_ms: 1 });
      inserted.resolve();
      await called.promise;
    });
    await inserted.promise;
    const revoking = two.leases.release(one.lease);
    const isWaiting = async (): Promise<boolean> =>
      (await backend.asAdmin("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length > 0;
    const waits = vi.waitUntil(isWaiting, { timeout: 60_000 });
    expect(await Promise.race([revoking.then(() => "revoked at once"), waits.then(() => "waited")])).toBe("waited");
    called.resolve();
    await Promise.all([creating, revoking]);
    await two.sessions.recover(10, nothingSeen);
    expect(await two.sessions.get("a")).toMatchObject({ end_reason: "host-lost" });
  });

  test("a session whose creation was written but not confirmed does not stay open", async () => {
    await using backend = await start();
    const one = await backend.open("one");
    await one.sessions.create("a", 1);
    await backend.asAdmin(
      `INSERT INTO sessions (session_id, created_ms, host, epoch) VALUES ('lost answer', 1, 'one', ${one.lease.epoch});
      INSERT INTO runs (thread_id, started_ms, cost_usd, host, epoch) VALUES ('lost answer', 1, '0', 'one', ${one.lease.epoch})`,
    );
    await one.sessions.recover(10, nothingSeen);
    await one.runs.recover(10);
    expect(await one.sessions.get("lost answer")).toMatchObject({ end_reason: "service-died" });
    expect(await one.runs.get("lost answer")).toMatchObject({ end: "service-died" });
    expect(await one.sessions.get("a")).toMatchObject({ ended_ms: null });
  });

  test("sessions created during the search for orphans stay open", async () => {
    await using backend = await start();
    const { database, sessions, runs } = await backend.open();
    const { query } = database;
    vi.spyOn(database, "query").mockImplementationOnce(async (text, values) => {
      await sessions.create("a", 1);
      return query(text, values);
    });
    await sessions.recover(10, nothingSeen);
    vi.spyOn(database, "query").mockImplementationOnce(async (text, values) => {
      await runs.create("r", 1);
      return query(text, values);
    });
    await runs.recover(10);
    expect(await sessions.get("a")).toMatchObject({ ended_ms: null });
    expect(await runs.get("r")).toMatchObject({ ended_ms: null });
  });

  test("a function is settled when the others read it, too", async () => {
    await using backend = await start();
    const [one, two] = [await backend.open("one"), await backend.open("two")];
    await backend.asAdmin("REVOKE INSERT ON functions FROM node");
    const record = { function_id: "a", function_name: "a", created_at: "", query: "", variables: [], steps: [] };
    await one.functions.save(record);
    await expect(one.functions.settle()).rejects.toThrow("permission denied");
    expect(await two.functions.get("a")).toBeUndefined();
    await backend.asAdmin("GRANT INSERT ON functions TO node");
    await one.functions.settle();
    expect(await two.functions.get("a")).toEqual(record);
  });

  test("a function that is deleted before it could be written does not come back", async () => {
    await using backend = await start();
    const { functions, faults } = await backend.open();
    await backend.asAdmin("REVOKE INSERT ON functions FROM node");
    const record = { function_id: "a", function_name: "a", created_at: "", query: "", variables: [], steps: [] };
    await functions.save(record);
    expect(faults).toHaveLength(1);
    expect(await functions.delete("a")).toBe(true);
    await backend.asAdmin("GRANT INSERT ON functions TO node");
    expect(await functions.flush()).toBeUndefined();
    expect(await functions.list()).toEqual([]);
  });

  test("text that PostgreSQL can't store is stored without the unsupported characters", async () => {
    await using backend = await start();
    const { sessions, runs, faults } = await backend.open();
    await sessions.create("a", 1);
    await sessions.end("a", 2, "idle", { url: "http://x.example/", title: "a\0b\uD800c" });
    await runs.create("r", 1);
    await runs.change("r", { ended_ms: 2, end: "error", reason: "a\0b" });
    expect(await sessions.get("a")).toMatchObject({ title: "a\uFFFDb\uFFFDc" });
    expect(await runs.get("r")).toMatchObject({ reason: "a\uFFFDb" });
    expect(faults).toEqual([]);
  });
});

describe("tables", () => {
  test("are created once by nodes that start at the same time", async () => {
    await using backend = await start();
    const nodes = await Promise.all(Array.from({ length: 8 }, (_, index) => backend.open(`node ${index}`)));
    expect(new Set(nodes.map(({ lease }) => lease.epoch)).size).toBe(8);
    expect(await backend.asAdmin("SELECT count(*)::int AS rows FROM schema_version")).toEqual([{ rows: 1 }]);
  });

  test("of a newer version are left alone", async () => {
    await using backend = await start();
    const { database } = await backend.open();
    await backend.asAdmin("UPDATE schema_version SET version = 1000");
    await expect(migrate(database)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("newer version"),
    });
  });

  test("are completed by the next start after one that failed halfway", async () => {
    await using backend = await start();
    await backend.asAdmin("CREATE TABLE runs (is_in_the_way boolean)");
    await expect(backend.open()).rejects.toMatchObject({ code: "storage-failed" });
    expect(await backend.asAdmin("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")).toEqual([
      { tablename: "runs" },
    ]);
    await backend.asAdmin("DROP TABLE runs");
    const { sessions } = await backend.open();
    expect(await sessions.list(1)).toEqual([]);
  });
});
