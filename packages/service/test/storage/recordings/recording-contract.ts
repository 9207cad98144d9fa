import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
import type { Replay } from "@cloud-browser/recorder";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SetClock } from "../../../../recorder/test/recording/set-clock.ts";
import { still, type Moments } from "../../../../recorder/test/recording/left-behind.ts";
import { makePlainJpeg, probe } from "../../../../recorder/test/recording/video.ts";
import type { RecordingStore } from "../../../src/storage/recordings/recording-store.ts";

/** A store of recordings, empty at first, and what is around it. */
export interface RecordingBackend extends AsyncDisposable {
  /** Opens it as a process does that starts, after the one before has ended or died. */
  readonly open: (clock: SetClock) => Promise<RecordingStore>;
  /** Puts the folder of a recording where a process that dies leaves it. */
  readonly leave: (id: string, startedAtMs: number, moments: Moments) => Promise<void>;
  /** Asks for an address of a replay. */
  readonly get: (address: string) => Promise<Response>;
  /** Names of all files and objects that there are of a recording. */
  readonly listFiles: (id: string) => Promise<readonly string[]>;
}

const viewport = { width: 320, height: 180 };
const dayMs = 86_400_000;
/** Patience with a busy machine. */
const busy = { timeout: 60_000, interval: 50 };

/** What a process leaves that dies 4 seconds after the beginning of a session. */
const lengthMs = 4_137;

async function readReplay(store: RecordingStore, id: string): Promise<Replay> {
  return vi.waitFor(() => store.getReplay(id, 5_000), busy);
}

