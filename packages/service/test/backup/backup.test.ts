import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeBackup, type BackupReport } from "../../src/backup/make-backup.ts";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { DataFolder } from "../../src/data-folder.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { runHere } from "../command-line.ts";
import { listTree, replaceText, SampleFolder, sampleKey, serveSample } from "./sample-folder.ts";

const samples = { fresh: new SampleFolder(), backedUp: new SampleFolder() };
beforeAll(async () => void (await makeBackup(samples.backedUp.folder, samples.backedUp.at("backup"), never())));
afterAll(() => Object.values(samples).forEach((each) => each[Symbol.dispose]()));

let sample: SampleFolder;
beforeEach(() => void (sample = new SampleFolder(samples.fresh)));
afterEach(() => sample[Symbol.dispose]());

const at = (path: string): string => sample.at("backup", path);
const never = (): AbortSignal => new AbortController().signal;
const backUp = (to = sample.at("backup")): Promise<BackupReport> => makeBackup(sample.folder, to, never());
const restore = (from = sample.at("backup"), to = sample.at("restored")) => restoreBackup(from, to, never());
const refused = (why: RegExp, code = "backup-failed"): unknown =>
  expect.objectContaining({ code, message: expect.stringMatching(why) });

const sessionsIn = (folder: string): unknown[] => {
  const database = openDatabase(join(folder, "records.sqlite"));
  const rows = database.prepare("SELECT session_id FROM sessions ORDER BY session_id").all();
  database.close();
  return rows.map(({ session_id }) => session_id);
};

