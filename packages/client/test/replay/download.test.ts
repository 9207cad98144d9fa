import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ClientError } from "../../src/errors/client-error.ts";
import { downloadReplay, type DownloadOptions } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { passAnHour } from "./pass-an-hour.ts";
import { getBytes, getContent, readOutcome, startReplayHost, type Fault, type HostOptions } from "./replay-host.ts";
import { contents, quick, video } from "./replay-video.ts";

let [folder, path] = ["", ""];
beforeEach(async () => {
  folder = await makeOwnFolder();
  path = join(folder, "replay.mp4");
});

const other = getContent("other", 250_000);
const short = getContent("short", 50_000);
const sameSize = getContent("same size", 300_000);
const noValidator = { etag: undefined, "last-modified": undefined };

/** A stream that keeps what it is given, and how it ended. */
function createCollector() {
  const chunks: Uint8Array[] = [];
  const ends: string[] = [];
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => void chunks.push(chunk),
    close: () => void ends.push("closed"),
    abort: () => void ends.push("aborted"),
  });
  return { stream, ends, bytes: () => Buffer.concat(chunks) };
}

interface Row {
  readonly name: string;
  readonly faults?: (Fault | undefined)[];
  readonly always?: Fault;
  readonly options?: DownloadOptions;
  readonly replay?: HostOptions["replay"];
  /** What a file has in the end. Default: the video. */
  readonly file?: Buffer;
  /** Status of every request for the file; 0 is no answer. */
  readonly statuses: number[];
  readonly resumes?: number;
  readonly refreshes?: number;
  /** Whether a stream fails, as what it has can't be taken back. */
  readonly streamFails?: boolean;
}
const mended: Row[] = [
  { name: "no fault", statuses: [200] },
  { name: "a cut", faults: [{ cutAfter: 100_000 }], statuses: [200, 206], resumes: 1 },
  { name: "a cut before the first byte", faults: [{ cutAfter: 0 }], statuses: [200, 200] },
  { name: "a cut before the answer", faults: [{ reset: true }], statuses: [0, 200] },
  {
    name: "seven cuts, each after some progress",
    faults: Array.from({ length: 7 }, (_, at) => ({ cutAfter: 10_000 + at })),
    statuses: [200, 206, 206, 206, 206, 206, 206, 206],
    resumes: 7,
  },
  {
    name: "a stall",
    faults: [{ stallAfter: 100_000 }],
    options: { stallMs: 2_000 },
    statuses: [200, 206],
    resumes: 1,
  },
  { name: "no answer at all", faults: [{ silent: true }], options: { stallMs: 2_000 }, statuses: [0, 200] },
  {
    name: "overload",
    faults: [{ status: 503 }, { cutAfter: 100_000 }, { status: 500 }, { status: 429 }, { status: 408 }],
    statuses: [503, 200, 500, 429, 408, 206],
    resumes: 1,
  },
  {
    name: "an address that expired before the first request",
    faults: [{ expire: true }],
    statuses: [403, 200],
    refreshes: 1,
  },
  {
    name: "an address that expired after a cut",
    faults: [{ cutAfter: 100_000 }, { expire: true }],
    statuses: [200, 403, 206],
    resumes: 1,
    refreshes: 1,
  },
  {
    name: "addresses that expire again and again",
    faults: [{ expire: true }, { cutAfter: 100_000 }, { expire: true }, { expire: true }],
    statuses: [403, 200, 403, 403, 206],
    resumes: 1,
    refreshes: 3,
  },
  ...[400, 401, 404, 410].map((status) => ({
    name: `a refusal with ${status}`,
    faults: [{ status }],
    statuses: [status, 200],
    refreshes: 1,
  })),
  {
    name: "statuses of the caller's own",
    faults: [{ status: 418 }],
    options: { refreshStatuses: [418] },
    statuses: [418, 200],
    refreshes: 1,
  },
  {
    name: "expires_at that is no date",
    faults: [{ cutAfter: 1 }],
    replay: () => ({ expires_at: "soon" }),
    statuses: [200, 206],
    resumes: 1,
  },
  { name: "expires_at that is missing", replay: () => ({ expires_at: null }), statuses: [200] },
  { name: "expires_at that is no text", replay: () => ({ expires_at: { toString: 0 } }), statuses: [200] },
  {
    name: "expires_at that was past when the replay came",
    faults: [{ cutAfter: 1 }, { cutAfter: 1 }],
    replay: () => ({ expires_at: "2020-01-01T00:00:00+00:00" }),
    statuses: [200, 206, 206],
    resumes: 2,
  },
  {
    name: "expires_at that comes within the skew of the caller's own",
    faults: [{ cutAfter: 1 }],
    replay: () => ({ expires_at: new Date(Date.now() + 1_800_000).toISOString() }),
    options: { expirySkewMs: 0, onProgress: passAnHour },
    statuses: [200, 206],
    resumes: 1,
    refreshes: 1,
  },
  {
    name: "a host without ranges",
    faults: [{ cutAfter: 100_000 }],
    always: { ignoreRange: true },
    statuses: [200, 200],
    resumes: 1,
  },
  {
    name: "no validator",
    faults: [{ cutAfter: 100_000 }],
    always: { headers: noValidator },
    statuses: [200, 200],
    streamFails: true,
  },
  {
    name: "no validator but a date",
    faults: [{ cutAfter: 100_000 }],
    always: { headers: { etag: undefined } },
    statuses: [200, 206],
    resumes: 1,
  },
  {
    name: "a date that only the first answer has",
    faults: [
      { cutAfter: 100_000, headers: { etag: undefined } },
      { ignoreIfRange: true, headers: { etag: 'W/"weak"', "last-modified": undefined } },
    ],
    statuses: [200, 206],
    resumes: 1,
  },
  {
    name: "no validator but a date that is as new as the answer",
    faults: [{ cutAfter: 100_000 }],
    always: { headers: { etag: undefined, date: "Wed, 18 Nov 2026 10:00:00 GMT" } },
    statuses: [200, 200],
    streamFails: true,
  },
  {
    name: "a weak validator and no date",
    faults: [{ cutAfter: 100_000 }],
    always: { headers: { etag: 'W/"weak"', "last-modified": undefined } },
    statuses: [200, 200],
    streamFails: true,
  },
  {
    name: "other content after a cut",
    faults: [{ cutAfter: 100_000 }, { swap: other }],
    file: getBytes(other),
    statuses: [200, 200],
    streamFails: true,
  },
  {
    name: "other content after a cut and an expiry",
    faults: [{ cutAfter: 100_000 }, { expire: true, swap: other }],
    file: getBytes(other),
    statuses: [200, 403, 200],
    refreshes: 1,
    streamFails: true,
  },
  {
    name: "other content that is shorter than what there is",
    faults: [{ cutAfter: 100_000 }, { swap: short }],
    file: getBytes(short),
    statuses: [200, 200],
    streamFails: true,
  },
  {
    name: "other content of the same size",
    faults: [{ cutAfter: 100_000 }, { swap: sameSize }],
    file: getBytes(sameSize),
    statuses: [200, 200],
    streamFails: true,
  },
  {
    name: "other content that a host without If-Range sends a part of",
    faults: [{ cutAfter: 100_000 }, { swap: other, ignoreIfRange: true }],
    file: getBytes(other),
    statuses: [200, 206, 200],
    streamFails: true,
  },
  {
    name: "other content of the same size that a host without If-Range sends a part of",
    faults: [{ cutAfter: 100_000 }, { swap: sameSize, ignoreIfRange: true }],
    file: getBytes(sameSize),
    statuses: [200, 206, 200],
    streamFails: true,
  },
  {
    name: "a part of a file of another size",
    faults: [{ cutAfter: 100_000 }, { contentRange: (start) => `bytes ${start}-299999/300001` }],
    statuses: [200, 206, 200],
    streamFails: true,
  },
  {
    name: "a part that begins elsewhere",
    faults: [{ cutAfter: 100_000 }, { contentRange: (start) => `bytes ${start - 1}-299999/300000` }],
    statuses: [200, 206, 206],
    resumes: 1,
  },
  {
    name: "a range without its offset",
    faults: [{ cutAfter: 100_000 }, { contentRange: () => "lines 1-2/3" }],
    statuses: [200, 206, 206],
    resumes: 1,
  },
  {
    name: "a part of a file of unknown size",
    faults: [{ cutAfter: 100_000 }, { contentRange: (start) => `bytes ${start}-299999/*` }],
    statuses: [200, 206],
    resumes: 1,
  },
  {
    name: "a part that is longer than the rest",
    faults: [{ cutAfter: 100_000 }, { sendMore: 10, contentRange: (start) => `bytes ${start}-299999/300000` }],
    statuses: [200, 206, 200],
    streamFails: true,
    resumes: 1,
  },
  {
    name: "a part without a length, and a cut after its last byte",
    faults: [{ cutAfter: 100_000 }, { chunked: true, cutAfter: 300_000, lingerMs: 1000 }],
    statuses: [200, 206],
    resumes: 1,
  },
  { name: "no length", always: { chunked: true }, statuses: [200] },
  {
    name: "no length, and a cut",
    always: { chunked: true },
    faults: [{ cutAfter: 100_000 }],
    statuses: [200, 206],
    resumes: 1,
  },
  {
    name: "no length, and a cut after the last byte",
    faults: [{ chunked: true, cutAfter: 300_000, lingerMs: 1000 }],
    statuses: [200, 416],
  },
  { name: "compression", always: { gzip: true }, statuses: [200] },
  {
    name: "compression of unknown length, and a cut",
    // What is unpacked comes from a thread, and nobody tells when.
    faults: [{ gzip: true, cutAfter: 100_000, chunked: true, lingerMs: 1_000 }, { gzip: true }],
    statuses: [200, 200],
    resumes: 1,
  },
  {
    name: "compression that ends with the cut",
    // What is unpacked comes from a thread, and nobody tells when.
    faults: [{ gzip: true, cutAfter: 100_000, lingerMs: 1_000 }],
    statuses: [200, 200],
    streamFails: true,
  },
];

