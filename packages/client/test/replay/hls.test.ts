import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { downloadHls, parsePlaylist, type HlsOptions, type HlsProgress } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { apiKey, getBytes, canary, getContent, readOutcome, type Fault } from "./replay-host.ts";
import { contents, readFiles, head, plain, quick, start } from "./replay-segments.ts";

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await makeOwnFolder();
  folder = join(parent, "hls");
});

const getFile = (name: string): Buffer => getBytes(contents[name] ?? getContent("", 0));

interface Row {
  readonly name: string;
  readonly faults?: (Fault | undefined)[];
  readonly always?: Fault;
  readonly options?: HlsOptions;
  readonly want?: object;
}
const mended: Row[] = [
  { name: "no fault", want: { refreshes: 0, resumes: 0, segmentCount: 12 } },
  { name: "one at a time", options: { concurrency: 1 } },
  { name: "more at a time than there are", options: { concurrency: 99 } },
  {
    name: "cuts, stalls and overload",
    faults: [{ cutAfter: 1000 }, { stallAfter: 1000 }, { status: 503 }, { reset: true }, undefined, { cutAfter: 1000 }],
    options: { stallMs: 2_000 },
  },
  { name: "an expiry before the first one", faults: [{ expire: true }], want: { refreshes: 1 } },
  {
    name: "an expiry that all meet at once",
    faults: [undefined, undefined, { expire: true }],
    options: { concurrency: 8 },
  },
  {
    name: "an expiry within a segment",
    faults: [{ cutAfter: 1000 }, { expire: true }],
    options: { concurrency: 1 },
    want: { refreshes: 1, resumes: 1 },
  },
  { name: "no ranges", always: { ignoreRange: true }, faults: [{ cutAfter: 1000 }] },
  { name: "no validators", always: { headers: { etag: undefined } }, faults: [{ cutAfter: 1000 }] },
];
test.for(mended)("all segments are whole, and the playlist finds them: $name", async (row) => {
  const { faults = [], always, options, want = {} } = row;
  await using host = await start(plain, always);
  host.faults.push(...faults);
  const result = await downloadHls(host.client, "s1", folder, { ...quick, ...options });
  expect(result).toMatchObject({ playlistPath: join(folder, "playlist.m3u8"), segmentCount: 12, ...want });
  const { "playlist.m3u8": playlist, ...files } = await readFiles(folder);
  const names = Array.from({ length: 12 }, (_, at) => `segment-${String(at + 1).padStart(5, "0")}.ts`);
  expect(Object.keys(files)).toEqual(names);
  expect(names.every((name, at) => files[name]?.equals(getFile(`s${at}.ts`)))).toBe(true);
  expect(result.bytes).toBe(names.reduce((sum, name) => sum + (files[name]?.length ?? 0), 0));
  expect(String(playlist)).toBe(
    [
      "#EXTM3U",
      "#EXT-X-VERSION:7",
      "#EXT-X-TARGETDURATION:5",
      "#EXT-X-MEDIA-SEQUENCE:3",
      "#EXT-X-PLAYLIST-TYPE:VOD",
      ...names.flatMap((name) => ["#EXTINF:4.5,", name]),
      "#EXT-X-ENDLIST",
      "",
    ].join("\n"),
  );
  expect(await readdir(parent)).toEqual(["hls"]);
  expect(host.files.every(({ headers }) => !JSON.stringify(headers).includes(apiKey))).toBe(true);
});

test("asks for no more files at once than it may", async () => {
  await using host = await start(plain, { silent: true });
  const failing = readOutcome(downloadHls(host.client, "s1", folder, { ...quick, stallMs: 2_000, maxAttempts: 1 }));
  await failing;
  expect(host.files.length).toBe(4);
});

test("asks once for a new replay when many are refused at once", async () => {
  await using host = await start();
  const replay = await host.client.replay("s1");
  host.expire();
  const result = await downloadHls(host.client, "s1", folder, { ...quick, replay, concurrency: 12 });
  expect(result.refreshes).toBe(1);
  expect(host.replays.length).toBe(2);
});

