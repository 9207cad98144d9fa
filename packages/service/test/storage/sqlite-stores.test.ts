import { describe, expect, test, vi } from "vitest";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteFileIndex } from "../../src/storage/sqlite/sqlite-file-index.ts";
import { SqliteFunctionStore } from "../../src/storage/sqlite/sqlite-function-store.ts";
import { SqliteHandoverStore } from "../../src/storage/sqlite/sqlite-handover-store.ts";
import { SqliteKeyStore } from "../../src/storage/sqlite/sqlite-key-store.ts";
import { SqliteLeaseStore } from "../../src/storage/sqlite/sqlite-lease-store.ts";
import { SqliteProfileStore } from "../../src/storage/sqlite/sqlite-profile-store.ts";
import { SqliteRecordingIndex } from "../../src/storage/sqlite/sqlite-recording-index.ts";
import { SqliteRunStore } from "../../src/storage/sqlite/sqlite-run-store.ts";
import { SqliteSessionStore } from "../../src/storage/sqlite/sqlite-session-store.ts";
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
  const database = openDatabase(":memory:");
  return {
    open: async () => {
      const faults: unknown[] = [];
      const onFault = (error: unknown): void => void faults.push(error);
      return {
        sessions: new SqliteSessionStore(database, onFault),
        functions: new SqliteFunctionStore(database, onFault),
        runs: new SqliteRunStore(database, onFault),
        leases: new SqliteLeaseStore(database),
        keys: new SqliteKeyStore(database),
        recordings: new SqliteRecordingIndex(database),
        handovers: new SqliteHandoverStore(database),
        profiles: new SqliteProfileStore(database),
        files: new SqliteFileIndex(database),
        faults,
      };
    },
    setWritable: async (isWritable) => database.exec(`PRAGMA query_only = ${isWritable ? "OFF" : "ON"}`),
    setBack: async (name) =>
      void database.prepare("UPDATE leases SET expires_ms = ? WHERE name = ?").run(Date.now() + 3_600_000, name),
    expire: async (name) => void database.prepare("UPDATE leases SET expires_ms = 1 WHERE name = ?").run(name),
    [Symbol.asyncDispose]: async () => database.close(),
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
    const index = new SqliteRecordingIndex(database);
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

test("the end of a session is kept when its record can't be read at that moment, and written later", async () => {
  using database = openDatabase(":memory:");
  const faults: unknown[] = [];
  const store = new SqliteSessionStore(database, (error) => faults.push(error));
  await store.create("one", 1_000);
  await store.locate("one", "https://shop.test/", "Shop");
  const prepare = vi.spyOn(database, "prepare").mockImplementation(() => {
    throw new Error("disk I/O error");
  });
  await store.end("one", 2_000, "requested", { url: "https://shop.test/", title: "Shop" });
  await expect(store.end("two", 2_000, "requested")).rejects.toThrow("disk I/O error");
  prepare.mockRestore();
  expect(await store.flush()).toBeUndefined();
  expect(await store.get("one")).toMatchObject({ ended_ms: 2_000, end_reason: "requested", title: "Shop" });
  expect(faults).not.toEqual([]);
});
