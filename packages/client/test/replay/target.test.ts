import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { createCloudBrowser } from "../../src/index.ts";
import { downloadReplay, waitForReplay, type DownloadProgress } from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { apiKey, getBytes, canary, getContent, readOutcome, showAll, startReplayHost } from "./replay-host.ts";
import { contents, quick, video } from "./replay-video.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await makeOwnFolder();
  path = join(folder, "replay.mp4");
});

/** A promise, and what resolves it. */
function createGate(): [Promise<void>, () => void] {
  const resolvers: (() => void)[] = [];
  return [new Promise((resolve) => resolvers.push(resolve)), () => resolvers[0]?.()];
}

test("leaves what was there before until the new file is whole", async () => {
  await using host = await startReplayHost({ contents });
  await writeFile(path, "before");
  host.faults.push({ status: 418 });
  await readOutcome(downloadReplay(host.client, "s1", path, quick));
  expect(await readFile(path, "utf8")).toBe("before");
  await downloadReplay(host.client, "s1", pathToFileURL(path));
  expect((await readFile(path)).equals(getBytes(video))).toBe(true);
});

test("replaces no device", async () => {
  await using host = await startReplayHost({ contents });
  await symlink("/dev/null", path); // a link, so that no device is lost if it does
  expect(await readOutcome(downloadReplay(host.client, "s1", path))).toMatchObject({ code: "misuse" });
  expect((await stat(path)).isFile()).toBe(false);
  expect([host.files, host.replays]).toEqual([[], []]);
});

test("writes beside the target while it downloads", async () => {
  await using host = await startReplayHost({ contents });
  host.faults.push({ stallAfter: 1000 });
  const [promise, resolve] = createGate();
  const controller = new AbortController();
  const failing = readOutcome(
    downloadReplay(host.client, "s1", path, {
      signal: controller.signal,
      onProgress: ({ receivedBytes }) => receivedBytes === 1000 && resolve(),
    }),
  );
  await promise;
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^replay\.mp4\.[\da-f]{8}-\d+\.[\da-f]{8}\.part$/)]);
  controller.abort();
  await failing;
  expect(await readdir(folder)).toEqual([]);
});

test("works with the client of this package", async () => {
  await using host = await startReplayHost({ contents });
  host.faults.push({ cutAfter: 100_000 }, { expire: true });
  const client = createCloudBrowser({ apiKey, baseUrl: host.url });
  const replay = await waitForReplay(client, "s1");
  const result = await downloadReplay(client, "s1", path, { ...quick, replay });
  expect(result).toMatchObject({ bytes: video.size, resumes: 1, refreshes: 1 });
  expect(host.replays.every(({ headers }) => headers.authorization === `Bearer ${apiKey}`)).toBe(true);
  expect(host.files.some(({ headers }) => headers.authorization)).toBe(false);
});

test("asks no client when a replay is at hand, unless that expires", async () => {
  await using host = await startReplayHost({ contents });
  const replay = await host.client.replay("s1");
  expect(await downloadReplay(host.client, "s1", path, { replay })).toMatchObject({ refreshes: 0, replay });
  expect(host.replays.length).toBe(1);
  const soon = { ...replay, expires_at: new Date(Date.now() + 20_000).toISOString() };
  expect(await downloadReplay(host.client, "s1", path, { replay: soon })).toMatchObject({ refreshes: 1 });
  expect(host.replays.length).toBe(2);
  expect(await downloadReplay(host.client, "s1", path, { replay: soon, expirySkewMs: 10_000 })).toMatchObject({
    refreshes: 0,
  });
  const never = { ...replay, expires_at: "soon" };
  expect(await downloadReplay(host.client, "s1", path, { replay: never })).toMatchObject({ refreshes: 0 });
});

test("reports progress without any URL", async () => {
  await using host = await startReplayHost({ contents });
  host.faults.push({ cutAfter: 100_000 }, { expire: true });
  const reported: DownloadProgress[] = [];
  await downloadReplay(host.client, "s1", path, { ...quick, onProgress: (progress) => reported.push(progress) });
  expect(reported[0]).toEqual({ receivedBytes: 0, totalBytes: 300_000, resumes: 0, refreshes: 0 });
  expect(reported.at(-1)).toEqual({ receivedBytes: 300_000, totalBytes: 300_000, resumes: 1, refreshes: 1 });
  const sizes = reported.map(({ receivedBytes }) => receivedBytes);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  expect(showAll(reported)).not.toContain(canary);
});

test("reports that the size is unknown", async () => {
  await using host = await startReplayHost({ contents, always: { chunked: true } });
  const reported: DownloadProgress[] = [];
  await downloadReplay(host.client, "s1", path, { ...quick, onProgress: (progress) => reported.push(progress) });
  expect(new Set(reported.map(({ totalBytes }) => totalBytes))).toEqual(new Set([undefined]));
});

test("ends with what a hook throws", async () => {
  await using host = await startReplayHost({ contents });
  const thrown = new Error("mine");
  const onProgress = (): never => {
    throw thrown;
  };
  expect(await readOutcome(downloadReplay(host.client, "s1", path, { onProgress }))).toBe(thrown);
  expect(await readdir(folder)).toEqual([]);
});

test("ends when a stream fails, and says why", async () => {
  await using host = await startReplayHost({ contents });
  const cause = new Error("disk full");
  const stream = new WritableStream<Uint8Array>({ write: () => Promise.reject(cause) });
  expect(await readOutcome(downloadReplay(host.client, "s1", stream))).toMatchObject({ code: "download", cause });
  expect(host.files.length).toBe(1);
});

test("asks for no more than a slow stream takes", async () => {
  const size = 64 * 2 ** 20;
  let sentBytes = 0;
  const large = getContent("large", size);
  const countingContent = {
    ...large,
    read: (offset: number, length: number) => ((sentBytes += length), large.read(offset, length)),
  };
  await using host = await startReplayHost({ contents: { "video.mp4": countingContent } });
  const [promise, resolve] = createGate();
  let writtenBytes = 0;
  const slow = new WritableStream<Uint8Array>({
    async write(chunk) {
      writtenBytes += chunk.length;
      await promise;
    },
  });
  const downloading = downloadReplay(host.client, "s1", slow, { stallMs: 3_000 });
  await sleep(4_000); // longer than a server may be silent
  expect(writtenBytes).toBeLessThan(2 ** 20);
  expect(sentBytes).toBeLessThan(size / 2);
  resolve();
  expect(await downloading).toMatchObject({ bytes: size, resumes: 0 });
});