test("makes files of parts, maps and keys", async () => {
  await using host = await start((sign) =>
    [
      ...head,
      `#EXT-X-MAP:URI="${sign("init.mp4")}"`,
      "#EXT-X-DISCONTINUITY",
      "#EXTINF:4,",
      "#EXT-X-BYTERANGE:100000@1000",
      sign("all.mp4"),
      `#EXT-X-KEY:METHOD=AES-128,URI="${sign("key.bin")}",IV=0x0F`,
      `#EXT-X-MAP:URI="${sign("all.mp4")}",BYTERANGE="600@0"`,
      "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:30:00Z",
      "#EXTINF:4.000,",
      "#EXT-X-BYTERANGE:50@20",
      sign("all.mp4"),
      "#EXT-X-KEY:METHOD=NONE",
      "#EXTINF:0.1234567,",
      sign("s0.ts"),
    ].join("\n"),
  );
  host.faults.push({ cutAfter: 500 });
  const reported: HlsProgress[] = [];
  await downloadHls(host.client, "s1", folder, { ...quick, concurrency: 1, onProgress: (each) => reported.push(each) });
  expect(reported.at(-1)).toMatchObject({ segmentsDone: 3, segmentCount: 3 });
  const { "playlist.m3u8": playlist, ...files } = await readFiles(folder);
  expect(files).toEqual({
    "key-00001.key": getFile("key.bin"),
    "map-00001.mp4": getFile("init.mp4"),
    "map-00002.mp4": getFile("all.mp4").subarray(0, 600),
    "segment-00001.mp4": getFile("all.mp4").subarray(1000, 101_000),
    "segment-00002.mp4": getFile("all.mp4").subarray(20, 70),
    "segment-00003.ts": getFile("s0.ts"),
  });
  expect(String(playlist).split("\n")).toEqual([
    ...head,
    "#EXT-X-PLAYLIST-TYPE:VOD",
    "#EXT-X-DISCONTINUITY",
    '#EXT-X-MAP:URI="map-00001.mp4"',
    "#EXTINF:4,",
    "segment-00001.mp4",
    '#EXT-X-KEY:METHOD=AES-128,URI="key-00001.key",IV=0x0F',
    '#EXT-X-MAP:URI="map-00002.mp4"',
    "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:30:00Z",
    "#EXTINF:4,",
    "segment-00002.mp4",
    "#EXT-X-KEY:METHOD=NONE",
    "#EXTINF:0.123457,",
    "segment-00003.ts",
    "#EXT-X-ENDLIST",
    "",
  ]);
  expect(host.files.some(({ headers }) => headers.range === "bytes=1000-100999")).toBe(true);
});

test.for([
  { time: "2026-11-21T09:30:00.000Z", fine: true },
  { time: "2026-11-21T09:30:00,5+01:00", fine: true },
  { time: "2026-11-21T09:30:00-0130", fine: true },
  { time: `http://x/?${canary}`, fine: false },
  { time: `2026-11-21T09:30:00Z ${canary}`, fine: false },
  { time: `${canary}2026-11-21T09:30:00Z`, fine: false },
])("leaves out a time that is none: $time", async ({ time, fine }) => {
  const line = `#EXT-X-PROGRAM-DATE-TIME:${time}`;
  await using host = await start((sign) => [...head, line, "#EXTINF:4,", sign("s0.ts")].join("\n"));
  const { playlistPath } = await downloadHls(host.client, "s1", folder, quick);
  const lines = (await readFile(playlistPath, "utf8")).split("\n");
  expect(lines.slice(5)).toEqual([...(fine ? [line] : []), "#EXTINF:4,", "segment-00001.ts", "#EXT-X-ENDLIST", ""]);
});

test("writes a map without key before a key", async () => {
  await using host = await start((sign) => {
    const key = `#EXT-X-KEY:METHOD=AES-128,URI="${sign("key.bin")}"`;
    const map = `#EXT-X-MAP:URI="${sign("init.mp4")}"`;
    return [
      ...head,
      key,
      "#EXTINF:4,",
      sign("s0.ts"),
      "#EXT-X-KEY:METHOD=NONE",
      map,
      key,
      "#EXTINF:4,",
      sign("s1.ts"),
    ].join("\n");
  });
  const { playlistPath } = await downloadHls(host.client, "s1", folder, quick);
  const { segments } = parsePlaylist(await readFile(playlistPath, "utf8"));
  const key = { method: "AES-128", uri: "key-00001.key" };
  expect(segments).toMatchObject([{ key }, { key, map: { uri: "map-00001.mp4" } }]);
  expect(segments[1]?.map?.key).toBeUndefined();
});

test("makes parts of files of what a host without ranges sends", async () => {
  const range = "#EXT-X-BYTERANGE:100000@1000";
  await using host = await start((sign) => [...head, "#EXTINF:4,", range, sign("all.mp4")].join("\n"), {
    ignoreRange: true,
  });
  await downloadHls(host.client, "s1", folder, quick);
  expect(await readFile(join(folder, "segment-00001.mp4"))).toEqual(getFile("all.mp4").subarray(1000, 101_000));
});

test.for([
  { path: "s0.ts", name: "segment-00001.ts" },
  { path: "S0.TS", name: "segment-00001.ts" },
  { path: "s0", name: "segment-00001.ts" },
  { path: "s0.toolong", name: "segment-00001.ts" },
  { path: "s0.t%2f", name: "segment-00001.ts" },
  { path: "..%2f..%2fevil.m4s", name: "segment-00001.m4s" },
  { path: "a/../../b.aac", name: "segment-00001.aac" },
])("takes nothing but a harmless extension from an address: $path", async ({ path, name }) => {
  await using host = await start((sign) => [...head, "#EXTINF:4,", sign(path)].join("\n"));
  await downloadHls(host.client, "s1", folder, { ...quick, fetch: async () => new Response("x") });
  expect(await readdir(folder)).toEqual(["playlist.m3u8", name]);
  expect(await readdir(parent)).toEqual(["hls"]);
});

test("reports progress without any URL", async () => {
  await using host = await start();
  host.faults.push({ cutAfter: 1000 }, { expire: true });
  const reported: HlsProgress[] = [];
  await downloadHls(host.client, "s1", folder, { ...quick, onProgress: (progress) => reported.push(progress) });
  const bytes = 12 * 200_000 + 66;
  expect(reported.at(-1)).toMatchObject({ receivedBytes: bytes, segmentsDone: 12, segmentCount: 12 });
  expect(JSON.stringify(reported)).not.toContain(canary);
});
