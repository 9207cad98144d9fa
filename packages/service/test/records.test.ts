import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../src/records/database.ts";
import type { FunctionRecord } from "@cloud-browser/automation";
import { FunctionRecords } from "../src/records/function-records.ts";
import { SessionRecords } from "../src/records/session-records.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "records-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (): string => join(folder, "records.sqlite");
const day = 86_400_000;

test("a record outlives the process that wrote it", () => {
  const first = openDatabase(file());
  const records = new SessionRecords(first);
  records.create("a", 1);
  records.locate("a", "http://x.example/", "X");
  records.end("a", 2, "requested");
  first.close();
  const again = openDatabase(file());
  expect(new SessionRecords(again).get("a")).toEqual({
    session_id: "a",
    created_ms: 1,
    ended_ms: 2,
    end_reason: "requested",
    url: "http://x.example/",
    title: "X",
  });
  again.close();
});

test("the first end of a session counts", () => {
  const database = openDatabase(":memory:");
  const records = new SessionRecords(database);
  records.create("a", 1);
  records.end("a", 2, "idle");
  records.end("a", 3, "requested");
  expect(records.get("a")).toMatchObject({ ended_ms: 2, end_reason: "idle" });
});

test("a session that its service left open has ended when it was last seen, and an old one is forgotten", async () => {
  const records = new SessionRecords(openDatabase(":memory:"));
  records.create("old", 0);
  records.end("old", 1, "idle");
  const seen = new Map([
    ["left", 5_000],
    ["set back", 1_000],
  ]);
  for (const id of ["left", "set back", "unseen"]) records.create(id, 2_000);
  await records.recover(7 * day + 1_000, (id) => Promise.resolve(seen.get(id)));
  const ended = records.list(10).map(({ session_id, ended_ms, end_reason }) => [session_id, ended_ms, end_reason]);
  expect(ended.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
    ["left", 5_000, "service-died"],
    ["set back", 2_000, "service-died"],
    ["unseen", 2_000, "service-died"],
  ]);
});

test("no session ends before it was created, whatever the clock says", () => {
  const records = new SessionRecords(openDatabase(":memory:"));
  records.create("a", 5_000);
  records.end("a", 4_000, "requested");
  expect(records.get("a")).toMatchObject({ created_ms: 5_000, ended_ms: 5_000 });
});

test("what could not be written is written by itself, without another change", () => {
  const database = openDatabase(file());
  const records = new SessionRecords(database);
  records.create("a", 1);
  database.exec("PRAGMA query_only = ON");
  records.end("a", 2, "idle");
  expect(records.flush()).toContain("readonly");
  database.exec("PRAGMA query_only = OFF");
  expect(records.flush()).toBeUndefined();
  expect(new SessionRecords(database).get("a")).toMatchObject({ ended_ms: 2 });
  database.close();
});

test("a session that ended more than a week ago is forgotten while the service runs", () => {
  const records = new SessionRecords(openDatabase(":memory:"));
  records.create("old", 0);
  records.end("old", 1, "idle");
  records.create("open", 2);
  records.create("new", 7 * day);
  expect(records.list(10).map(({ session_id }) => session_id)).toEqual(["new", "open", "old"]);
  records.create("newest", 7 * day + 2);
  expect(records.list(10).map(({ session_id }) => session_id)).toEqual(["newest", "new", "open"]);
});

test("what can't be written is known and told, and written with the next change that can be", () => {
  const database = openDatabase(file());
  const faults: unknown[] = [];
  const records = new SessionRecords(database, (error) => faults.push(error));
  records.create("a", 1);
  records.create("b", 1);
  database.exec("PRAGMA query_only = ON");
  records.locate("a", "http://x.example/", "X");
  records.end("a", 2, "idle");
  records.end("a", 3, "requested");
  const ended = { session_id: "a", ended_ms: 2, end_reason: "idle", url: "http://x.example/", title: "X" };
  expect(records.get("a")).toMatchObject(ended);
  expect(records.list(1)).toMatchObject([ended]);
  expect(faults).toHaveLength(2);
  database.exec("PRAGMA query_only = OFF");
  expect(new SessionRecords(database).get("a")).toMatchObject({ ended_ms: null });
  records.locate("b", null, null);
  expect(new SessionRecords(database).get("a")).toMatchObject(ended);
  database.close();
});

test("a title that is not known is the last one of the same address", () => {
  const records = new SessionRecords(openDatabase(":memory:"));
  records.create("a", 1);
  records.locate("a", "http://x.example/", "X");
  records.locate("a", "http://x.example/", null);
  expect(records.get("a")).toMatchObject({ title: "X" });
  records.locate("a", "http://y.example/", null);
  expect(records.get("a")).toMatchObject({ url: "http://y.example/", title: null });
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

test("a function that was deleted while a run mended it does not come back", () => {
  const database = openDatabase(":memory:");
  const functions = new FunctionRecords(database);
  functions.save(made("a"));
  functions.save(made("b"));
  functions.delete("a");
  for (const id of ["a", "b"]) functions.replace({ ...made(id), query: "Read again" });
  expect(functions.list()).toEqual([{ ...made("b"), query: "Read again" }]);
  database.close();
});

test("a function that can't be written is known, and written by itself; one that can't be deleted is still there", () => {
  const database = openDatabase(file());
  const faults: unknown[] = [];
  const functions = new FunctionRecords(database, (error) => faults.push(error));
  functions.save(made("a"));
  database.exec("PRAGMA query_only = ON");
  functions.save(made("b"));
  functions.replace({ ...made("a"), query: "Read again" });
  expect(
    functions
      .list()
      .map(({ function_id, query }) => `${function_id} ${query}`)
      .toSorted(),
  ).toEqual(["a Read again", "b Read"]);
  expect(functions.get("b")).toEqual(made("b"));
  expect(faults).toHaveLength(2);
  expect(functions.flush()).toContain("readonly");
  expect(() => functions.delete("a")).toThrow("could not be deleted");
  database.exec("PRAGMA query_only = OFF");
  expect(new FunctionRecords(database).list()).toEqual([made("a")]);
  expect(functions.flush()).toBeUndefined();
  expect(new FunctionRecords(database).get("a")).toMatchObject({ query: "Read again" });
  expect(functions.delete("b")).toBe(true);
  expect(functions.delete("b")).toBe(false);
  database.close();
});
