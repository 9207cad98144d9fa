import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { RecordsWatch } from "../../src/storage/sqlite/records-watch.ts";

const run = promisify(execFile);

let folder: string;
let database: DatabaseSync;
let watch: RecordsWatch;
let faults: (string | undefined)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "records-watch-"));
  database = openDatabase(join(folder, "records.sqlite"));
  database.exec("BEGIN");
  const insert = database.prepare("INSERT INTO sessions (session_id, created_ms, title) VALUES (?, ?, ?)");
  for (let index = 0; index < 4_000; index += 1) insert.run(`session-${index}`, index, "x".repeat(500));
  database.exec("COMMIT; PRAGMA wal_checkpoint(FULL)");
  faults = [];
  watch = new RecordsWatch(database, join(folder, "records.sqlite"), {
    everyMs: 0,
    onChange: (fault) => void faults.push(fault),
  });
});
afterEach(() => {
  try {
    database.close();
  } catch {
    // It can't write what is left to a file that is none any more.
  }
  watch.close();
  rmSync(folder, { recursive: true });
});

/** Damages the file as another program does: a copy of a backup in place, a disk, an operator. */
const damage = (command: string): Promise<unknown> => run("sh", ["-c", command], { cwd: folder });

/** Lets the time pass after which all pages are looked at. */
function passTime(): void {
  vi.useFakeTimers({ toFake: ["performance"], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(10_000_000);
}

test("records that are whole are, however often they are looked at and written to", async () => {
  for (let index = 0; index < 3; index += 1) {
    database.prepare("UPDATE sessions SET title = ?").run(`title ${index}`);
    expect(await watch.look()).toBeUndefined();
    passTime();
    expect(await watch.look()).toBeUndefined();
  }
  expect(faults).toEqual([]);
});

test.each([
  ["deleted", "rm records.sqlite", "records.sqlite was deleted"],
  ["replaced", "cp records.sqlite 2 && mv 2 records.sqlite", "records.sqlite was replaced"],
  ["truncated", "truncate -s 8192 records.sqlite", "records.sqlite was truncated"],
  ["emptied", ": > records.sqlite", "records.sqlite was truncated"],
  [
    "overwritten at its beginning",
    "dd if=/dev/urandom of=records.sqlite bs=50 count=1 conv=notrunc",
    "was overwritten",
  ],
  ["without its log", "rm records.sqlite-wal", "records.sqlite-wal was deleted"],
  ["with another log", "cp records.sqlite-wal 2 && mv 2 records.sqlite-wal", "records.sqlite-wal was replaced"],
  ["with a part of its log", "truncate -s 100 records.sqlite-wal", "records.sqlite-wal was truncated"],
])("a file that is %s is told at the next look", async (_, command, what) => {
  database.prepare("UPDATE sessions SET title = 'a' WHERE session_id = 'session-1'").run();
  expect(await watch.look()).toBeUndefined();
  await damage(command);
  const fault = await watch.look();
  expect(fault).toContain(what);
  expect(fault).toMatch(/^the records are damaged \(.+\): what is written now may be lost; stop the service, restore/u);
  expect(fault).not.toContain(folder);
  expect([watch.fault, ...faults]).toEqual([fault, fault]);
});

const overwritten = "dd if=/dev/zero of=records.sqlite bs=4096 seek=40 count=300 conv=notrunc";

test("pages that are overwritten are told when a statement meets them, and no more once they are whole again", async () => {
  await damage(`cp records.sqlite before && ${overwritten}`);
  database.exec("PRAGMA shrink_memory");
  expect(() => database.prepare("SELECT sum(length(title)) FROM sessions").get()).toThrow(/malformed/);
  expect(watch.fault).toMatch(/are damaged \(database disk image is malformed\)/);
  expect(await watch.look()).toMatch(/are damaged/);
  await damage("cat before > records.sqlite");
  passTime();
  expect(await watch.look()).toBeUndefined();
  expect(faults).toEqual([expect.stringContaining("malformed"), undefined]);
});

test("pages that are overwritten, and that nobody reads, are told when all are looked at", async () => {
  await damage(overwritten);
  expect(await watch.look()).toBeUndefined();
  passTime();
  expect(await watch.look()).toMatch(/are damaged \(.*page/);
});

test("an error of a disk that has passed is told until all pages have been read", async () => {
  const statement = database.prepare("SELECT 1");
  const failed = Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 266 });
  vi.spyOn(Object.getPrototypeOf(statement), "get").mockImplementationOnce(() => {
    throw failed;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(() => database.prepare("SELECT 1").get()).toThrow("disk I/O error");
  expect(watch.fault).toMatch(/\(disk I\/O error\)/);
  expect(await watch.look()).toBeUndefined();
});

test("an error that is not of the file is none of it", () => {
  expect(() => database.prepare("SELECT missing")).toThrow(/no such column/);
  expect(() => database.exec("INSERT INTO sessions (session_id, created_ms) VALUES ('session-1', 1)")).toThrow(
    /UNIQUE/,
  );
  expect(watch.fault).toBeUndefined();
});
