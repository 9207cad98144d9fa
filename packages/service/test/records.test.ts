import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../src/storage/sqlite/database.ts";
import type { FunctionRecord } from "@cloud-browser/automation";
import { SqliteFunctionStore } from "../src/storage/sqlite/sqlite-function-store.ts";
import { SqliteSessionStore } from "../src/storage/sqlite/sqlite-session-store.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "records-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (): string => join(folder, "records.sqlite");
const day = 86_400_000;

test("a record outlives the process that wrote it", async () => {
  const first = openDatabase(file());
  const records = new SqliteSessionStore(first);
  await records.create("a", 1);
  await records.locate("a", "http://x.example/", "X");
  await records.end("a", 2, "requested");
  first.close();
  const again = openDatabase(file());
  expect(await new SqliteSessionStore(again).get("a")).toEqual({
    session_id: "a",
    created_ms: 1,
    ended_ms: 2,
    end_reason: "requested",
    url: "http://x.example/",
    title: "X",
    key: null,
  });
  again.close();
});

test("the first end of a session counts", async () => {
  const database = openDatabase(":memory:");
  const records = new SqliteSessionStore(database);
  await records.create("a", 1);
  await records.end("a", 2, "idle");
  await records.end("a", 3, "requested");
  expect(await records.get("a")).toMatchObject({ ended_ms: 2, end_reason: "idle" });
});

test("a session that its service left open has ended when it was last seen, and an old one is forgotten", async () => {
  const database = openDatabase(":memory:");
  const dead = new SqliteSessionStore(database);
  await dead.create("old", 0);
  await dead.end("old", 1, "idle");
  const seen = new Map([
    ["left", 5_000],
    ["set back", 1_000],
  ]);
  for (const id of ["left", "set back", "unseen"]) await dead.create(id, 2_000);
  const records = new SqliteSessionStore(database);
  await records.recover(7 * day + 1_000, (id) => Promise.resolve(seen.get(id)));
  const ended = (await records.list(10)).map(({ session_id, ended_ms, end_reason }) => [
    session_id,
    ended_ms,
    end_reason,
  ]);
  expect(ended.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ["left", 5_000, "service-died"],
    ["set back", 2_000, "service-died"],
    ["unseen", 2_000, "service-died"],
  ]);
});

test("no session ends before it was created, whatever the clock says", async () => {
  const records = new SqliteSessionStore(openDatabase(":memory:"));
  await records.create("a", 5_000);
  await records.end("a", 4_000, "requested");
  expect(await records.get("a")).toMatchObject({ created_ms: 5_000, ended_ms: 5_000 });
});

test("what could not be written is written by itself, without another change", async () => {
  const database = openDatabase(file());
  const records = new SqliteSessionStore(database);
  await records.create("a", 1);
  database.exec("PRAGMA query_only = ON");
  await records.end("a", 2, "idle");
  expect(await records.flush()).toContain("readonly");
  database.exec("PRAGMA query_only = OFF");
  expect(await records.flush()).toBeUndefined();
  expect(await new SqliteSessionStore(database).get("a")).toMatchObject({ ended_ms: 2 });
  database.close();
});

test("a session that ended more than a week ago is forgotten while the service runs", async () => {
  const records = new SqliteSessionStore(openDatabase(":memory:"));
  await records.create("old", 0);
  await records.end("old", 1, "idle");
  await records.create("open", 2);
  await records.create("new", 7 * day);
  expect((await records.list(10)).map(({ session_id }) => session_id)).toEqual(["new", "open", "old"]);
  await records.create("newest", 7 * day + 2);
  expect((await records.list(10)).map(({ session_id }) => session_id)).toEqual(["newest", "new", "open"]);
});

test("what can't be written is known and told, and written with the next change that can be", async () => {
  const database = openDatabase(file());
  const faults: unknown[] = [];
  const records = new SqliteSessionStore(database, (error) => faults.push(error));
  await records.create("a", 1);
  await records.create("b", 1);
  database.exec("PRAGMA query_only = ON");
  await records.locate("a", "http://x.example/", "X");
  await records.end("a", 2, "idle");
  await records.end("a", 3, "requested");
  const ended = { session_id: "a", ended_ms: 2, end_reason: "idle", url: "http://x.example/", title: "X" };
  expect(await records.get("a")).toMatchObject(ended);
  expect(await records.list(1)).toMatchObject([ended]);
  expect(faults).toHaveLength(2);
  database.exec("PRAGMA query_only = OFF");
  expect(await new SqliteSessionStore(database).get("a")).toMatchObject({ ended_ms: null });
  await records.locate("b", null, null);
  expect(await new SqliteSessionStore(database).get("a")).toMatchObject(ended);
  database.close();
});

test("a title that is not known is the last one of the same address", async () => {
  const records = new SqliteSessionStore(openDatabase(":memory:"));
  await records.create("a", 1);
  await records.locate("a", "http://x.example/", "X");
  await records.locate("a", "http://x.example/", null);
  expect(await records.get("a")).toMatchObject({ title: "X" });
  await records.locate("a", "http://y.example/", null);
  expect(await records.get("a")).toMatchObject({ url: "http://y.example/", title: null });
});

test("two services can't use one folder", () => {
  const first = openDatabase(file());
  expect(() => openDatabase(file())).toThrow(/locked by another service/);
  first.close();
  openDatabase(file()).close();
});

test("a file that is no database is told as such", () => {
  writeFileSync(file(), "these are words, and no records of sessions".repeat(100));
  expect(() => openDatabase(file())).toThrow(/can't be used.*--data/);
});

test("a file of a newer version is left alone", () => {
  const newer = openDatabase(file());
  newer.exec("PRAGMA user_version = 1000");
  newer.close();
  expect(() => openDatabase(file())).toThrow(/newer version/);
});

const made = (id: string): FunctionRecord => ({
  function_id: id,
  function_name: "read",
  created_at: "2026-11-21T10:00:00.000+00:00",
  query: "Read",
  variables: [],
  steps: [],
});

test("a function that was deleted while a run mended it does not come back", async () => {
  const database = openDatabase(":memory:");
  const functions = new SqliteFunctionStore(database);
  await functions.save(made("a"));
  await functions.save(made("b"));
  await functions.delete("a");
  for (const id of ["a", "b"]) await functions.replace({ ...made(id), query: "Read again" });
  expect(await functions.list()).toEqual([{ ...made("b"), query: "Read again" }]);
  database.close();
});

test("a function that can't be written is known, and written by itself; one that can't be deleted is still there", async () => {
  const database = openDatabase(file());
  const faults: unknown[] = [];
  const functions = new SqliteFunctionStore(database, (error) => faults.push(error));
  await functions.save(made("a"));
  database.exec("PRAGMA query_only = ON");
  await functions.save(made("b"));
  await functions.replace({ ...made("a"), query: "Read again" });
  expect((await functions.list()).map(({ function_id, query }) => `${function_id} ${query}`).toSorted()).toEqual([
    "a Read again",
    "b Read",
  ]);
  expect(await functions.get("b")).toEqual(made("b"));
  expect(faults).toHaveLength(2);
  expect(await functions.flush()).toContain("readonly");
  await expect(functions.delete("a")).rejects.toThrow("could not be deleted");
  database.exec("PRAGMA query_only = OFF");
  expect(await new SqliteFunctionStore(database).list()).toEqual([made("a")]);
  expect(await functions.flush()).toBeUndefined();
  expect(await new SqliteFunctionStore(database).get("a")).toMatchObject({ query: "Read again" });
  expect(await functions.delete("b")).toBe(true);
  expect(await functions.delete("b")).toBe(false);
  database.close();
});