describe("a backup", () => {
  test("of a service that is stopped has all of its folder, for its owner alone", async () => {
    const report = await backUp();
    expect(report).toMatchObject({ running: false, recordings: 3, session_files: 1, unfinished_recordings: [] });
    expect(listTree(sample.at("backup"))).toEqual([
      "600 api-key.secret",
      "600 backup.json",
      "600 files/kept/finished/there",
      "600 recordings/deleted/recording.json",
      "600 recordings/ended/recording.json",
      "600 recordings/finished/recording.json",
      "600 recordings/finished/replay/000.ts",
      "600 recordings/recording/recording.json",
      "600 records.sqlite",
      "600 signing.secret",
      "700 files",
      "700 files/kept",
      "700 files/kept/finished",
      "700 recordings",
      "700 recordings/deleted",
      "700 recordings/ended",
      "700 recordings/finished",
      "700 recordings/finished/replay",
      "700 recordings/recording",
    ]);
    expect(sessionsIn(sample.folder.path)).toEqual(["ended", "finished", "recording"]);
  });

  test("of a service that runs has what does not change any more, and tells of the rest", async () => {
    await using service = await serveSample(sample);
    sample.addSession(service.database, "new");
    const report = await backUp();
    expect(report).toMatchObject({ running: true, recordings: 1, session_files: 1, records: { sessions: 4 } });
    expect([...report.unfinished_recordings].toSorted()).toEqual(["ended", "recording"]);
    expect(report.not_held[0]).toMatch(/^2 recordings still being made/);
    expect(readdirSync(sample.at("backup", "recordings")).toSorted()).toEqual(["deleted", "finished"]);
    expect(readdirSync(sample.folder.path).filter((name) => name.includes("copy"))).toEqual([]);
    await restore();
    expect(sessionsIn(sample.at("restored"))).toEqual(["ended", "finished", "new", "recording"]);
  });

  test("of a service whose records were deleted has what it still knows", async () => {
    await using service = await serveSample(sample);
    sample.addSession(service.database, "new");
    rmSync(sample.folder.records);
    await backUp();
    expect(sessionsIn(sample.at("backup"))).toEqual(["ended", "finished", "new", "recording"]);
  });

  test("says what belongs to the installation and is not in it", async () => {
    const database = sample.open();
    database.exec(`INSERT INTO profiles (profile_id, owner, name, created_ms) VALUES ('p', '', 'p', 1)`);
    database.exec(`INSERT INTO recordings (session_id, owner, stage, state) VALUES ('b', 'o', 'finished', '{}')`);
    database.close();
    rmSync(join(sample.folder.path, "api-key.secret"));
    rmSync(join(sample.folder.path, "files"), { recursive: true });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody reads it
    sample.folder.keepLease({} as Parameters<DataFolder["keepLease"]>[0]);
    const { not_held } = await backUp();
    expect(not_held).toEqual([
      expect.stringContaining("CLOUD_BROWSER_PROFILE_KEY"),
      expect.stringContaining("CLOUD_BROWSER_API_KEY"),
      expect.stringMatching(/^1 recording in a bucket/),
      expect.stringMatching(/^1 file of sessions, in a bucket or deleted/),
      expect.stringContaining("pg_dump"),
      expect.stringMatching(/^settings/),
    ]);
  });

  test.each<[string, (path: string) => void, RegExp]>([
    ["a folder with a file", (path) => (mkdirSync(path), writeFileSync(join(path, "x"), "")), /is not empty/],
    ["a file", (path) => writeFileSync(path, ""), /exists and is no folder/],
    ["a link", (path) => symlinkSync(sample.root, path), /exists and is no folder/],
  ])("is not made in place of %s", async (_, make, why) => {
    make(sample.at("backup"));
    const before = listTree(sample.root);
    await expect(backUp()).rejects.toEqual(refused(why, "usage"));
    expect(listTree(sample.root)).toEqual(before);
  });

  test("is not made within the data folder, by any of its names", async () => {
    symlinkSync(sample.folder.path, sample.at("link"));
    for (const path of [sample.folder.path, join(sample.folder.path, "b"), sample.at("link", "b", "c")])
      await expect(backUp(path)).rejects.toEqual(refused(/is in the data folder/, "usage"));
  });

  test("of what is no data folder, or to a folder in none, is refused", async () => {
    mkdirSync(sample.at("empty"));
    const none = makeBackup(new DataFolder(sample.at("empty")), sample.at("b"), never());
    await expect(none).rejects.toEqual(refused(/is no data folder of a service/, "usage"));
    expect(readdirSync(sample.at("empty"))).toEqual([]);
    await expect(backUp(sample.at("no", "where"))).rejects.toEqual(refused(/can't be written to.*make that/, "usage"));
  });

  test("of damaged records is none", async () => {
    const database = sample.open();
    for (let index = 0; index < 500; index += 1) sample.addSession(database, `session-${index}`);
    database.close();
    const { length } = readFileSync(sample.folder.records);
    for (const [from, to] of [
      [length - 20_000, length - 8_000],
      [4_096, length - 4_096],
      [20, length],
    ] as const) {
      writeFileSync(sample.folder.records, readFileSync(sample.folder.records).fill(0x5a, from, to));
      await expect(backUp()).rejects.toEqual(refused(/they are damaged \(/));
    }
    expect(readdirSync(sample.root)).toEqual(["data"]);
  });

  test.each<[string, Parameters<typeof serveSample>[1], RegExp]>([
    ["a key that may not", { name: "team" }, /only that of the service itself may/],
    ["a node of a cluster", { copies: () => undefined }, /are in PostgreSQL.*pg_dump/],
    [
      "a full disk",
      {
        copies: () => ({ make: () => Promise.reject(Object.assign(new Error("full"), { code: "ERR_SQLITE_ERROR" })) }),
      },
      /\(503\): the records can't be read/,
    ],
  ])("that %s refuses is none", async (_, options, why) => {
    await using service = await serveSample(sample, options);
    expect(service.server.listening).toBe(true);
    const failed = backUp();
    await expect(failed).rejects.toEqual(refused(why));
    await expect(failed).rejects.not.toThrow(sampleKey);
    expect(readdirSync(sample.root)).toEqual(["data"]);
  });

  test("of a folder that is in use by what can't be asked is none", async () => {
    const database = sample.open();
    await expect(backUp()).rejects.toEqual(refused(/in use, by a service that starts or stops/));
    sample.folder.announce({ url: "http://127.0.0.1:1", apiKey: sampleKey });
    await expect(backUp()).rejects.toEqual(refused(/has the records, and does not answer.*stop it, or try again/));
    database.close();
  });

  test("that is interrupted is none, and the next one is made", async () => {
    const interrupted = makeBackup(sample.folder, sample.at("backup"), AbortSignal.abort());
    await expect(interrupted).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect(readdirSync(sample.root)).toEqual(["data"]);
    await backUp();
    expect(existsSync(sample.at("backup", "backup.json"))).toBe(true);
  });

  test("removes what a killed one has left, and nothing else", async () => {
    const left = `.backup.${2 ** 22 + 1}.partial`;
    const names = [left, `.backup.${process.ppid}.partial`, `.other.${2 ** 22 + 1}.partial`, ".backup.partial"];
    for (const name of names) mkdirSync(sample.at(name));
    await backUp();
    expect(readdirSync(sample.root).toSorted()).toEqual([...names.slice(1), "backup", "data"].toSorted());
  });

  test("is made in an empty folder that is there, a volume for example", async () => {
    mkdirSync(sample.at("backup", "lost+found"), { recursive: true });
    mkdirSync(sample.at("backup", `unfinished.${2 ** 22 + 1}.partial`));
    await backUp();
    expect(readdirSync(sample.at("backup")).toSorted()).toEqual(
      ["api-key.secret", "backup.json", "files", "lost+found", "recordings", "records.sqlite", "signing.secret"],
    ); // prettier-ignore
    expect(statSync(sample.at("backup")).mode & 0o777).toBe(0o700);
  });
});

describe("a restored folder", () => {
  beforeEach(() => {
    sample[Symbol.dispose]();
    sample = new SampleFolder(samples.backedUp);
  });

  test("is as it was, for its owner alone, and the backup stays as it is", async () => {
    const before = listTree(sample.at("backup"));
    expect(await restore()).toMatchObject({ records: { sessions: 3 }, data: sample.at("restored") });
    const files = before.filter((path) => !path.includes("backup.json"));
    expect(listTree(sample.at("restored"))).toEqual(files.map((path) => path.replace(/^755/u, "700")));
    for (const path of ["api-key.secret", "recordings/finished/replay/000.ts", "files/kept/finished/there"])
      expect(readFileSync(sample.at("restored", path))).toEqual(readFileSync(join(sample.folder.path, path)));
    expect(listTree(sample.at("backup"))).toEqual(before);
  });

  test.each<[string, () => void, RegExp]>([
    ["without a file", () => rmSync(at("signing.secret")), /signing\.secret is missing/],
    ["without several", () => rmSync(at("recordings"), { recursive: true }), /is missing, and 4 more/],
    ["with another file", () => writeFileSync(at("files/more"), ""), /"files\/more" is not named in backup\.json/],
    ["with other bytes", () => replaceText(at("recordings/finished/replay/000.ts"), () => "A segment"), /was altered/],
    ["with fewer bytes", () => truncateSync(at("recordings/finished/replay/000.ts"), 3), /has 3 bytes in place of 9/],
    [
      "with other records",
      () => replaceText(at("records.sqlite"), (text) => text.replace("f", "g")),
      /records\.sqlite/,
    ],
    [
      "with a link in place of a file",
      () => (renameSync(at("api-key.secret"), sample.at("key")), symlinkSync(sample.at("key"), at("api-key.secret"))),
      /"api-key\.secret" is no regular file/,
    ],
    [
      "with a link in place of a folder",
      () => (renameSync(at("recordings"), sample.at("r")), symlinkSync(sample.at("r"), at("recordings"))),
      /"recordings" is no regular file/,
    ],
    [
      "with a path out of it",
      () => replaceText(at("backup.json"), (text) => text.replace('"api-key.secret"', '"../data/api-key.secret"')),
      /names a file that does not belong to a data folder: "\.\.\/data/,
    ],
    ["with half a manifest", () => replaceText(at("backup.json"), (text) => text.slice(0, 300)), /it is no JSON/],
    [
      "with a link in place of the manifest",
      () => (renameSync(at("backup.json"), sample.at("m")), symlinkSync(sample.at("m"), at("backup.json"))),
      /backup\.json is no regular file/,
    ],
  ])("is not made of a backup %s", async (_, spoil, why) => {
    spoil();
    const before = readdirSync(sample.root);
    await expect(restore()).rejects.toEqual(refused(why));
    expect(readdirSync(sample.root)).toEqual(before);
  });

  test("is not made of what is no backup: one whose manifest is missing, and a data folder", async () => {
    rmSync(at("backup.json"));
    for (const path of [sample.at("backup"), sample.folder.path, sample.at("nowhere")])
      await expect(restore(path)).rejects.toEqual(refused(/is no backup: it has no backup\.json/, "usage"));
  });

  test("is not made of records of a newer version", async () => {
    const database = sample.open();
    database.exec("PRAGMA user_version = 1000");
    database.close();
    await backUp(sample.at("newer"));
    await expect(restore(sample.at("newer"))).rejects.toEqual(refused(/newer version of the service/));
  });

  test("is made nowhere but in a new or an empty folder", async () => {
    mkdirSync(sample.at("restored"));
    await restore();
    await expect(restore()).rejects.toEqual(refused(/is not empty/, "usage"));
    await expect(restore(sample.at("backup"), sample.folder.path)).rejects.toEqual(refused(/is not empty/, "usage"));
  });

  test("of which only a part is there is not started on", async () => {
    mkdirSync(sample.at("half", "unfinished.7.partial"), { recursive: true });
    expect(() => new DataFolder(sample.at("half")).make()).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

test("the commands print what was done, for people and as JSON, and no key", async () => {
  const data = ["--data", sample.folder.path];
  const ended = await runHere(["backup", sample.at("b"), ...data]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout).toMatch(/The backup is made: .*3 sessions, 0 runs.*It does not hold:\n {2}- settings/s);
  const restored = await runHere(["restore", sample.at("b"), "--data", sample.at("r"), "--json"]);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(restored.stdout)).toMatchObject({ data: sample.at("r"), files: 9, records: { sessions: 3 } });
  const again = await runHere(["restore", sample.at("b"), "--data", sample.at("r")]);
  expect(again).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("is not empty") });
  writeFileSync(sample.at("b", "api-key.secret"), "");
  const altered = await runHere(["restore", sample.at("b"), "--data", sample.at("r2")]);
  expect(altered).toMatchObject({ code: 3, stderr: expect.stringContaining("has 0 bytes in place of") });
  expect(await runHere(["backup"])).toMatchObject({ code: 2 });
  for (const { stdout, stderr } of [ended, restored, again, altered]) expect(stdout + stderr).not.toContain(sampleKey);
});
