import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import type { Recorder } from "@cloud-browser/recorder";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SetClock } from "../../../../recorder/test/recording/set-clock.ts";
import type { ObjectStore } from "../../../src/storage/objects/object-store.ts";
import type { BucketRecordingStore } from "../../../src/storage/recordings/bucket-recording-store.ts";
import { fetchJournal } from "../../../src/storage/recordings/journal-parts.ts";
import { startBucketBackend, type BucketBackend } from "./bucket-backend.ts";
import { lastPictureIn, lastPictureMs } from "./shipped-pictures.ts";

const viewport = { width: 320, height: 180 };
const busy = { timeout: 60_000, interval: 50 };
let pool: BrowserPool;

beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "of-the-tests");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret-of-the-tests");
  pool = await BrowserPool.start();
});
afterAll(async () => {
  await pool.close();
  vi.unstubAllEnvs();
});

/** Begins to record a page that changes all the time. */
async function begin(store: BucketRecordingStore, id: string): Promise<Recorder & AsyncDisposable> {
  const pooled = await pool.open({ viewport });
  const activePage = new ActivePage(pooled.context);
  const startedAtMs = Date.now();
  const recorder = await store.begin({ id, startedAtMs, context: pooled.context, activePage, viewport });
  const page = await pooled.context.newPage();
  await page.evaluate("setInterval(() => document.body.append('x '), 50)");
  await vi.waitFor(() => expect(recorder.bytes).toBeGreaterThan(10_000), busy);
  return Object.assign(recorder, {
    [Symbol.asyncDispose]: async () => {
      await recorder.end();
      await pooled.close();
    },
  });
}

/** Returns whether the bucket holds nothing but replays. The journal is removed after its replay is published. */
async function isTidy(backend: BucketBackend): Promise<boolean> {
  return (await backend.keys()).every((key) => key.includes("/replay-"));
}

const refuse = (): Promise<void> => Promise.reject(new Error("the store is closed"));

/** Holds back what passes it until it is opened. */
class Gate implements Disposable {
  readonly #reached = Promise.withResolvers<void>();
  readonly #free = Promise.withResolvers<void>();

  /** Resolves when something waits there. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  pass(): Promise<void> {
    this.#reached.resolve();
    return this.#free.promise;
  }

  open(): void {
    this.#free.resolve();
  }

  [Symbol.dispose](): void {
    this.open();
  }
}

/** Lets a store refuse what it is given; returns a function that ends that. */
function close(objects: ObjectStore): () => void {
  const spies = [
    vi.spyOn(objects, "put").mockImplementation(refuse),
    vi.spyOn(objects, "putFile").mockImplementation(refuse),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}

test("a session is recorded and ends while the store refuses, and its replay is available once the store recovers", async () => {
  await using backend = await startBucketBackend();
  const { store, folder } = await backend.node({ clock: new SetClock(Date.now()) });
  void store.recover();
  const recorder = await begin(store, "one");
  await vi.waitFor(async () => expect(await backend.keys()).not.toEqual([]), busy);
  // A node that had taken it over died while it stored the replay.
  await backend.objects.put("recordings/one/replay-of-the-dead/segment-000000.ts", new Uint8Array(1), "video/mp2t");
  const open = close(backend.objects);
  const bytes = recorder.bytes;
  await vi.waitFor(() => expect(recorder.bytes).toBeGreaterThan(bytes + 5_000), busy);
  await vi.waitFor(() => expect(store.shippingLagMs).toBeGreaterThan(300), busy);
  expect(store.unshippedBytes).toBeGreaterThan(4_000);
  await recorder[Symbol.asyncDispose]();
  await expect(store.getReplay("one", 1_000)).rejects.toMatchObject({ code: /recording-(not-ready|delayed)/u });
  const detail = async (): Promise<string | undefined> => (await store.readViews(["one"])).get("one")?.detail;
  await vi.waitFor(async () => expect(await detail()).toContain("being stored; attempt"), busy);
  expect(await store.findFault()).toBeUndefined();
  // Whoever takes it over has what was shipped, and is not told that this was all.
  expect(backend.database.prepare("SELECT stage FROM recordings").all()).toEqual([{ stage: "recording" }]);
  open();
  const { video_duration_ms: ms } = await vi.waitFor(() => store.getReplay("one"), busy);
  expect(ms).toBeGreaterThan(500);
  expect([store.shippingLagMs, store.unshippedBytes]).toEqual([0, 0]);
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]), busy);
  await vi.waitFor(async () => {
    const keys = await backend.keys();
    expect(
      keys.filter((key) => !/^recordings\/one\/replay-[\w-]+\/(?:replay\.mp4|segment-\d{6}\.ts)$/u.test(key)),
    ).toEqual([]);
    expect(new Set(keys.map((key) => key.split("/")[2])).size).toBe(1);
  }, busy);
  expect(backend.warnings.filter((one) => one.includes("can't be shipped"))).toHaveLength(1);
}, 120_000);

