import { setTimeout as delay } from "node:timers/promises";
import {
  notFinished,
  Recordings,
  RecorderError,
  type RecordedSession,
  type Recorder,
  progressOf,
  explainMissingReplay,
  viewOfRecording,
  type RecordingView,
  type Replay,
  type StoredTimeline,
  videoOf,
} from "@cloud-browser/recorder";
import type { IndexedRecording } from "../recording-index.ts";
import { readBucketClock, warn, type BucketRecordingStoreOptions } from "./bucket-recording-options.ts";
import { RecordingArchive } from "./recording-archive.ts";
import type { RecordingStore } from "./recording-store.ts";
import { fetchTimeline } from "./bucket-timeline.ts";
import { RecordingSweeper } from "./recording-sweeper.ts";
import { presignReplay } from "./stored-replay.ts";

/** How long after its time a deletion is reported as late, in milliseconds. */
const lateMs = 60_000;

/** Interval at which the index is read while another node finishes a recording, in milliseconds. */
const pollMs = 250;

/** How long presigned URLs are valid, in milliseconds. */
const urlTtlMs = 3_600_000;

/**
 * Recordings in a bucket. Each is made in a folder of the machine that has the session, and its journal is shipped meanwhile. When that
 * machine is lost, another one makes the replay from what was shipped; the index says which. A replay is kept in the bucket only.
 */
export class BucketRecordingStore implements RecordingStore {
  readonly #options: BucketRecordingStoreOptions;
  readonly #local: Recordings;
  readonly #archive: RecordingArchive;
  readonly #sweeper: RecordingSweeper;

  private constructor(options: BucketRecordingStoreOptions, local: Recordings, archive: RecordingArchive) {
    this.#options = options;
    this.#local = local;
    this.#archive = archive;
    this.#sweeper = new RecordingSweeper(options, local, archive);
  }

  /** Opens it. Finishes and deletes nothing before {@link recover} is called. */
  static async open(options: BucketRecordingStoreOptions): Promise<BucketRecordingStore> {
    const archive = new RecordingArchive(options);
    const local = await Recordings.open({ ...options.local, archive });
    return new BucketRecordingStore(options, local, archive);
  }

  /** The recordings in the folder, including those made before a bucket was configured. */
  get local(): Recordings {
    return this.#local;
  }

  begin(session: RecordedSession): Promise<Recorder> {
    return this.#sweeper.exempt(session.id, this.#begin(session));
  }

  async getReplay(sessionId: string, waitMs = 0): Promise<Replay> {
    const untilMs = performance.now() + waitMs;
    for (let isFirst = true; ; isFirst = false) {
      const [row] = await this.#options.index.get([sessionId]);
      const leftMs = Math.max(0, untilMs - performance.now());
      if (!row) return this.#local.replay(sessionId, leftMs);
      const { name: stage } = row.state.stage;
      const isHere = this.#isHere(row);
      const isElsewhere = !isHere && (stage === "ended" || (stage === "recording" && !row.isHeld));
      if (isHere && isFirst) await this.#local.settled(sessionId, leftMs);
      else if (isElsewhere && leftMs > 0) await delay(Math.min(pollMs, leftMs));
      else return isHere ? this.#local.replay(sessionId) : this.#readReplay(row);
    }
  }

  async readTimeline(sessionId: string): Promise<StoredTimeline | undefined> {
    const [row] = await this.#options.index.get([sessionId]);
    if (!row || this.#isHere(row)) return this.#local.timeline(sessionId);
    const refusal = explainMissingReplay(
      progressOf(row, this.#describeCircumstances(row)),
      readBucketClock(this.#options),
    );
    if (refusal?.code === "recording-deleted") throw refusal;
    return { text: await fetchTimeline(this.#options.objects, sessionId), video: videoOf(row.state) };
  }

  async delete(sessionId: string): Promise<void> {
    const [row] = await this.#options.index.get([sessionId]);
    if (!row) return this.#local.delete(sessionId);
    const nowMs = Math.round(readBucketClock(this.#options));
    if (row.state.stage.name === "deleted" || nowMs >= (row.state.deleteAtMs ?? Infinity)) return;
    if (!(await this.#options.index.expire(sessionId, nowMs))) throw notFinished();
  }

  waitUntilSecured(sessionId: string, waitMs: number): Promise<void> {
    return this.#archive.waitUntilSecured(sessionId, waitMs);
  }

  async readViews(sessionIds: readonly string[]): Promise<ReadonlyMap<string, RecordingView>> {
    const rows = new Map((await this.#options.index.get(sessionIds)).map((row) => [row.state.sessionId, row]));
    const views = new Map<string, RecordingView>();
    for (const id of sessionIds) {
      const row = rows.get(id);
      const view =
        row && !this.#isHere(row) ? viewOfRecording(row, this.#describeCircumstances(row)) : this.#local.view(id);
      if (view) views.set(id, view);
    }
    return views;
  }

  async isShared(sessionId: string): Promise<boolean> {
    return (await this.#options.index.get([sessionId])).length > 0;
  }

  findLastSeen(sessionId: string): Promise<number | undefined> {
    return this.#local.lastSeen(sessionId);
  }

  findFault(): Promise<string | undefined> {
    return this.#local.fault();
  }

  recover(): Promise<void> {
    return this.#sweeper.start();
  }

  async close(): Promise<void> {
    await this.#sweeper.stop();
    await this.#local.close();
    await this.#archive.close();
    await this.#sweeper.waitForIdle();
  }

  get bytes(): number {
    return this.#local.bytes;
  }

  get lagMs(): number {
    return this.#local.lagMs;
  }

  get shippingLagMs(): number {
    return this.#archive.lagMs;
  }

  get unshippedBytes(): number {
    return this.#archive.unshippedBytes;
  }

  async #begin(session: RecordedSession): Promise<Recorder> {
    const { index, lease = () => 0 } = this.#options;
    const { id, startedAtMs, viewport } = session;
    const under = lease();
    await index.create({ version: 1, sessionId: id, startedAtMs, viewport, stage: { name: "recording" } });
    try {
      const recorder = await this.#local.begin(session);
      this.#archive.ship(id, recorder, under);
      return recorder;
    } catch (error) {
      await index
        .remove(id)
        .catch((fault: unknown) => warn(this.#options, id, "could not be started, and is still in the index", fault));
      throw error;
    }
  }

  async #readReplay(row: IndexedRecording): Promise<Replay> {
    const { state, folder } = row;
    const nowMs = readBucketClock(this.#options);
    const refusal = explainMissingReplay(progressOf(row, this.#describeCircumstances(row)), nowMs);
    if (refusal) throw refusal;
    const { stage, deleteAtMs = Infinity } = state;
    if (stage.name !== "finished" || folder === null) {
      throw new RecorderError("recording-failed", "the files of this recording are missing");
    }
    return presignReplay(this.#options.objects, folder, stage, Math.min(nowMs + urlTtlMs, deleteAtMs));
  }

  /** Returns whether this process makes or finishes a recording: it knows more of it than the index does. */
  #isHere({ state: { sessionId, stage } }: IndexedRecording): boolean {
    return (stage.name === "recording" || stage.name === "ended") && this.#local.unfinished.includes(sessionId);
  }

  #describeCircumstances({ state, isHeld }: IndexedRecording): Parameters<typeof progressOf>[1] {
    const { stage, deleteAtMs = Infinity } = state;
    const nowMs = readBucketClock(this.#options);
    const isUndeleted = stage.name !== "deleted" && nowMs >= deleteAtMs + lateMs;
    return { nowMs, isOpen: stage.name === "recording" && isHeld, isUndeleted };
  }
}
