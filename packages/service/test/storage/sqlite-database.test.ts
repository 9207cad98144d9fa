import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../src/storage/sqlite/database.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "records-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const file = (): string => join(folder, "records.sqlite");

test("two services can't open one database", () => {
  const first = openDatabase(file());
  expect(() => openDatabase(file())).toThrow(/locked by another service/);
  first.close();
  openDatabase(file()).close();
});

test("a file that is not a database is rejected", () => {
  writeFileSync(file(), "these are words, and no records of sessions".repeat(100));
  expect(() => openDatabase(file())).toThrow(/can't be used.*--data/);
});

test("a database of a newer version is rejected", () => {
  const newer = openDatabase(file());
  newer.exec("PRAGMA user_version = 1000");
  newer.close();
  expect(() => openDatabase(file())).toThrow(/newer version/);
});
