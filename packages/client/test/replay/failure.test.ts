import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ClientError } from "../../src/errors/client-error.ts";
import { downloadReplay, type DownloadOptions } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import {
  getBytes,
  canary,
  readOutcome,
  showAll,
  startReplayHost,
  type Fault,
  type HostOptions,
} from "./replay-host.ts";
import { contents, quick, video } from "./replay-video.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await makeOwnFolder();
  path = join(folder, "replay.mp4");
});

interface Row {
  readonly name: string;
  readonly always?: Fault;
  readonly faults?: (Fault | undefined)[];
  readonly options?: DownloadOptions;
  readonly replay?: HostOptions["replay"];
  readonly want: object;
  /** How many requests for the file there were. */
  readonly requests: number;
}
const address = `/files/video.mp4?X-Amz-Signature=${canary}`;
/** Not tried again. */
const unusable = { code: "download", retryable: false };
const rows: Row[] = [
  {
    name: "refusals for ever",
    always: { status: 403 },
    want: { code: "download", status: 403, attempts: 5 },
    requests: 5,
  },
  {
    name: "overload for ever",
    always: { status: 503 },
    want: { code: "download", status: 503, attempts: 5 },
    requests: 5,
  },
  {
    name: "fewer attempts",
    always: { status: 503 },
    options: { maxAttempts: 2 },
    want: { code: "download", status: 503, attempts: 2, retryable: true },
    requests: 2,
  },
  {
    name: "a status that can't pass",
    always: { status: 418 },
    want: { code: "download", status: 418, retryable: false },
    requests: 1,
  },
  { name: "no content at all", always: { status: 204 }, want: { code: "download", status: 204 }, requests: 1 },
  {
    name: "connections that are lost for ever",
    always: { reset: true },
    want: { code: "download", cause: { name: "TypeError", code: "UND_ERR_SOCKET" } },
    requests: 5,
  },
  {
    name: "cuts at the same place for ever",
    always: { ignoreRange: true, cutAfter: 1000 },
    want: { code: "download", attempts: 6 },
    requests: 6,
  },
  {
    name: "silence for ever",
    always: { silent: true },
    options: { stallMs: 500, maxAttempts: 2 },
    want: { code: "download", cause: { code: "timeout" } },
    requests: 2,
  },
  {
    name: "a length that is announced too large for ever",
    always: { announceMore: 10, lingerMs: 150 }, // else a busy machine loses bytes that it has not read, and reads them anew
    want: { code: "download" },
    requests: 6,
  },
  {
    name: "parts that begin elsewhere for ever",
    always: { contentRange: () => "bytes 5-9/300000" },
    faults: [{ cutAfter: 1000 }],
    want: { code: "download", status: 206 },
    requests: 6,
  },
  { name: "no video", replay: () => ({ mp4_url: null }), want: { code: "replay-unavailable" }, requests: 0 },
  { name: "an empty address", replay: () => ({ mp4_url: "" }), want: { code: "replay-unavailable" }, requests: 0 },
  { name: "a relative address", replay: () => ({ mp4_url: address }), want: unusable, requests: 0 },
  { name: "an address that is none", replay: () => ({ mp4_url: `http://[${canary}` }), want: unusable, requests: 0 },
  {
    name: "an address of a local file",
    replay: () => ({ mp4_url: `file:///etc/passwd?${canary}` }),
    want: unusable,
    requests: 0,
  },
  {
    name: "an address with data",
    replay: () => ({ mp4_url: `data:text/plain,${canary}` }),
    want: unusable,
    requests: 0,
  },
  {
    name: "an address with credentials",
    replay: () => ({ mp4_url: `http://user:${canary}@127.0.0.1:1/` }),
    want: unusable,
    requests: 0,
  },
  {
    name: "an address in the clear",
    replay: () => ({ mp4_url: `http://files.example${address}` }),
    want: unusable,
    requests: 0,
  },
  {
    name: "an address in the clear with a name that only looks local",
    replay: () => ({ mp4_url: `http://notlocalhost${address}` }),
    want: unusable,
    requests: 0,
  },
  {
    name: "an address in the clear that only looks local",
    replay: () => ({ mp4_url: `http://127.0.0.1.example${address}` }),
    want: unusable,
    requests: 0,
  },
  {
    name: "a host that is not there",
    replay: () => ({ mp4_url: `http://127.0.0.1:2${address}` }),
    want: { code: "download", attempts: 5, cause: { code: "ECONNREFUSED" } },
    requests: 0,
  },
  { name: "redirects for ever", always: { location: address }, want: unusable, requests: 6 },
  {
    name: "a redirect to another protocol",
    always: { location: `ftp://files.example${address}` },
    want: unusable,
    requests: 1,
  },
  {
    name: "a redirect to another machine in the clear",
    always: { location: `http://files.example${address}` },
    want: unusable,
    requests: 1,
  },
  {
    name: "a fetch that quotes the address",
    options: {
      fetch(target) {
        const cause = Object.assign(new Error(target), { code: target, address: target });
        throw Object.assign(new TypeError(`Failed to parse URL from ${target}`, { cause }), {
          name: target,
          input: target,
        });
      },
    },
    want: { code: "download", attempts: 5 },
    requests: 0,
  },
  {
    name: "a fetch that throws an address",
    options: { fetch: (target) => Promise.reject(target) },
    want: { code: "download", attempts: 5 },
    requests: 0,
  },
];