test("a recording is safe, and other nodes know that it has ended, when all of its journal is in the bucket", async () => {
  await using backend = await startBucketBackend();
  const { store, folder } = await backend.node({ clock: new SetClock(Date.now()) });
  void store.recover();
  const stages = (): unknown => backend.database.prepare("SELECT stage FROM recordings").all();
  const recorder = await begin(store, "one");
  using journal = new Gate();
  using replay = new Gate();
  const { objects } = backend;
  const [put, putFile] = [objects.put.bind(objects), objects.putFile.bind(objects)];
  vi.spyOn(objects, "put").mockImplementation((...part) => journal.pass().then(() => put(...part)));
  vi.spyOn(objects, "putFile").mockImplementation((...file) => replay.pass().then(() => putFile(...file)));
  await recorder[Symbol.asyncDispose]();
  let isSafe = false;
  const safe = store.waitUntilSecured("one", 2 ** 31 - 1).then(() => (isSafe = true));
  await journal.reached;
  // The replay is made meanwhile, and waits as well: what needs no more of the journal would have been told by then.
  await replay.reached;
  expect([isSafe, stages()]).toEqual([false, [{ stage: "recording" }]]);
  const last = await lastPictureIn(join(folder, "one"));
  expect(await lastPictureMs(backend.objects, "one")).not.toBe(last);
  journal.open();
  await safe;
  expect(stages()).toEqual([{ stage: "ended" }]);
  expect(await lastPictureMs(backend.objects, "one")).toBe(last);
  replay.open();
  await vi.waitFor(() => store.getReplay("one"), busy);
}, 120_000);

test("leftovers of a lost node are removed by another one, and its replay stays", async () => {
  await using backend = await startBucketBackend();
  const clock = new SetClock(Date.now());
  const { store } = await backend.node({ clock });
  void store.recover();
  await (await begin(store, "one"))[Symbol.asyncDispose]();
  await vi.waitFor(() => store.getReplay("one"), busy);
  await vi.waitFor(async () => expect(await isTidy(backend)).toBe(true), busy);
  const keys = await backend.keys();
  await backend.objects.put("recordings/one/journal/chunk-000000000000.journal/000000000000", new Uint8Array(1), "");
  const next = await backend.node({ clock });
  await next.store.recover();
  expect(await backend.keys()).toEqual(keys);
}, 120_000);

test("the recording of a lost node is finished by another one, up to the last shipped picture, and stays as it is when the node resumes", async () => {
  await using backend = await startBucketBackend();
  const clock = new SetClock(Date.now());
  let lease: number | undefined = 1;
  const lost = await backend.node({ clock, lease: () => lease });
  void lost.store.recover();
  const recorder = await begin(lost.store, "one");
  await vi.waitFor(async () => expect(await lastPictureMs(backend.objects, "one")).toBeGreaterThan(500), busy);
  // From here on it is as if it were paused, and others had waited for long enough.
  lease = undefined;
  const bytes = recorder.bytes;
  await vi.waitFor(() => expect(recorder.bytes).toBeGreaterThan(bytes + 5_000), busy);
  const lastMs = (await lastPictureMs(backend.objects, "one")) ?? Infinity;
  const next = await backend.node({ clock });
  await next.store.recover();
  const replay = await vi.waitFor(() => next.store.getReplay("one", 5_000), busy);
  expect(replay.video_start_ms + replay.video_duration_ms).toBeGreaterThanOrEqual(lastMs);
  await vi.waitFor(async () => expect(await isTidy(backend)).toBe(true), busy);
  const keys = await backend.keys();
  // It goes on: its session ends, and it would finish what it has.
  await recorder[Symbol.asyncDispose]();
  await vi.waitFor(async () => expect(await readdir(lost.folder)).toEqual([]), busy);
  lease = 2;
  expect(await lost.store.getReplay("one")).toEqual({
    ...(await next.store.getReplay("one")),
    mp4_url: expect.any(String),
    playlist_content: expect.any(String),
    expires_at: expect.any(String),
  });
  expect(await backend.keys()).toEqual(keys);
}, 120_000);

test("foreign objects in the bucket are ignored", async () => {
  await using backend = await startBucketBackend();
  const folder = await mkdtemp(join(tmpdir(), "cb-strange-"));
  const put = (key: string): Promise<void> =>
    backend.objects.put(`recordings/one/journal/${key}`, Uint8Array.of(1), "x/y");
  await put("chunk-000000000000.journal/000000000000");
  await put("chunk-000000000000.journal/000000000005");
  await put("chunk-000000000001.journal/000000000001");
  await put("recording.json/000000000000");
  await put("chunk-1.journal/0");
  await fetchJournal(backend.objects, "one", folder);
  expect(await readdir(folder)).toEqual(["chunk-000000000000.journal"]);
  await rm(folder, { recursive: true });
});
