import { describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqlFileIndex } from "../../src/storage/sql/sql-file-index.ts";
import { SqlFunctionStore } from "../../src/storage/sql/sql-function-store.ts";
import { SqlHandoverStore } from "../../src/storage/sql/sql-handover-store.ts";
import { SqlKeyStore } from "../../src/storage/sql/sql-key-store.ts";
import { SqlLeaseStore } from "../../src/storage/sql/sql-lease-store.ts";
import { SqlProfileStore } from "../../src/storage/sql/sql-profile-store.ts";
import { SqlRecordingIndex } from "../../src/storage/sql/sql-recording-index.ts";
import { SqlRunStore } from "../../src/storage/sql/sql-run-store.ts";
import { SqlSessionStore } from "../../src/storage/sql/sql-session-store.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import type { Backend } from "./backend.ts";
import { testFileIndex } from "./file-contract.ts";
import { testFunctionStore } from "./function-contract.ts";
import { testHandoverStore } from "./handover-contract.ts";
import { testKeyStore } from "./key-contract.ts";
import { testLeaseStore } from "./lease-contract.ts";
import { testProfileStore } from "./profile-contract.ts";
import { testRecordingIndex } from "./recording-index-contract.ts";
import { testRunStore } from "./run-contract.ts";
import { testSessionStore } from "./session-contract.ts";

async function start(): Promise<Backend> {
  const file = openDatabase(":memory:");
  return {
    open: async () => {
      const database = new SqliteDatabase(file);
      const faults: unknown[] = [];
      const onFault = (error: unknown): void => void faults.push(error);
      return {
        sessions: new SqlSessionStore(database, undefined, onFault),
        functions: new SqlFunctionStore(database, false, onFault),
        runs: new SqlRunStore(database, undefined, onFault),
        leases: new SqlLeaseStore(database),
        keys: new SqlKeyStore(database),
        recordings: new SqlRecordingIndex(database),
        handovers: new SqlHandoverStore(database),
        profiles: new SqlProfileStore(database),
        files: new SqlFileIndex(database),
        faults,
      };
    },
    setWritable: async (isWritable) => file.exec(`PRAGMA query_only = ${isWritable ? "OFF" : "ON"}`),
    setBack: async (name) =>
      void file.prepare("UPDATE leases SET expires_ms = ? WHERE name = ?").run(Date.now() + 3_600_000, name),
    expire: async (name) => void file.prepare("UPDATE leases SET expires_ms = 1 WHERE name = ?").run(name),
    [Symbol.asyncDispose]: async () => file.close(),
  };
}

describe("sessions in SQLite", () => {
  testSessionStore(start);
});
describe("functions in SQLite", () => {
  testFunctionStore(start);
});
describe("runs in SQLite", () => {
  testRunStore(start);
});
describe("requests for a person in SQLite", () => {
  testHandoverStore(start);
});
describe("files of sessions in SQLite", () => {
  testFileIndex(start);
});
describe("keys in SQLite", () => {
  testKeyStore(start);
});
describe("the index of recordings in SQLite", () => {
  test("finds what has to be worked on by an index, however many recordings are done or deleted", async () => {
    using database = openDatabase(":memory:");
    const prepared = vi.spyOn(database, "prepare");
    const index = new SqlRecordingIndex(new SqliteDatabase(database));
    await index.takeUnfinished(10);
    await index.takeDone(10);
    await index.takeDue(1, 10);
    await index.forget(1);
    const statements = prepared.mock.calls.map(([sql]) => sql);
    expect(statements).toHaveLength(6);
    for (const sql of statements) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      const steps = plan.map(({ detail }) => String(detail)).filter((step) => /recordings/u.test(step));
      expect(steps).not.toEqual([]);
      // An index of deleted recordings, or of all that are due one day, would have to be read from its beginning to its end.
      for (const step of steps) expect(step).toMatch(/^SEARCH|USING INDEX recordings_unfinished/u);
    }
  });

  testRecordingIndex(start);
});
describe("profiles in SQLite", () => {
  testProfileStore(start);
});
describe("leases in SQLite", () => {
  testLeaseStore(start);
});

test("a change of one session or run finds it by its id, however many are open", async () => {
  using file = openDatabase(":memory:");
  const database = new SqliteDatabase(file);
  const [sessions, runs] = [new SqlSessionStore(database), new SqlRunStore(database)];
  await sessions.create("one", 1_000);
  await runs.create("one", 1_000);
  const prepared = vi.spyOn(file, "prepare");
  await sessions.locate("one", "https://shop.test/", "Shop");
  await runs.change("one", { steps: 1 });
  await runs.append("one", [{ seq: 1, event: "{}" }], 1);
  await runs.append("one", [{ seq: 2, event: "{}" }], 2);
  const statements = prepared.mock.calls.map(([sql]) => sql).filter((sql) => /^(?:UPDATE|INSERT|DELETE)/u.test(sql));
  expect(statements).toHaveLength(4);
  for (const sql of statements) {
    const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    const steps = plan.map(({ detail }) => String(detail)).filter((step) => /kept|runs|run_events/u.test(step));
    expect(steps).not.toEqual([]);
    for (const step of steps) expect(step).toMatch(/^SEARCH .* USING (?:COVERING )?INDEX sqlite_autoindex_/u);
  }
});

test("a transaction has the file for itself, and one that can't be rolled back takes nothing else with it", async () => {
  using file = openDatabase(":memory:");
  const database = new SqliteDatabase(file);
  file.exec("CREATE TABLE things (name text PRIMARY KEY) STRICT");
  const add = "INSERT INTO things VALUES (:name)";
  const failing = database.transact(async (query) => {
    await query(add, { name: "a" });
    await query(add, { name: "a" });
  });
  const other = database.query(add, { name: "b" });
  await expect(failing).rejects.toThrow("UNIQUE");
  await other;
  expect(await database.query("SELECT name FROM things")).toEqual([{ name: "b" }]);
  // As after a rollback that has failed.
  file.exec("BEGIN; INSERT INTO things VALUES ('c')");
  await database.query(add, { name: "d" });
  file.exec("BEGIN; INSERT INTO things VALUES ('e')");
  await database.transact((query) => query(add, { name: "f" }));
  expect(
    (await database.query<{ name: string }>("SELECT name FROM things ORDER BY name")).map(({ name }) => name),
  ).toEqual(["b", "d", "f"]);
  await expect(database.query(add, {})).rejects.toThrow("no value for :name");
});

test("the end of a session is kept when its record can't be read or written at that moment, and written later", async () => {
  using file = openDatabase(":memory:");
  const database = new SqliteDatabase(file);
  const faults: unknown[] = [];
  const store = new SqlSessionStore(database, undefined, (error) => faults.push(error));
  await store.create("one", 1_000);
  await store.locate("one", "https://shop.test/", "Shop");
  const query = vi.spyOn(database, "query").mockRejectedValue(new Error("disk I/O error"));
  await store.end("one", 2_000, "requested", { url: "https://shop.test/", title: "Shop" });
  expect(await store.flush()).toBe("disk I/O error");
  query.mockRestore();
  expect(await store.flush()).toBeUndefined();
  expect(await store.get("one")).toMatchObject({ ended_ms: 2_000, end_reason: "requested", title: "Shop" });
  expect(faults).toMatchObject([{ message: "disk I/O error" }]);
});
