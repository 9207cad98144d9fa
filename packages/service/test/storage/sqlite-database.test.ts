import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newestFirst } from "../../src/storage/sql/sql-session-store.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "records-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (): string => join(folder, "records.sqlite");

test("two services can't open one database", () => {
  const first = openDatabase(file());
  expect(() => openDatabase(file())).toThrow(expect.objectContaining({ code: "usage" }));
  first.close();
  openDatabase(file()).close();
});

test("a file that is not a database is rejected", () => {
  writeFileSync(file(), "these are words, and no records of sessions".repeat(100));
  expect(() => openDatabase(file())).toThrow(expect.objectContaining({ code: "usage" }));
});

test("a damaged one is refused before anything reads it, with what to do", () => {
  const whole = openDatabase(file());
  const insert = whole.prepare("INSERT INTO sessions (session_id, created_ms) VALUES (?, ?)");
  for (let index = 0; index < 500; index += 1) insert.run(randomUUID(), index);
  whole.close();
  const bytes = readFileSync(file());
  for (const from of [bytes.length - 40_000, 12_000, 300]) {
    writeFileSync(file(), Buffer.from(bytes).fill(0x5a, from, from + 30_000));
    expect(() => openDatabase(file())).toThrow(
      /records\.sqlite: it is damaged \(.+\); restore it from a backup, or move it away/,
    );
  }
  writeFileSync(file(), bytes.subarray(0, 20_000));
  expect(() => openDatabase(file())).toThrow(/restore it from a backup/);
  writeFileSync(file(), bytes);
  openDatabase(file()).close();
});

test.each([
  [`SELECT * FROM sessions ORDER BY ${newestFirst} LIMIT 100`, "sessions_newest"],
  [`SELECT * FROM sessions WHERE key_name IS NULL ORDER BY ${newestFirst} LIMIT 100`, "sessions_newest_of_key"],
  ["SELECT * FROM sessions WHERE ended_ms IS NULL", "sessions_ended"],
  ["DELETE FROM sessions WHERE ended_ms < 1", "sessions_ended"],
  [
    "SELECT * FROM runs WHERE key_name IS 'a' AND ended_ms IS NOT NULL ORDER BY started_ms DESC LIMIT 9",
    "runs_newest_of_key",
  ],
  ["DELETE FROM runs WHERE ended_ms < 1", "runs_ended"],
])("%s reads no more rows than it gives", (statement, index) => {
  const database = openDatabase(":memory:");
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all();
  database.close();
  const steps = plan
    .map(({ detail }) => String(detail))
    .filter((detail) => !/run_events|handovers|LAST TERM/.test(detail));
  expect(steps).toEqual([expect.stringMatching(new RegExp(` USING (?:COVERING )?INDEX ${index}\\b`, "u"))]);
});

test("a database of a newer version is rejected", () => {
  const newer = openDatabase(file());
  newer.exec("PRAGMA user_version = 1000");
  newer.close();
  expect(() => openDatabase(file())).toThrow(expect.objectContaining({ code: "usage" }));
});