test.for(mended)("a file is whole: $name", async (row) => {
  const { faults = [], always = {}, options, replay, file = getBytes(video), statuses } = row;
  await using host = await startReplayHost({ contents, always, ...(replay && { replay }) });
  host.faults.push(...faults);
  const result = await downloadReplay(host.client, "s1", path, { ...quick, ...options });
  expect((await readFile(path)).equals(file)).toBe(true);
  expect(await readdir(folder)).toEqual(["replay.mp4"]);
  expect(result).toMatchObject({ bytes: file.length, resumes: row.resumes ?? 0, refreshes: row.refreshes ?? 0 });
  expect(result.replay.mp4_url).toContain(host.files.at(-1)?.search);
  expect(host.files.map(({ status }) => status)).toEqual(statuses);
  // With a range, the fetch of Node.js says it twice.
  const encodings = host.files.map(({ headers }) => headers["accept-encoding"]).join();
  expect(encodings).toMatch(/^(identity, \*;q=0(, identity)?(,|$))+$/);
  expect(host.files.every(({ headers }) => !headers.authorization && !headers.cookie && !headers.referer)).toBe(true);
  expect(host.replays.every(({ headers }) => headers.authorization)).toBe(true);
});

test.for(mended)("a stream is whole, or fails: $name", async (row) => {
  const { faults = [], always = {}, options, replay } = row;
  await using host = await startReplayHost({ contents, always, ...(replay && { replay }) });
  host.faults.push(...faults);
  const { stream, ends, bytes } = createCollector();
  const outcome = await readOutcome(downloadReplay(host.client, "s1", stream, { ...quick, ...options }));
  const [code, isWhole] = [outcome instanceof ClientError ? outcome.code : undefined, bytes().equals(getBytes(video))];
  const want = row.streamFails ? ["download", ["aborted"], false] : [undefined, ["closed"], true];
  expect([code, ends, isWhole]).toEqual(want);
  expect(stream.locked).toBe(false);
});
