import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pTimeout from "p-timeout";
import {
  Recordings,
  RecorderError,
  type RecordedSession,
  type Recorder,
  type RecordingsOptions,
  progressOf,
  type DoneRecording,
  refusalOf,
  viewOfRecording,
  type RecordingState,
  type RecordingView,
  type Replay,
  systemClock,
} from "@cloud-browser/recorder";
import type { ObjectStore } from "../objects/object-store.ts";
import type { IndexedRecording, RecordingIndex } from "../recording-index.ts";
import { fetchJournal, journalFolder, recordingFolder } from "./journal-parts.ts";
import { JournalShipper, type JournalShipperOptions } from "./journal-shipper.ts";
import type { RecordingStore } from "./recording-store.ts";
import { presignedReplay, storeReplay } from "./stored-replay.ts";

/** Options of the store. */
export interface BucketRecordingStoreOptions extends Pick<JournalShipperOptions, "everyMs" | "pausesMs"> {
  /** How they are recorded and encoded, in a folder of this machine. */
  readonly local: Omit<RecordingsOptions, "archive">;
  /** Where they are kept. */
  readonly objects: ObjectStore;
  /** Tells who works on which. */
  readonly index: RecordingIndex;
  /** The lease under which this process may have sessions; undefined while it has none. Default: always the same one. */
  readonly lease?: () => number | undefined;
  /** How often it is looked for recordings that nobody finishes or deletes, in milliseconds. Default: 5,000. */
  readonly lookMs?: number;
}

/** How many recordings of lost nodes one node finishes at a time. */
const mostTaken = 4;

/** How many recordings are deleted in one look. */
const mostDeleted = 100;

/** From when on it is told that a deletion is late, in milliseconds. */
const lateMs = 60_000;

/** How often it is looked whether another node has finished a recording, in milliseconds. */
const pollMs = 250;

/** How long the end of the process waits for what is not shipped, in milliseconds. */
const closeMs = 5_000;

/** How long presigned addresses hold, in milliseconds. */
const urlTtlMs = 3_600_000;

/**
 * Recordings in a bucket. Each is made in a folder of the machine that has the session, and its journal is shipped meanwhile. When that
 * machine is lost another one makes the replay of what was shipped; the index says which. A replay lies in the bucket alone.
 */
export class BucketRecordingStore implements RecordingStore {
  readonly #options: BucketRecordingStoreOptions;
  readonly #local: Recordings;
  readonly #shippers = new Map<string, JournalShipper>();
  /** Of each recording, the changes of its state that are being kept. */
  readonly #changes = new Map<string, Promise<void>>();
  /** Those that begin, or are being taken over from a node that is lost. */
  readonly #busy = new Map<string, Promise<unknown>>();
  readonly #undeleted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;
  /** What a process before this one left is being finished. */
  #isRecovered = false;

  private constructor(options: BucketRecordingStoreOptions, local: Recordings) {
    this.#options = options;
    this.#local = local;
  }

  /** Opens it. Finishes and deletes nothing before {@link recover} is called. */
  static async open(options: BucketRecordingStoreOptions): Promise<BucketRecordingStore> {
    const archive = {
      onState: (state: RecordingState): void => store.#stateChanged(state),
      take: (done: DoneRecording): Promise<boolean> => store.#take(done),
    };
    const store: BucketRecordingStore = new BucketRecordingStore(
      options,
      await Recordings.open({ ...options.local, archive }),
    );
    return store;
  }

  /** The recordings of the folder, which has also those that were made before there was a bucket. */
  get local(): Recordings {
    return this.#local;
  }

  begin(session: RecordedSession): Promise<Recorder> {
    return this.#busyWith(session.id, this.#begin(session));
  }