/** What every store of recordings does. */
export function testRecordingStore(start: () => Promise<RecordingBackend>): void {
  let pool: BrowserPool;
  let moments: Moments;
  let folder: string;
  beforeAll(async () => {
    pool = await BrowserPool.start();
    folder = await mkdtemp(join(tmpdir(), "cb-contract-"));
    moments = [
      [137, await makePlainJpeg("red")],
      [lengthMs, still],
    ];
  });
  afterAll(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });

  /** Records a page until a picture of it is there and something was done. */
  async function recorded(store: RecordingStore, id: string, meanwhile?: () => Promise<void>): Promise<void> {
    await using stack = new AsyncDisposableStack();
    const pooled = stack.adopt(await pool.open({ viewport }), (one) => one.close());
    const activePage = new ActivePage(pooled.context);
    const recorder = await store.begin({
      id,
      startedAtMs: Date.now(),
      context: pooled.context,
      activePage,
      viewport,
    });
    await pooled.context.newPage();
    await vi.waitFor(() => expect(recorder.bytes).toBeGreaterThan(100), busy);
    await meanwhile?.();
    await recorder.end();
  }

  test(
    "a session that was recorded has a replay, whose addresses give what it says",
    { timeout: 120_000 },
    async () => {
      await using backend = await start();
      const clock = new SetClock(Date.now());
      const store = await backend.open(clock);
      await recorded(store, "one", async () => {
        await expect(store.getReplay("one")).rejects.toMatchObject({ code: "recording-not-ready" });
        expect((await store.readViews(["one"])).get("one")).toMatchObject({ state: "recording", delete_at: null });
        expect(store.bytes).toBeGreaterThan(100);
        expect(store.lagMs).toBeLessThan(30_000);
      });
      const replay = await readReplay(store, "one");
      expect(Object.keys(replay).sort()).toEqual([
        "expires_at",
        "mp4_url",
        "playlist_content",
        "video_duration_ms",
        "video_start_ms",
      ]);
      expect(replay.expires_at).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/u);
      expect(Math.abs(Date.parse(replay.expires_at) - clock.now() - 3_600_000)).toBeLessThan(60_000);
      const mp4 = await backend.get(replay.mp4_url);
      expect([mp4.status, mp4.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      const path = join(folder, "one.mp4");
      await writeFile(path, new Uint8Array(await mp4.arrayBuffer()));
      expect(Math.abs((await probe(path)).durationMs - replay.video_duration_ms)).toBeLessThanOrEqual(1);
      expect((await readFile(path)).length).toBeGreaterThan(1_000);
      const segments = replay.playlist_content.match(/http\S+/gu) ?? [];
      expect(segments.length).toBe(Math.ceil(replay.video_duration_ms / 4_000));
      for (const address of segments) {
        const segment = await backend.get(address);
        expect([segment.status, segment.headers.get("content-type")]).toEqual([200, "video/mp2t"]);
        await segment.arrayBuffer();
      }
      expect((await store.readViews(["one"])).get("one")).toMatchObject({ state: "ready", gaps: [] });
      expect(store.shippingLagMs).toBe(0);
      expect(store.unshippedBytes).toBe(0);
    },
  );

  test("a session that was not recorded has no recording", async () => {
    await using backend = await start();
    const store = await backend.open(new SetClock(Date.now()));
    await expect(store.getReplay("nobody")).rejects.toMatchObject({ code: "unknown-session" });
    expect([...(await store.readViews(["nobody"]))]).toEqual([]);
    expect(await store.findLastSeen("nobody")).toBeUndefined();
    expect(await store.isShared("nobody")).toBe(false);
    expect(await store.findFault()).toBeUndefined();
  });

  test(
    "recordings of a process that died are finished by the next one, and replays wait for that",
    { timeout: 60_000 },
    async () => {
      await using backend = await start();
      const startedAtMs = Date.now() - 10_000;
      await backend.leave("one", startedAtMs, moments);
      await backend.leave("two", startedAtMs, []);
      const store = await backend.open(new SetClock(Date.now()));
      void store.recover();
      expect(await readReplay(store, "one")).toMatchObject({ video_start_ms: 137, video_duration_ms: 4_000 });
      await vi.waitFor(async () => {
        await expect(store.getReplay("two")).rejects.toMatchObject({ code: "recording-empty" });
      }, busy);
      const views = await store.readViews(["one", "two", "three"]);
      expect(new Map([...views].map(([id, { state }]) => [id, state]))).toEqual(
        new Map([
          ["one", "ready"],
          ["two", "empty"],
        ]),
      );
      await store.close();
      const next = await backend.open(new SetClock(Date.now()));
      await next.recover();
      expect(await readReplay(next, "one")).toMatchObject({ video_duration_ms: 4_000 });
    },
  );

  test(
    "a recording is deleted 24 hours after the end, and remembered as deleted for a week",
    { timeout: 60_000 },
    async () => {
      await using backend = await start();
      const startedAtMs = Date.now() - 10_000;
      await backend.leave("one", startedAtMs, moments);
      const clock = new SetClock(Date.now());
      const store = await backend.open(clock);
      await store.recover();
      await readReplay(store, "one");
      const deleteAtMs = startedAtMs + lengthMs + dayMs;
      expect((await store.readViews(["one"])).get("one")?.delete_at).toBe(new Date(deleteAtMs).toISOString());
      clock.set(deleteAtMs - 600_000);
      expect(Date.parse((await readReplay(store, "one")).expires_at)).toBeLessThanOrEqual(deleteAtMs);
      // A replay is published first; the journal it was made from is removed after that.
      await vi.waitFor(async () => {
        expect(await backend.listFiles("one")).toEqual(["replay.mp4", "segment-000000.ts"]);
      }, busy);
      clock.set(deleteAtMs);
      await expect(store.getReplay("one")).rejects.toMatchObject({ code: "recording-deleted" });
      await vi.waitFor(async () => expect(await backend.listFiles("one")).toEqual([]), busy);
      expect((await store.readViews(["one"])).get("one")).toMatchObject({ state: "deleted" });
      await store.close();
      clock.set(deleteAtMs + 6 * dayMs);
      const next = await backend.open(clock);
      await next.recover();
      await expect(next.getReplay("one")).rejects.toMatchObject({ code: "recording-deleted" });
      clock.set(deleteAtMs + 7 * dayMs + 1);
      await vi.waitFor(async () => {
        await expect(next.getReplay("one")).rejects.toMatchObject({ code: "unknown-session" });
      }, busy);
    },
  );

  test("a recording can be deleted before its time, and not before it is made", { timeout: 60_000 }, async () => {
    await using backend = await start();
    await backend.leave("one", Date.now() - 10_000, moments);
    const store = await backend.open(new SetClock(Date.now()));
    await expect(store.delete("one")).rejects.toMatchObject({ code: "recording-not-ready" });
    await expect(store.delete("two")).rejects.toMatchObject({ code: "unknown-session" });
    await store.recover();
    const { mp4_url } = await readReplay(store, "one");
    await store.delete("one");
    await expect(store.getReplay("one")).rejects.toMatchObject({ code: "recording-deleted" });
    expect((await store.readViews(["one"])).get("one")).toMatchObject({ state: "deleted" });
    await vi.waitFor(async () => expect(await backend.listFiles("one")).toEqual([]), busy);
    await vi.waitFor(async () => expect((await backend.get(mp4_url)).ok).toBe(false), busy);
    // Again changes nothing, and the next process knows it.
    await store.delete("one");
    await store.close();
    const next = await backend.open(new SetClock(Date.now()));
    await next.recover();
    await expect(next.getReplay("one")).rejects.toMatchObject({ code: "recording-deleted" });
  });

  test("interrupted recordings are deleted, too", { timeout: 60_000 }, async () => {
    await using backend = await start();
    await backend.leave("one", Date.now() - 3 * dayMs, moments);
    const store = await backend.open(new SetClock(Date.now()));
    await store.recover();
    await vi.waitFor(async () => {
      await expect(store.getReplay("one")).rejects.toMatchObject({ code: "recording-deleted" });
      expect(await backend.listFiles("one")).toEqual([]);
    }, busy);
  });

  test("a session is not recorded twice", { timeout: 60_000 }, async () => {
    await using backend = await start();
    const store = await backend.open(new SetClock(Date.now()));
    await recorded(store, "one", async () => {
      await recorded(store, "one").then(
        () => expect.unreachable(),
        () => undefined,
      );
    });
    await readReplay(store, "one");
  });
}
