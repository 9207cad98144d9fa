import { mkdir, mkdtemp, readdir, readlink, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseRange } from "../src/serving/byte-range.ts";
import { serveFile, type ServableFile } from "../src/serving/serve-file.ts";

const content = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251));
let folder: string;
let file: ServableFile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-serving-"));
  const path = join(folder, "file");
  await writeFile(path, content);
  file = { path, size: content.length, type: "video/mp4", modifiedMs: (await stat(path)).mtimeMs };
});
afterAll(() => rm(folder, { recursive: true }));

const ask = (headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
  serveFile(new Request("http://127.0.0.1/file", { method, headers }), file);

describe("a range", () => {
  it.each<[string | null, number, ReturnType<typeof parseRange>]>([
    [null, 10, "all"],
    ["bytes=0-", 10, { first: 0, last: 9 }],
    ["bytes=0-0", 10, { first: 0, last: 0 }],
    ["bytes=2-5", 10, { first: 2, last: 5 }],
    ["bytes=2-500", 10, { first: 2, last: 9 }],
    ["bytes=9-9", 10, { first: 9, last: 9 }],
    ["bytes=-3", 10, { first: 7, last: 9 }],
    ["bytes=-30", 10, { first: 0, last: 9 }],
    ["Bytes = 2 - 5 ", 10, { first: 2, last: 5 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=10-12", 10, "unsatisfiable"],
    ["bytes=99999999999999999999-", 10, "unsatisfiable"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=5-2", 10, "all"],
    ["bytes=50-20", 10, "all"],
    ["bytes=-", 10, "all"],
    ["bytes=0-1,3-4", 10, "all"],
    ["bytes=a-b", 10, "all"],
    ["bytes=--1", 10, "all"],
    ["lines=0-1", 10, "all"],
    ["", 10, "all"],
  ])("%j of %i bytes is %j", (header, size, expected) => {
    expect(parseRange(header, size)).toEqual(expected);
  });
});

/** Number of open descriptors of the served file. Others come and go, as files of tests share a process. */
const openFiles = async (): Promise<number> => {
  const descriptors = await readdir("/proc/self/fd");
  const paths = await Promise.all(descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => "")));
  return paths.filter((path) => path === file.path).length;
};

describe("a file", () => {
  it("is served in full, with the headers that players need", async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "content-length": String(content.length),
      "content-type": "video/mp4",
      etag: expect.stringMatching(/^"[\w-]+"$/u),
      "last-modified": new Date(file.modifiedMs).toUTCString(),
    });
    expect(content.equals(await response.bytes())).toBe(true);
  });

  it("is served by range", async () => {
    const response = await ask({ range: "bytes=262000-600000" });
    expect([response.status, response.headers.get("content-range"), response.headers.get("content-length")]).toEqual([
      206,
      "bytes 262000-600000/700000",
      "338001",
    ]);
    expect(content.subarray(262_000, 600_001).equals(await response.bytes())).toBe(true);
  });

  it("does not have what lies behind its end", async () => {
    const response = await ask({ range: "bytes=700000-" });
    expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([
      416,
      "bytes */700000",
      "",
    ]);
  });

  it("answers HEAD with its headers only", async () => {
    const response = await ask({ range: "bytes=0-9" }, "HEAD");
    expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([
      200,
      "700000",
      "",
    ]);
  });

  it.each<[string, (tag: string, modified: string) => Record<string, string>, number]>([
    ["with its tag", (tag) => ({ "if-range": tag, range: "bytes=0-9" }), 206],
    ["with its date", (_, modified) => ({ "if-range": modified, range: "bytes=0-9" }), 206],
    ["with another tag", () => ({ "if-range": '"other"', range: "bytes=0-9" }), 200],
    ["with a weak tag", (tag) => ({ "if-range": `W/${tag}`, range: "bytes=0-9" }), 200],
    ["with another date", () => ({ "if-range": new Date(0).toUTCString(), range: "bytes=0-9" }), 200],
    ["that is known", (tag) => ({ "if-none-match": `"x", ${tag}` }), 304],
    ["that is known weakly", (tag) => ({ "if-none-match": `W/${tag}` }), 304],
    ["that is not known", () => ({ "if-none-match": '"x"' }), 200],
  ])("asked for %s", async (_, headers, status) => {
    const { headers: first } = await ask({}, "HEAD");
    const response = await ask(headers(first.get("etag") ?? "", first.get("last-modified") ?? ""));
    expect(response.status).toBe(status);
    await response.body?.cancel();
  });

  it("is closed when its reader disconnects, and not opened for HEAD", async () => {
    await vi.waitFor(async () => expect(await openFiles()).toBe(0), { timeout: 60_000 });
    const unread = await Promise.all(Array.from({ length: 50 }, () => ask()));
    await ask({}, "HEAD");
    // The first block was read before the answer.
    await vi.waitFor(async () => expect(await openFiles()).toBe(0), { timeout: 60_000 });
    const readers = unread.map((response) => response.body?.getReader());
    for (let blocks = 0; blocks < 2; blocks += 1) await Promise.all(readers.map(async (reader) => reader?.read()));
    expect(await openFiles()).toBe(50);
    await Promise.all(readers.map(async (reader) => reader?.cancel()));
    await vi.waitFor(async () => expect(await openFiles()).toBe(0), { timeout: 60_000 });
  });

  it("that becomes shorter while it is sent aborts the response", async () => {
    const path = join(folder, "short");
    await writeFile(path, content);
    const response = await serveFile(new Request("http://127.0.0.1/"), { ...file, path });
    await truncate(path, 300_000);
    await expect(response.bytes()).rejects.toThrow("shorter");
  });

  it.each([
    ["that is shorter", async (path: string) => writeFile(path, ""), "free disk space, or check the data folder"],
    ["that can't be read", async (path: string) => mkdir(path), "free disk space, or check the data folder"],
    [
      "that is gone",
      async () => undefined,
      "check that the data folder, its disk and the folder of temporary files are there",
    ],
  ])("%s is an error before the answer, and says what to do", async (what, make, advice) => {
    const path = join(folder, what);
    await make(path);
    const answer = serveFile(new Request("http://127.0.0.1/"), { ...file, path });
    await expect(answer).rejects.toMatchObject({
      code: "storage-failed",
      message: expect.stringMatching(new RegExp(`^the file can't be read: .+; ${advice}$`, "u")),
    });
  });
});
