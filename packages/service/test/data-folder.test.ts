import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DataFolder } from "../src/data-folder.ts";
import { openDatabase } from "../src/storage/sqlite/database.ts";
import { runHere } from "./command-line.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "data-folder-"))));
afterEach(() => rmSync(root, { recursive: true }));

const modes = (folder: string): string[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`);

describe("records", () => {
  test("can't be read by other users, in a folder that is readable for all", () => {
    chmodSync(root, 0o755);
    const database = openDatabase(join(root, "records.sqlite"));
    database.exec("INSERT INTO sessions (session_id, created_ms) VALUES ('a', 1)");
    expect(modes(root)).toStrictEqual(["records.sqlite 600", "records.sqlite-wal 600"]);
    database.close();
  });

  test("that could be, written by an earlier service that died, are made private", () => {
    const folder = join(root, "left");
    mkdirSync(folder);
    const living = openDatabase(join(folder, "records.sqlite"));
    living.exec("INSERT INTO sessions (session_id, created_ms) VALUES ('a', 1)");
    const copy = join(root, "copy");
    mkdirSync(copy);
    for (const name of readdirSync(folder)) {
      copyFileSync(join(folder, name), join(copy, name));
      chmodSync(join(copy, name), 0o644);
    }
    living.close();
    const database = openDatabase(join(copy, "records.sqlite"));
    expect(database.prepare("SELECT session_id FROM sessions").all()).toMatchObject([{ session_id: "a" }]);
    expect(modes(copy)).toStrictEqual(["records.sqlite 600", "records.sqlite-wal 600"]);
    database.close();
  });

  test("in memory leave no file", () => {
    openDatabase(":memory:").close();
    expect(existsSync(":memory:")).toBe(false);
  });
});

describe("a folder", () => {
  test("is made with all that is missing above of it, for its owner alone", () => {
    const folder = new DataFolder(join(root, "a", "b"));
    folder.make();
    folder.make();
    expect(modes(root)).toStrictEqual(["a 700"]);
    expect(modes(join(root, "a"))).toStrictEqual(["b 700"]);
    expect(modes(join(root, "a", "b"))).toStrictEqual(["recordings 700"]);
  });

  test("behind a link is that folder", () => {
    mkdirSync(join(root, "real"));
    symlinkSync(join(root, "real"), join(root, "link"));
    new DataFolder(join(root, "link")).make();
    expect(readdirSync(join(root, "real"))).toStrictEqual(["recordings"]);
  });

  test.skipIf(process.platform === "win32")("that others may exchange is told, by any of its names", () => {
    const above = join(root, "above");
    const path = join(above, "data");
    mkdirSync(path, { recursive: true });
    symlinkSync(path, join(root, "link"));
    chmodSync(path, 0o700);
    chmodSync(above, 0o777);
    for (const name of [path, join(root, "link")])
      expect(new DataFolder(name).make()).toBe(
        `${name}: everybody on this machine may exchange it; take that right away (chmod go-w ${above})`,
      );
    // As in /tmp, where only owners may exchange what is theirs.
    chmodSync(above, 0o1777);
    expect(new DataFolder(path).make()).toBeUndefined();
  });

  test("without a name is refused", () => {
    expect(() => new DataFolder("")).toThrow(
      expect.objectContaining({ code: "usage", message: expect.stringMatching(/`data` must not be empty/u) }),
    );
  });

  test("that can't exist is reported as such", () => {
    writeFileSync(join(root, "file"), "");
    symlinkSync(join(root, "nowhere"), join(root, "dangling"));
    for (const path of [join(root, "file"), join(root, "file", "x"), join(root, "dangling", "x")]) {
      expect(() => new DataFolder(path).make()).toThrow(expect.objectContaining({ code: "usage" }));
    }
  });
});

test.runIf(existsSync("/proc/self")).each([
  ["", /--data must not be empty; omit it/],
  ["/proc/cloud-browser", /\/proc\/cloud-browser is not writable/],
])("a service in the folder '%s' ends at once, and says why", async (data, why) => {
  const { code, stderr } = await runHere(["serve", "--port", "0", "--data", data], { HOME: root });
  expect(code).toBe(2);
  expect(stderr).toMatch(why);
});
