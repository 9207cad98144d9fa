import { expect, test } from "vitest";
import { isBackupPath, parseManifest, writeManifest, type Manifest } from "../../src/backup/manifest.ts";

const file = (path: string) => ({ path, size: 1, sha256: "0".repeat(64) });
const about = { version: "1.0.0", schema: 14, created_at: "2030-01-01T00:00:00.000Z" };
const write = (...files: readonly unknown[]): string =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is wrong is written as well
  writeManifest({ ...about, files: [file("records.sqlite"), ...files] as Manifest["files"] });

test("a manifest that was written is read", () => {
  expect(parseManifest(write(file("recordings/a/replay/0.ts")))).toEqual({
    format: 1,
    ...about,
    files: [file("records.sqlite"), file("recordings/a/replay/0.ts")],
  });
});

test.each([
  ["no JSON", "{", /it is no JSON/],
  ["another thing", "[]", /it is damaged at its beginning/],
  ["a newer form", JSON.stringify({ format: 2 }), /newer version of the service/],
  ["another form", JSON.stringify({ format: "1", ...about, files: [] }), /damaged at format/],
  ["no files", JSON.stringify({ format: 1, ...about }), /damaged at files/],
  ["no records", JSON.stringify({ format: 1, ...about, files: [] }), /does not name records\.sqlite/],
  ["a file twice", write(file("api-key.secret"), file("api-key.secret")), /names api-key\.secret twice/],
  ["a size that is none", write({ ...file("api-key.secret"), size: -1 }), /damaged at files\.1\.size/],
  ["a hash that is none", write({ ...file("api-key.secret"), sha256: "xyz" }), /damaged at files\.1\.sha256/],
])("%s is refused", (_, text, why) => {
  expect(() => parseManifest(text)).toThrow(expect.objectContaining({ code: "backup-failed" }));
  expect(() => parseManifest(text)).toThrow(why);
});

test.each([
  "../records.sqlite",
  "/etc/passwd",
  "recordings/../../x/y",
  "recordings/a/../../../x",
  "recordings/a/./x",
  "recordings/a/.hidden",
  String.raw`recordings\a\x`,
  "recordings/a/x\0",
  "recordings/a/x\n",
  "recordings//x",
  "recordings/a/",
  "files/kept/a",
  "files/kept/../b",
  "files/arriving/a/b",
  "service.json",
  "lease.json",
  "",
  "\u001b[2J",
])("the path %j is none of a backup", (path) => {
  expect(isBackupPath(path)).toBe(false);
  expect(() => parseManifest(write(file(path)))).toThrow(expect.objectContaining({ code: "backup-failed" }));
});
