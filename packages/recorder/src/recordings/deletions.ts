import { rm } from "node:fs/promises";
import type { Recording } from "./recording.ts";
import { Retention, type RetainedItem, type RetentionOptions } from "./retention.ts";
import { describeRecorderError } from "../recorder-error.ts";

/** Options of the deletion of recordings. */
export interface DeletionsOptions extends RetentionOptions {
  /** Called when the tombstone of a recording is removed; from then on it is unknown. */
  readonly onForgotten: (sessionId: string) => void;
  /** Called with a sentence on a problem. */
  readonly warn: (sessionId: string, what: string) => void;
}

/** Retention time of the tombstone of a deleted recording, in milliseconds: a week. */
const tombstoneMs = 7 * 24 * 3_600_000;

/** Deletes recordings when they expire, and their tombstones later. */
export class Deletions {
  readonly #options: DeletionsOptions;
  readonly #retention: Retention;
  readonly #items = new Map<string, RetainedItem>();
  /** Recordings of which files could not be deleted when they expired. */
  readonly #undeleted = new Set<string>();
  #isClosed = false;

  constructor(options: DeletionsOptions) {
    this.#options = options;
    this.#retention = new Retention(options);
  }

  /** Returns whether a recording has expired, and not all of its files could be deleted. */
  isLate(sessionId: string): boolean {
    return this.#undeleted.has(sessionId);
  }

  /** Reports that files of a recording which is deleted are still there. */
  setLate(sessionId: string): void {
    this.#undeleted.add(sessionId);
  }

  /** Deletes a recording when it is due. Called again when it is known, or changed, when that is. */
  watch(recording: Recording): void {
    if (this.#isClosed) return;
    const { sessionId } = recording.state;
    const isTombstone = (): boolean => recording.state.stage.name === "deleted" && !this.isLate(sessionId);
    const item: RetainedItem = this.#items.get(sessionId) ?? {
      dueMs: () => {
        const { deleteAtMs } = recording.state;
        return deleteAtMs === undefined ? undefined : deleteAtMs + (isTombstone() ? tombstoneMs : 0);
      },
      remove: () => (isTombstone() ? this.#forget(recording) : this.delete(recording)),
      onFailure: (error) => {
        const why = describeRecorderError(error);
        this.#options.warn(sessionId, `could not be deleted when it expired; retrying: ${why}`);
      },
    };
    this.#items.set(sessionId, item);
    this.#retention.watch(item);
  }

  /**
   * Deletes a recording now.
   *
   * @throws {Error} When not all of its files could be removed; that is tried again.
   */
  async delete(recording: Recording): Promise<void> {
    const { sessionId } = recording.state;
    try {
      await recording.delete();
    } catch (error) {
      this.setLate(sessionId);
      this.watch(recording);
      throw error;
    }
    if (this.#undeleted.delete(sessionId)) this.#options.warn(sessionId, "is deleted now");
    this.watch(recording);
  }

  /** Forgets a recording, whose files were moved or removed. */
  unwatch(sessionId: string): void {
    const item = this.#items.get(sessionId);
    if (item) this.#retention.forget(item);
    this.#items.delete(sessionId);
    this.#undeleted.delete(sessionId);
  }

  /** Stops deleting. Resolves when nothing is being deleted any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#retention.close();
  }

  async #forget(recording: Recording): Promise<void> {
    const { sessionId } = recording.state;
    await rm(recording.folder, { recursive: true, force: true });
    this.unwatch(sessionId);
    this.#options.onForgotten(sessionId);
  }
}