  async replay(sessionId: string, waitMs = 0): Promise<Replay> {
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
      else return isHere ? this.#local.replay(sessionId) : this.#replayOf(row);
    }
  }

  async views(sessionIds: readonly string[]): Promise<ReadonlyMap<string, RecordingView>> {
    const rows = new Map((await this.#options.index.get(sessionIds)).map((row) => [row.state.sessionId, row]));
    const views = new Map<string, RecordingView>();
    for (const id of sessionIds) {
      const row = rows.get(id);
      const view = row && !this.#isHere(row) ? viewOfRecording(row, this.#around(row)) : this.#local.view(id);
      if (view) views.set(id, view);
    }
    return views;
  }

  async isShared(sessionId: string): Promise<boolean> {
    return (await this.#options.index.get([sessionId])).length > 0;
  }

  lastSeen(sessionId: string): Promise<number | undefined> {
    return this.#local.lastSeen(sessionId);
  }

  fault(): Promise<string | undefined> {
    return this.#local.fault();
  }

  async recover(): Promise<void> {
    const { lookMs = 5_000 } = this.#options;
    this.#timer = setInterval(() => void this.#look(), lookMs);
    this.#timer.unref();
    await this.#look();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#looking;
    await this.#local.close();
    const shippers = [...this.#shippers.values()];
    const shipped = Promise.all([...shippers.map((shipper) => shipper.finish()), ...this.#changes.values()]);
    await pTimeout(shipped, { milliseconds: closeMs, fallback: () => undefined });
    await Promise.all(shippers.map((shipper) => shipper.stop()));
    await Promise.allSettled([...this.#changes.values(), ...this.#busy.values()]);
  }

  get bytes(): number {
    return this.#local.bytes;
  }

  get lagMs(): number {
    return this.#local.lagMs;
  }

  get shippingLagMs(): number {
    return Math.max(0, ...[...this.#shippers.values()].map(({ lagMs }) => lagMs));
  }

  get unshippedBytes(): number {
    return [...this.#shippers.values()].reduce((sum, { unshippedBytes }) => sum + unshippedBytes, 0);
  }

  get #nowMs(): number {
    return (this.#options.local.clock ?? systemClock).now();
  }

  async #begin(session: RecordedSession): Promise<Recorder> {
    const { index, objects, local, everyMs, pausesMs, lease = () => 0 } = this.#options;
    const { id, startedAtMs, viewport } = session;
    const under = lease();
    await index.create({ version: 1, sessionId: id, startedAtMs, viewport, stage: { name: "recording" } });
    const recorder = await this.#local.begin(session).catch(async (error: unknown) => {
      await index.remove(id).catch((fault: unknown) => this.#warn(id, "began in vain, and is still known", fault));
      throw error;
    });
    const shipper = new JournalShipper({
      sessionId: id,
      folder: join(local.folder, id),
      files: () => recorder.files,
      objects,
      mayShip: () => under !== undefined && lease() === under,
      onFault: (error) => {
        if (error === undefined) this.#warn(id, "is shipped again");
        else this.#warn(id, "can't be shipped; retrying", error);
      },
      ...(everyMs !== undefined && { everyMs }),
      ...(pausesMs && { pausesMs }),
    });
    this.#shippers.set(id, shipper);
    return recorder;
  }

  async #replayOf(row: IndexedRecording): Promise<Replay> {
    const { state, folder } = row;
    const nowMs = this.#nowMs;
    const refusal = refusalOf(progressOf(row, this.#around(row)), nowMs);
    if (refusal) throw refusal;
    const { stage, deleteAtMs = Infinity } = state;
    if (stage.name !== "finished" || folder === null) {
      throw new RecorderError("recording-failed", "The files of this recording are missing.");
    }
    return presignedReplay(this.#options.objects, folder, stage, Math.min(nowMs + urlTtlMs, deleteAtMs));
  }

  /** Whether a recording is made or finished in this process, which knows more of it than is known elsewhere. */
  #isHere({ state: { sessionId, stage } }: IndexedRecording): boolean {
    return (stage.name === "recording" || stage.name === "ended") && this.#local.unfinished.includes(sessionId);
  }

  #around({ state, isHeld }: IndexedRecording): Parameters<typeof progressOf>[1] {
    const { stage, deleteAtMs = Infinity } = state;
    const nowMs = this.#nowMs;
    const isUndeleted = stage.name !== "deleted" && nowMs >= deleteAtMs + lateMs;
    return { nowMs, isOpen: stage.name === "recording" && isHeld, isUndeleted };
  }

  /** Keeps how far a recording is, in the order in which that changes. That it has ended is kept once all of it is shipped. */
  #stateChanged(state: RecordingState): void {
    const { sessionId, stage } = state;
    if (stage.name !== "recording" && stage.name !== "ended") return;
    const before = this.#changes.get(sessionId) ?? Promise.resolve();
    const change = before
      .then(async () => {
        if (stage.name === "ended") await this.#shippers.get(sessionId)?.finish();
        await this.#options.index.change(state, null);
      })
      .catch((error: unknown) => this.#warn(sessionId, "has changed, which could not be kept", error))
      .finally(() => {
        if (this.#changes.get(sessionId) === change) this.#changes.delete(sessionId);
      });
    this.#changes.set(sessionId, change);
  }

  /** Stores a replay, and then makes it known, unless another node has taken the recording over. */
  async #take({ state, folder, signal }: DoneRecording): Promise<boolean> {
    const { index, objects } = this.#options;
    const { sessionId, stage } = state;
    const whose = await index.take(sessionId);
    if (whose === "unknown") return false;
    if (whose === "own") {
      const to = stage.name === "finished" ? `${recordingFolder(sessionId)}/replay-${randomUUID()}` : null;
      if (stage.name === "finished" && to !== null) {
        await storeReplay(objects, stage, { from: folder, to, signal }).catch(async (error: unknown) => {
          await objects.deleteAll(to).catch(() => undefined); // what is left goes with all else of it
          throw error;
        });
      }
      await this.#stopShipping(sessionId);
      const isKept = await index.change(state, to);
      const unneeded = isKept ? journalFolder(sessionId) : to;
      if (unneeded !== null) {
        await objects
          .deleteAll(unneeded)
          .catch((error: unknown) => this.#warn(sessionId, "has parts left until it is deleted", error));
      }
    }
    await this.#stopShipping(sessionId);
    return true;
  }

  async #stopShipping(sessionId: string): Promise<void> {
    await this.#shippers.get(sessionId)?.stop();
    this.#shippers.delete(sessionId);
    await this.#changes.get(sessionId);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
      .catch((error: unknown) =>
        this.#warn("-", "of lost nodes, and those that are due, could not be looked for", error),
      )
      .finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Finishes what nobody finishes, and deletes what is due. */
  async #lookOnce(): Promise<void> {
    const { index, lease = () => 0 } = this.#options;
    if (lease() === undefined) return;
    if (!this.#isRecovered) await this.#recoverLocal();
    for (const state of await index.takeUnfinished(Math.max(0, mostTaken - this.#busy.size))) {
      const { sessionId } = state;
      if (this.#busy.has(sessionId) || this.#local.unfinished.includes(sessionId) || this.#isClosed) continue;
      void this.#busyWith(sessionId, this.#takeOver(state));
    }
    for (const state of await index.takeDue(this.#nowMs, mostDeleted)) await this.#delete(state);
    await index.forget(this.#nowMs);
  }

  /** Finishes what a process before this one left in the folder, unless another node has taken it over, or finished it. */
  async #recoverLocal(): Promise<void> {
    for (const id of this.#local.ids) {
      if (this.#shippers.has(id) || this.#busy.has(id)) continue;
      if ((await this.#options.index.take(id)) === "taken") await this.#local.remove(id);
    }
    this.#isRecovered = true;
    this.#local.recover().catch((error: unknown) => this.#warn("-", "of an earlier process can't be finished", error));
  }

  async #takeOver(state: RecordingState): Promise<void> {
    const { sessionId } = state;
    try {
      await this.#local.adopt(state, (folder) => fetchJournal(this.#options.objects, sessionId, folder));
    } catch (error) {
      this.#warn(sessionId, "of a lost node could not be fetched; retrying", error);
    }
  }

  async #delete(state: RecordingState): Promise<void> {
    const { index, objects } = this.#options;
    const { sessionId } = state;
    try {
      await this.#stopShipping(sessionId);
      await this.#local.remove(sessionId);
      await objects.deleteAll(recordingFolder(sessionId));
      await index.change({ ...state, stage: { name: "deleted" } }, null);
      if (this.#undeleted.delete(sessionId)) this.#warn(sessionId, "is deleted now");
    } catch (error) {
      if (!this.#undeleted.has(sessionId))
        this.#warn(sessionId, "could not be deleted when it expired; retrying", error);
      this.#undeleted.add(sessionId);
    }
  }

  async #busyWith<Result>(sessionId: string, work: Promise<Result>): Promise<Result> {
    this.#busy.set(sessionId, work);
    try {
      return await work;
    } finally {
      this.#busy.delete(sessionId);
    }
  }

  #warn(sessionId: string, what: string, error?: unknown): void {
    const why = error instanceof Error ? `: ${error.message}` : "";
    this.#options.local.onWarning?.(sessionId, what + why);
  }
}
