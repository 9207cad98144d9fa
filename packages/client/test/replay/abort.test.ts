import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  downloadHls,
  downloadReplay,
  type DownloadOptions,
  type DownloadProgress,
  type HlsProgress,
  type ReplayClient,
} from "../../src/replay.ts";
import { makeOwnFolder } from "../own-folder.ts";
import { readOutcome, startReplayHost, type Fault } from "./replay-host.ts";
import { start } from "./replay-segments.ts";
import { contents, quick } from "./replay-video.ts";
import { abortAfter } from "./timed-abort.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await makeOwnFolder();
  path = join(folder, "replay.mp4");
});

/** Answers with all that was announced, and does not end. */
async function answerEndlessly(): Promise<Response> {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(5)) });
  return new Response(body, { headers: { "content-length": "5" } });
}

/** Places in a download where an abort may find it. */
const places: { name: string; faults?: Fault[]; options?: DownloadOptions; client?: ReplayClient }[] = [
  { name: "while the client is asked", client: { replay: () => new Promise(() => undefined) } },
  { name: "before the answer", faults: [{ silent: true }] },
  { name: "within the body", faults: [{ stallAfter: 1000 }] },
  { name: "within a pause", faults: [{ status: 503 }], options: { retryDelayMs: 60_000 } },
  { name: "after the last byte", options: { fetch: answerEndlessly } },
  { name: "with a fetch that takes no notice", options: { fetch: () => new Promise(() => undefined) } },
];
test.for(places)("ends at once when the signal aborts: $name", async ({ faults = [], options, client }) => {
  await using host = await startReplayHost({ contents });
  host.faults.push(...faults);
  const abort = abortAfter(150);
  const error = await readOutcome(
    downloadReplay(client ?? host.client, "s1", path, { ...options, signal: abort.signal }),
  );
  expect(abort.sinceMs()).toBeLessThan(500);
  expect(error).toMatchObject({ code: "aborted", cause: abort.reason });
  expect(await readdir(folder)).toEqual([]);
  await expect.poll(() => host.files.some(({ isOpen }) => isOpen)).toBe(false);
});

test("ends at once when the signal aborts while a stream takes no more, and aborts the stream", async () => {
  await using host = await startReplayHost({ contents });
  const controller = new AbortController();
  const stuck = new WritableStream<Uint8Array>({ write: () => new Promise(() => undefined) });
  setTimeout(() => controller.abort(), 150);
  const error = await readOutcome(downloadReplay(host.client, "s1", stuck, { signal: controller.signal }));
  expect(error).toMatchObject({ code: "aborted" });
  expect(stuck.locked).toBe(false);
});

test.for(["downloadReplay", "downloadHls"])(
  "leaves nothing when the signal aborts with the last progress: %s",
  async (which) => {
    await using host = await (which === "downloadHls" ? start() : startReplayHost({ contents }));
    const controller = new AbortController();
    const { signal } = controller;
    const onReplay = ({ receivedBytes, totalBytes }: DownloadProgress): void => {
      if (receivedBytes === totalBytes) controller.abort();
    };
    const onHls = ({ segmentsDone }: HlsProgress): void => {
      if (segmentsDone === 12) controller.abort();
    };
    const work =
      which === "downloadHls"
        ? downloadHls(host.client, "s1", path, { signal, onProgress: onHls })
        : downloadReplay(host.client, "s1", path, { signal, onProgress: onReplay });
    expect(await readOutcome(work)).toMatchObject({ code: "aborted" });
    expect(await readdir(folder)).toEqual([]);
  },
);

test("sends nothing when the signal has aborted before", async () => {
  await using host = await startReplayHost({ contents });
  const error = await readOutcome(downloadReplay(host.client, "s1", path, { signal: AbortSignal.abort() }));
  expect(error).toMatchObject({ code: "aborted" });
  expect([host.replays, host.files, await readdir(folder)]).toEqual([[], [], []]);
});

test("leaves no listener on the signal", async () => {
  await using host = await startReplayHost({ contents });
  host.faults.push({ cutAfter: 1000 }, { status: 503 });
  const { signal } = new AbortController();
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  const client: ReplayClient = { replay: (sessionId) => host.client.replay(sessionId) };
  Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof add>) => (listeners++, add(...args)),
    removeEventListener: (...args: Parameters<typeof remove>) => (listeners--, remove(...args)),
  });
  await downloadReplay(client, "s1", path, { ...quick, signal });
  expect(listeners).toBe(0);
});
