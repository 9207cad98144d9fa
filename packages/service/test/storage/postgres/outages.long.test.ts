import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { inspect } from "node:util";
import { startPostgres, type PostgresServer } from "@cloud-browser/testing/postgres-server.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ServiceError } from "../../../src/service-error.ts";
import { PostgresDatabase } from "../../../src/storage/postgres/postgres-database.ts";
import { startPostgresBackend } from "./postgres-backend.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()));
afterAll(() => server[Symbol.asyncDispose]());

describe("a database that does not answer", () => {
  /** Far more than what these statements take, on a busy machine too. */
  const limits = { statementMs: 2_000 } as const;

  test("times out while it connects", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined).resume()).listen(0, "127.0.0.1");
    await once(silent, "listening");
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
    const { port } = silent.address() as AddressInfo;
    const database = await PostgresDatabase.open(`postgres://someone:hunter2@127.0.0.1:${port}/x`, {
      connectMs: 300,
    });
    const refusal = await database.query("SELECT 1").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "storage-failed" });
    expect(inspect(refusal, { depth: Infinity, showHidden: true })).not.toContain("hunter2");
    await database.close();
    silent.close();
  });

  test("fails while the database is down, and writes pending changes when it is back", async () => {
    await using own = await startPostgres();
    await using backend = await startPostgresBackend(own);
    const { sessions, runs, faults } = await backend.open();
    await sessions.create("a", 1);
    await runs.create("r", 1);
    await own.kill();
    await expect(sessions.create("b", 1)).rejects.toMatchObject({ code: "storage-failed" });
    await expect(sessions.get("a")).rejects.toThrow("ECONNREFUSED");
    await sessions.end("a", 2, "idle");
    await runs.change("r", { ended_ms: 2, end: "done" });
    await runs.change("r", { ended_ms: 3, end: "cancelled" });
    expect(faults.length).toBeGreaterThan(0);
    expect(await sessions.flush()).toContain("ECONNREFUSED");
    await own.restart();
    expect(await sessions.flush()).toBeUndefined();
    expect(await runs.flush()).toBeUndefined();
    expect(await sessions.list(10)).toMatchObject([{ session_id: "a", end_reason: "idle" }]);
    expect(await runs.get("r")).toMatchObject({ end: "done" });
  });

  test("times out while another one holds the lock", async () => {
    await using backend = await startPostgresBackend(server, limits);
    const { sessions, database, faults } = await backend.open();
    await sessions.create("a", 1);
    const locked = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    const holding = database
      .transact(async (query) => {
        await query("SET LOCAL idle_in_transaction_session_timeout = 0");
        await query("LOCK TABLE sessions");
        locked.resolve();
        await called.promise;
      })
      .finally(() => locked.resolve());
    await locked.promise;
    await sessions.end("a", 2, "idle");
    expect(faults).toMatchObject([
      { code: "storage-failed", message: expect.stringContaining("canceling statement due to") },
    ]);
    called.resolve();
    await holding;
    expect(await sessions.flush()).toBeUndefined();
    expect(await sessions.get("a")).toMatchObject({ end_reason: "idle" });
  });

  test("times out when its connection stalls, and is repeated on another one", async () => {
    await using backend = await startPostgresBackend(server);
    const direct = new URL(backend.url);
    const open = new Set<Socket>();
    const proxy = createServer((client) => {
      const upstream = connect(Number(direct.port), direct.hostname);
      for (const socket of [client, upstream]) open.add(socket.on("error", () => undefined));
      client.pipe(upstream).pipe(client);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const through = new URL(direct);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
    through.port = String((proxy.address() as AddressInfo).port);
    const database = await PostgresDatabase.open(through.href, { ...limits, connections: 1 });
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    for (const socket of open) socket.unpipe().pause();
    await expect(database.query("SELECT 1 AS one")).rejects.toMatchObject({ code: "storage-failed" });
    expect(await database.query("SELECT 2 AS two")).toEqual([{ two: 2 }]);
    for (const socket of open) socket.unpipe().pause();
    await expect(database.transact((query) => query("SELECT 1"))).rejects.toMatchObject({ code: "storage-failed" });
    expect(await database.query("SELECT 3 AS three")).toEqual([{ three: 3 }]);
    await database.close();
    for (const socket of open) socket.destroy();
    proxy.close();
  });

  test("fails work under a lock when it ends the connection of the lock", async () => {
    await using backend = await startPostgresBackend(server);
    const { keys } = await backend.open();
    const held = "FROM pg_stat_activity WHERE usename = 'node' AND state = 'idle in transaction'";
    const isHeld = async (): Promise<boolean> => (await backend.asAdmin(`SELECT pid ${held}`)).length > 0;
    const guarded = keys.withLock("team", async () => {
      await vi.waitUntil(isHeld, { timeout: 60_000 });
      await backend.asAdmin(`SELECT pg_terminate_backend(pid) ${held}`);
      await vi.waitUntil(async () => !(await isHeld()), { timeout: 60_000 });
      // When this is answered the client has heard of what was before.
      await backend.asAdmin("SELECT 1");
    });
    await expect(guarded).rejects.toMatchObject({ code: "storage-failed" });
    expect(await keys.withLock("team", async () => "done")).toBe("done");
  });

  test("rolls back a failed transaction, and runs the next one", async () => {
    await using backend = await startPostgresBackend(server);
    const database = await PostgresDatabase.open(backend.url, { connections: 1 });
    await database.query("CREATE TABLE things (name text PRIMARY KEY)");
    const failing = database.transact(async (query) => {
      await query("INSERT INTO things VALUES ('a')");
      await query("INSERT INTO things VALUES ('a')");
    });
    await expect(failing).rejects.toMatchObject({ code: "storage-failed" });
    const stopped = database.transact(async (query) => {
      await query("INSERT INTO things VALUES ('b')");
      throw new ServiceError("busy", "later");
    });
    await expect(stopped).rejects.toMatchObject({ code: "busy" });
    expect(await database.query("SELECT * FROM things")).toEqual([]);
    await database.close();
  });

  test.each(["", "mysql://x/y", "postgres"])("whose address is '%s' is refused without naming it", async (url) => {
    await expect(PostgresDatabase.open(url)).rejects.toMatchObject({ code: "usage" });
  });
});
