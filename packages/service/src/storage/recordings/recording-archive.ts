import { randomUUID } from "node:crypto";
import { join } from "node:path";
import pTimeout from "p-timeout";
import type { Archive, DoneRecording, Recorder, RecordingState } from "@cloud-browser/recorder";
import type { TakenRecording } from "../recording-index.ts";
import { warn, type BucketRecordingStoreOptions } from "./bucket-recording-options.ts";
import { buildJournalFolder, buildRecordingFolder } from "./journal-parts.ts";
import { JournalShipper } from "./journal-shipper.ts";
import { storeTimeline } from "./bucket-timeline.ts";
import { storeReplay } from "./stored-replay.ts";

/** How long {@link RecordingArchive.close} waits for pending uploads, in milliseconds. */
const closeMs = 5_000;

/**
 * Stores the recordings of this process in the bucket: ships journals while sessions are open, uploads replays once they are encoded, and
 * writes each change of state to the index, in order.
 */
export class RecordingArchive implements Archive {
  readonly #options: BucketRecordingStoreOptions;
  readonly #shippers = new Map<string, JournalShipper>();
  /** By session, a promise that settles when its journal is shipped and the index has its end, or shipping has stopped. */
  readonly #unsecured = new Map<string, PromiseWithResolvers<void>>();
  /** By session, the changes of state that are being written to the index. */
  readonly #changes = new Map<string, Promise<void>>();

  constructor(options: BucketRecordingStoreOptions) {
    this.#options = options;
  }

  /**
   * Ships the journal of a recording until it ends.
   *
   * @param lease - The lease under which its session began: without it, nothing is shipped any more.
   */
  ship(sessionId: string, recorder: Recorder, lease: number | undefined): void {
    const { objects, local, everyMs, retryDelaysMs, lease: currentLease = () => 0 } = this.#options;
    const shipper = new JournalShipper({
      sessionId,
      folder: join(local.folder, sessionId),
      listFiles: () => recorder.files,
      objects,
      mayShip: () => lease !== undefined && currentLease() === lease,
      onFault: (error) => {
        if (error === undefined) this.#warn(sessionId, "is shipped again");
        else this.#warn(sessionId, "can't be shipped; retrying", error);
      },
      ...(everyMs !== undefined && { everyMs }),
      ...(retryDelaysMs && { retryDelaysMs }),
    });
    this.#shippers.set(sessionId, shipper);
    this.#unsecured.set(sessionId, Promise.withResolvers());
  }

  /** Waits until the journal of an ending session is in the bucket, or shipping has stopped; at most the given milliseconds. */
  async waitUntilSecured(sessionId: string, waitMs: number): Promise<void> {
    const secured = this.#unsecured.get(sessionId)?.promise;
    if (secured) await pTimeout(secured, { milliseconds: waitMs, fallback: () => undefined });
  }

  /** Returns whether the journal of a recording is being shipped from here. */
  ships(sessionId: string): boolean {
    return this.#shippers.has(sessionId);
  }

  /** Stops shipping a recording, and waits until the index has its last state. */
  async stopShipping(sessionId: string): Promise<void> {
    await this.#shippers.get(sessionId)?.stop();
    this.#shippers.delete(sessionId);
    this.#setSecured(sessionId);
    await this.#changes.get(sessionId);
  }

  /** Writes the state of a recording to the index, in the order of the changes; its end only after all of its journal is shipped. */
  readonly onState = (state: RecordingState): void => {
    const { sessionId, stage } = state;
    if (stage.name !== "recording" && stage.name !== "ended") return;
    const before = this.#changes.get(sessionId) ?? Promise.resolve();
    const change = before
      .then(async () => {
        if (stage.name === "ended") await this.#shippers.get(sessionId)?.finish();
        await this.#options.index.change(state, null);
      })
      .catch((error: unknown) => this.#warn(sessionId, "changed, but its state could not be stored", error))
      .finally(() => {
        if (stage.name === "ended") this.#setSecured(sessionId);
        if (this.#changes.get(sessionId) === change) this.#changes.delete(sessionId);
      });
    this.#changes.set(sessionId, change);
  };

  /** Uploads a replay and then publishes it, unless another node has taken the recording over. */
  readonly store = async (done: DoneRecording): Promise<boolean> => {
    const { sessionId } = done.state;
    const owner = await this.#options.index.claim(sessionId);
    if (owner === "unknown") return false;
    if (owner === "own") await this.#storeReplay(done);
    await this.stopShipping(sessionId);
    return true;
  };

  /** Removes all objects of a finished recording except its replay. */
  async cleanUp({ sessionId, folder }: TakenRecording): Promise<void> {
    await this.#remove(sessionId, () => this.#listFoldersBeside(folder, sessionId));
  }

  /** Age of the oldest bytes that are not shipped, in milliseconds; 0 when all are. */
  get lagMs(): number {
    return Math.max(0, ...[...this.#shippers.values()].map(({ lagMs }) => lagMs));
  }

  /** Bytes that are not shipped. */
  get unshippedBytes(): number {
    return [...this.#shippers.values()].reduce((sum, { unshippedBytes }) => sum + unshippedBytes, 0);
  }

  /** Ships the rest, for 5 seconds at most, and stops. */
  async close(): Promise<void> {
    const shippers = [...this.#shippers.values()];
    const shipping = Promise.all([...shippers.map((shipper) => shipper.finish()), ...this.#changes.values()]);
    await pTimeout(shipping, { milliseconds: closeMs, fallback: () => undefined });
    await Promise.all(shippers.map((shipper) => shipper.stop()));
    await Promise.allSettled(this.#changes.values());
  }

  async #storeReplay({ state, folder, timeline, signal }: DoneRecording): Promise<void> {
    const { index, objects } = this.#options;
    const { sessionId, stage } = state;
    const to = stage.name === "finished" ? `${buildRecordingFolder(sessionId)}/replay-${randomUUID()}` : null;
    if (stage.name === "finished" && to !== null) {
      await storeReplay(objects, stage, { from: folder, to, signal }).catch(async (error: unknown) => {
        await objects.deleteAll(to).catch(() => undefined); // what remains is deleted with the recording
        throw error;
      });
    }
    await storeTimeline(objects, sessionId, timeline);
    await this.stopShipping(sessionId);
    const isKept = await index.change(state, to);
    await this.#remove(sessionId, async () => (isKept ? this.#listFoldersBeside(to, sessionId) : [to]));
  }

  async #remove(sessionId: string, folders: () => Promise<readonly (string | null)[]>): Promise<void> {
    try {
      for (const one of await folders()) if (one !== null) await this.#options.objects.deleteAll(one);
    } catch (error) {
      this.#warn(sessionId, "has files left until it is deleted", error);
    }
  }

  /** The folders that are not needed once a replay is stored: the journal, and replays that nodes were storing when they died. */
  async #listFoldersBeside(replay: string | null, sessionId: string): Promise<readonly string[]> {
    const all = await this.#options.objects.list(buildRecordingFolder(sessionId));
    const replays = all.flatMap(({ key }) => /^recordings\/[^/]+\/replay-[^/]+(?=\/)/u.exec(key) ?? []);
    return [...new Set([buildJournalFolder(sessionId), ...replays])].filter((folder) => folder !== replay);
  }

  #setSecured(sessionId: string): void {
    this.#unsecured.get(sessionId)?.resolve();
    this.#unsecured.delete(sessionId);
  }

  #warn(sessionId: string, what: string, error?: unknown): void {
    warn(this.#options, sessionId, what, error);
  }
}
