import type { RecordingState, Recordings } from "@cloud-browser/recorder";
import { readBucketClock, warn, type BucketRecordingStoreOptions } from "./bucket-recording-options.ts";
import { fetchJournal, buildRecordingFolder } from "./journal-parts.ts";
import type { RecordingArchive } from "./recording-archive.ts";

/** How many recordings of lost nodes one node finishes at a time. */
const maxTakenOver = 4;

/** How many recordings one sweep deletes. */
const maxDeleted = 100;

/** How many finished recordings of lost nodes one sweep cleans up. */
const maxCleanedUp = 100;

/** Minimum interval of these cleanups, in milliseconds. */
const cleanUpMs = 30_000;

/**
 * Sweeps the index at intervals: finishes recordings of lost nodes, removes their leftovers, and deletes recordings that are due.
 * The first sweep also finishes recordings that an earlier process left in the folder of this machine.
 */
export class RecordingSweeper {
  readonly #options: BucketRecordingStoreOptions;
  readonly #local: Recordings;
  readonly #archive: RecordingArchive;
  /** Recordings that are being started or taken over: a sweep skips them. */
  readonly #busy = new Map<string, Promise<unknown>>();
  /** Recordings whose failed deletion was reported. */
  readonly #undeleted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #sweep: Promise<void> | undefined;
  #cleanUpAtMs = 0;
  #isRecovered = false;
  #isClosed = false;

  constructor(options: BucketRecordingStoreOptions, local: Recordings, archive: RecordingArchive) {
    this.#options = options;
    this.#local = local;
    this.#archive = archive;
  }

  /** Sweeps now, and from now on at intervals. Resolves after the first sweep. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#startSweep(), this.#options.sweepMs ?? 5_000);
    this.#timer.unref();
    await this.#startSweep();
  }

  /** Makes sweeps skip a recording until `work` settles. */
  async exempt<Result>(sessionId: string, work: Promise<Result>): Promise<Result> {
    this.#busy.set(sessionId, work);
    try {
      return await work;
    } finally {
      this.#busy.delete(sessionId);
    }
  }

  /** Ends the current sweep, and starts no other. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#sweep;
  }

  /** Waits until no recording is being started or taken over. */
  async waitForIdle(): Promise<void> {
    await Promise.allSettled(this.#busy.values());
  }

  #startSweep(): Promise<void> {
    this.#sweep ??= this.#sweepOnce()
      .catch((error: unknown) => this.#warn("-", "index could not be swept; retrying", error))
      .finally(() => (this.#sweep = undefined));
    return this.#sweep;
  }

  async #sweepOnce(): Promise<void> {
    const { index, lease = () => 0 } = this.#options;
    if (lease() === undefined) return;
    if (!this.#isRecovered) await this.#recoverLocal();
    for (const state of await index.takeUnfinished(Math.max(0, maxTakenOver - this.#busy.size))) {
      const { sessionId } = state;
      if (this.#busy.has(sessionId) || this.#local.unfinished.includes(sessionId) || this.#isClosed) continue;
      void this.exempt(sessionId, this.#takeOver(state));
    }
    for (const state of await index.takeDue(readBucketClock(this.#options), maxDeleted)) await this.#delete(state);
    await index.forget(readBucketClock(this.#options));
    await this.#cleanUp();
  }

  /** Removes leftovers of lost nodes from the bucket. */
  async #cleanUp(): Promise<void> {
    if (performance.now() < this.#cleanUpAtMs) return;
    const recordings = await this.#options.index.takeDone(maxCleanedUp);
    for (const recording of recordings) await this.#archive.cleanUp(recording);
    if (recordings.length < maxCleanedUp) this.#cleanUpAtMs = performance.now() + cleanUpMs;
  }

  /** Finishes recordings that an earlier process left in the folder, unless another node has taken them over. */
  async #recoverLocal(): Promise<void> {
    for (const id of this.#local.ids) {
      if (this.#archive.ships(id) || this.#busy.has(id)) continue;
      if ((await this.#options.index.claim(id)) === "taken") await this.#local.remove(id);
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
      await this.#archive.stopShipping(sessionId);
      await this.#local.remove(sessionId);
      await objects.deleteAll(buildRecordingFolder(sessionId));
      await index.change({ ...state, stage: { name: "deleted" } }, null);
      if (this.#undeleted.delete(sessionId)) this.#warn(sessionId, "is deleted now");
    } catch (error) {
      if (!this.#undeleted.has(sessionId))
        this.#warn(sessionId, "could not be deleted when it expired; retrying", error);
      this.#undeleted.add(sessionId);
    }
  }

  #warn(sessionId: string, what: string, error?: unknown): void {
    warn(this.#options, sessionId, what, error);
  }
}