test.for(rows)("fails, shows no address and leaves nothing behind: $name", async (row) => {
  const { always = {}, faults = [], replay, options, want, requests } = row;
  await using host = await startReplayHost({ contents, always, ...(replay && { replay }) });
  host.faults.push(...faults);
  const error = await readOutcome(downloadReplay(host.client, "s1", path, { ...quick, ...options }));
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject(want);
  expect(showAll(error)).not.toContain(canary);
  expect(host.files.length).toBe(requests);
  expect(await readdir(folder)).toEqual([]);
});

const misuses: {
  name: string;
  destination?: (file: string) => string | URL | WritableStream;
  options?: DownloadOptions;
}[] = [
  { name: "no attempts", options: { maxAttempts: 0 } },
  { name: "attempts that are no number", options: { maxAttempts: NaN } },
  { name: "no time for bytes", options: { stallMs: 0 } },
  { name: "a pause below 0", options: { retryDelayMs: -1 } },
  { name: "a skew below 0", options: { expirySkewMs: -1 } },
  { name: "a folder", destination: () => folder },
  { name: "a folder that is not there", destination: (file) => join(file, "x.mp4") },
  { name: "a URL that is no file", destination: () => new URL("https://files.example/x") },
  {
    name: "a stream with another writer",
    destination() {
      const stream = new WritableStream();
      stream.getWriter();
      return stream;
    },
  },
];
test.for(misuses)("sends nothing and calls it misuse: $name", async ({ destination, options }) => {
  await using host = await startReplayHost({ contents });
  const error = await readOutcome(
    downloadReplay(host.client, "s1", destination?.(path) ?? path, { ...quick, ...options }),
  );
  expect(error).toMatchObject({ code: "misuse" });
  expect([host.replays, await readdir(folder)]).toEqual([[], []]);
});

test.for([404, 422])("passes on what the client rejects with: %s", async (status) => {
  await using host = await startReplayHost({ contents });
  host.replayStatuses.push(status);
  expect(await readOutcome(downloadReplay(host.client, "s1", path, quick))).toMatchObject({
    code: "unexpected-status",
    status,
  });
  host.faults.push({ expire: true });
  host.replayStatuses.push(200, status);
  expect(await readOutcome(downloadReplay(host.client, "s1", path, quick))).toMatchObject({
    code: "unexpected-status",
    status,
  });
  expect(await readdir(folder)).toEqual([]);
});

test("asks again for a replay when that may do better", async () => {
  await using host = await startReplayHost({ contents });
  host.faults.push({ cutAfter: 1000 }, { expire: true });
  host.replayStatuses.push(200, 503, 503);
  await downloadReplay(host.client, "s1", path, quick);
  expect((await readFile(path)).equals(getBytes(video))).toBe(true);
  expect(host.replays.map(({ status }) => status)).toEqual([200, 503, 503, 200]);
});

test("ends when the file can't be put in its place", async () => {
  await using host = await startReplayHost({ contents });
  const onProgress = async (): Promise<void> => void (await mkdir(path, { recursive: true }));
  const error = await readOutcome(downloadReplay(host.client, "s1", path, { onProgress: () => void onProgress() }));
  expect(error).toMatchObject({ code: "download", cause: { code: expect.any(String) } });
  expect(await readdir(folder)).toEqual(["replay.mp4"]);
});
