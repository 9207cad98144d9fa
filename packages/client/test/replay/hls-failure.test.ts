import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { ClientError } from "../../src/errors/client-error.ts";
import { downloadHls, type HlsOptions } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { canary, readOutcome, showAll, type Fault } from "./replay-host.ts";
import { readFiles, head, getList, plain, quick, start, type Sign } from "./replay-segments.ts";
import { abortAfter } from "./timed-abort.ts";
import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await makeOwnFolder();
  folder = join(parent, "hls");
});

const changes: { name: string; fresh: (sign: Sign) => string; fine?: boolean }[] = [
  {
    name: "more segments at the end",
    fresh: (sign) => [...head, ...getList(sign), "#EXTINF:1,", sign("x.ts")].join("\n"),
    fine: true,
  },
  { name: "a segment less", fresh: (sign) => [...head, ...getList(sign, 11), "#EXT-X-ENDLIST"].join("\n") },
  { name: "other durations", fresh: (sign) => [...head, ...getList(sign, 12, 4), "#EXT-X-ENDLIST"].join("\n") },
  { name: "another first segment", fresh: (sign) => plain(sign).replace("MEDIA-SEQUENCE:3", "MEDIA-SEQUENCE:4") },
  { name: "parts in place of files", fresh: (sign) => plain(sign).replace("#EXTINF", "#EXT-X-BYTERANGE:5@0\n#EXTINF") },
  { name: "a map", fresh: (sign) => plain(sign).replace("#EXTINF", `#EXT-X-MAP:URI="${sign("init.mp4")}"\n#EXTINF`) },
];
test.for(changes)("resumes with a fresh playlist only if it has the same segments: $name", async ({ fresh, fine }) => {
  await using host = await start((sign, nth) => (nth === 1 ? plain(sign) : fresh(sign)));
  host.faults.push(undefined, { expire: true });
  const outcome = await readOutcome(downloadHls(host.client, "s1", folder, { ...quick, concurrency: 1 }));
  expect(outcome).toMatchObject(fine ? { segmentCount: 12, refreshes: 1 } : { code: "download" });
  expect(await readdir(parent)).toEqual(fine ? ["hls"] : []);
});

const failures: { name: string; playlist?: (sign: Sign) => unknown; always?: Fault; want: object }[] = [
  { name: "no playlist", playlist: () => null, want: { code: "replay-unavailable" } },
  { name: "an empty playlist", playlist: () => "", want: { code: "replay-unavailable" } },
  { name: "no segments", playlist: () => head.join("\n"), want: { code: "replay-unavailable" } },
  { name: "something else", playlist: (sign) => sign("x"), want: { code: "unexpected-content" } },
  ...[5, true, {}, { split: 1, toString: 1 }, [], [head.join("\n")]].map((playlist) => ({
    name: `${JSON.stringify(playlist)} in place of text`,
    playlist: () => playlist,
    want: { code: "unexpected-content" },
  })),
  {
    name: "an empty part",
    playlist: (sign) => [...head, "#EXTINF:1,", "#EXT-X-BYTERANGE:0@0", sign("all.mp4")].join("\n"),
    want: { code: "unexpected-content" },
  },
  ...["1", "0x", "0xfg", `0x1,URI=http://evil/?${canary}`, `0x${"0".repeat(33)}`].map((iv) => ({
    name: `the initialization vector ${JSON.stringify(iv)}`,
    playlist: (sign: Sign) =>
      [...head, `#EXT-X-KEY:METHOD=AES-128,URI="${sign("key.bin")}",IV="${iv}"`, "#EXTINF:1,", sign("s0.ts")].join(
        "\n",
      ),
    want: { code: "unexpected-content" },
  })),
  {
    name: "relative addresses",
    playlist: () => [...head, "#EXTINF:1,", canary].join("\n"),
    want: { code: "download", retryable: false },
  },
  {
    name: "a local file",
    playlist: () => [...head, "#EXTINF:1,", `file:///etc/passwd?${canary}`].join("\n"),
    want: { code: "download", retryable: false },
  },
  {
    name: "another encryption",
    playlist: (sign) =>
      [...head, `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="${sign("k")}"`, "#EXTINF:1,", sign("s0.ts")].join("\n"),
    want: { code: "download", retryable: false },
  },
  {
    name: "a key of another format",
    playlist: (sign) =>
      [...head, `#EXT-X-KEY:METHOD=AES-128,KEYFORMAT="x",URI="${sign("k")}"`, "#EXTINF:1,", sign("s0.ts")].join("\n"),
    want: { code: "download", retryable: false },
  },
  { name: "segments that are refused", always: { status: 403 }, want: { code: "download", status: 403 } },
  { name: "lost connections", always: { reset: true }, want: { code: "download" } },
  {
    name: "a part beyond the end",
    playlist: (sign) => [...head, "#EXTINF:1,", "#EXT-X-BYTERANGE:9@600000", sign("all.mp4")].join("\n"),
    want: { code: "download", status: 416 },
  },
  {
    name: "a part that ends beyond the end",
    playlist: (sign) => [...head, "#EXTINF:1,", "#EXT-X-BYTERANGE:9@499995", sign("all.mp4")].join("\n"),
    want: { code: "download" },
  },
];
test.for(failures)("fails, shows no address and leaves nothing behind: $name", async ({ playlist, always, want }) => {
  await using host = await start(playlist, always);
  const error = await readOutcome(downloadHls(host.client, "s1", folder, quick));
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject(want);
  expect(showAll(error)).not.toContain(canary);
  expect(await readdir(parent)).toEqual([]);
});

test("ends all downloads with the first that fails", async () => {
  await using host = await start();
  host.faults.push({ silent: true }, { silent: true }, { status: 418 }, { silent: true });
  const own = countOwnTime();
  const error = await readOutcome(downloadHls(host.client, "s1", folder, quick));
  expect(error).toMatchObject({ code: "download", status: 418 });
  expect(own()).toBeLessThan(2000);
  // Four are downloaded at a time; the fourth may not have been asked for yet. None is asked for afterwards.
  expect(host.files.length).toBeOneOf([3, 4]);
  expect(await readdir(parent)).toEqual([]);
});

test("ends at once when the signal aborts", async () => {
  await using host = await start(plain, { silent: true });
  const abort = abortAfter(100);
  const error = await readOutcome(downloadHls(host.client, "s1", folder, { signal: abort.signal }));
  expect(abort.sinceMs()).toBeLessThan(500);
  expect(error).toMatchObject({ code: "aborted", cause: abort.reason });
  expect(await readdir(parent)).toEqual([]);
});

test("sends nothing when the signal has aborted before", async () => {
  await using host = await start();
  const error = await readOutcome(downloadHls(host.client, "s1", folder, { signal: AbortSignal.abort() }));
  expect(error).toMatchObject({ code: "aborted" });
  expect([host.replays, await readdir(parent)]).toEqual([[], []]);
});

const folders: { name: string; there: string[]; overwrite?: boolean; fine?: boolean }[] = [
  { name: "an empty folder", there: [], fine: true },
  { name: "something in it", there: ["segment-00001.ts"] },
  {
    name: "an earlier download that may be replaced",
    there: ["segment-00099.ts", "playlist.m3u8"],
    overwrite: true,
    fine: true,
  },
  { name: "something else that may not be replaced", there: ["playlist.m3u8", "thesis.doc"], overwrite: true },
];
test.for(folders)("replaces nothing but what it may: $name", async ({ there, overwrite, fine }) => {
  await using host = await start();
  await mkdir(folder);
  await Promise.all(there.map((name) => writeFile(join(folder, name), "before")));
  const outcome = await readOutcome(
    downloadHls(host.client, "s1", pathToFileURL(`${folder}/`), { ...quick, overwrite }),
  );
  expect(outcome).toMatchObject(fine ? { segmentCount: 12 } : { code: "misuse" });
  const now = await readFiles(folder);
  expect(Object.keys(now).length).toBe(fine ? 13 : there.length);
  expect(Object.values(now).some((bytes) => String(bytes) === "before")).toBe(!fine);
  expect(await readdir(parent)).toEqual(["hls"]);
  expect(host.replays.length).toBe(fine ? 1 : 0);
});

test("leaves an earlier download as it was when the new one fails", async () => {
  await using host = await start();
  await downloadHls(host.client, "s1", folder, quick);
  const before = await readFiles(folder);
  host.faults.push(undefined, undefined, { status: 418 });
  await readOutcome(downloadHls(host.client, "s1", folder, { ...quick, overwrite: true }));
  expect(await readFiles(folder)).toEqual(before);
  expect(await readdir(parent)).toEqual(["hls"]);
});

const misuses: { name: string; target?: () => string | URL; options?: HlsOptions }[] = [
  { name: "nothing at once", options: { concurrency: 0 } },
  { name: "a concurrency that is no number", options: { concurrency: NaN } },
  { name: "no attempts", options: { maxAttempts: 0 } },
  { name: "a folder in one that is not there", target: () => join(folder, "x") },
  { name: "a URL that is no folder", target: () => new URL("https://files.example/x") },
];
test.for(misuses)("sends nothing and calls it misuse: $name", async ({ target, options }) => {
  await using host = await start();
  const error = await readOutcome(downloadHls(host.client, "s1", target?.() ?? folder, { ...quick, ...options }));
  expect(error).toMatchObject({ code: "misuse" });
  expect([host.replays, await readdir(parent)]).toEqual([[], []]);
});

test("calls a file in the place of the folder misuse", async () => {
  await using host = await start();
  await writeFile(folder, "before");
  expect(await readOutcome(downloadHls(host.client, "s1", folder, quick))).toMatchObject({ code: "misuse" });
  expect(await readFile(folder, "utf8")).toBe("before");
});

test("ends with what a hook throws", async () => {
  await using host = await start();
  const thrown = new Error("mine");
  const onProgress = (): never => {
    throw thrown;
  };
  expect(await readOutcome(downloadHls(host.client, "s1", folder, { onProgress }))).toBe(thrown);
  expect(await readdir(parent)).toEqual([]);
});
