import { rm } from "node:fs/promises";
import type { Recording } from "./recording.ts";
import { Retention, type Perishable, type RetentionOptions } from "./retention.ts";

/** How recordings are deleted. */
export interface DeletionsOptions extends RetentionOptions {
  /** Called when the tombstone of a recording is removed, too: it is unknown from now on. */
  readonly onForgotten: (sessionId: string) => void;
  /** Called with a sentence on a problem. */
  readonly warn: (sessionId: string, what: string) => void;
}

/** How long it is known that a recording was deleted, in milliseconds: a week. */
const noteMs = 7 * 24 * 3_600_000;

/** Deletes recordings in their time, and later the notes that they were there. */
export class Deletions {
  readonly #options: DeletionsOptions;
  readonly #retention: Retention;
  readonly #perishables = new Map<string, Perishable>();
  /** Those of which files could not be deleted in their time. */
  readonly #undeleted = new Set<string>();
  #isClosed = false;

  constructor(options: DeletionsOptions) {
    this.#options = options;
    this.#retention = new Retention(options);
  }

  /** Returns whether the time of a recording is over, and not all of its files could be deleted. */
  isLate(sessionId: string): boolean {
    return this.#undeleted.has(sessionId);
  }

  /** Reports that files of a recording which is deleted are still there. */
  setLate(sessionId: string): void {
    this.#undeleted.add(sessionId);
  }

  /** Watches a recording from now on, or anew because it is known by now when it is due. */
  watch(recording: Recording): void {
    if (this.#isClosed) return;
    const { sessionId } = recording.state;
    const isNote = (): boolean => recording.state.stage.name === "deleted" && !this.isLate(sessionId);
    const perishable: Perishable = this.#perishables.get(sessionId) ?? {
      dueMs: () => {
        const { deleteAtMs } = recording.state;
        return deleteAtMs === undefined ? undefined : deleteAtMs + (isNote() ? noteMs : 0);
      },
      remove: () => (isNote() ? this.#forget(recording) : this.#delete(recording)),
      onFailure: (error) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#options.warn(sessionId, `could not be deleted when it expired; retrying: ${why}`);
      },
    };
    this.#perishables.set(sessionId, perishable);
    this.#retention.watch(perishable);
  }

  /** Watches a recording no more: it is not here any more. */
  unwatch(sessionId: string): void {
    const perishable = this.#perishables.get(sessionId);
    if (perishable) this.#retention.forget(perishable);
    this.#perishables.delete(sessionId);
    this.#undeleted.delete(sessionId);
  }

  /** Stops deleting. Resolves when nothing is being deleted any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#retention.close();
  }

  async #delete(recording: Recording): Promise<void> {
    const { sessionId } = recording.state;
    try {
      await recording.delete();
    } catch (error) {
      this.setLate(sessionId);
      throw error;
    }
    if (this.#undeleted.delete(sessionId)) this.#options.warn(sessionId, "is deleted now");
    this.watch(recording);
  }

  async #forget(recording: Recording): Promise<void> {
    const { sessionId } = recording.state;
    await rm(recording.folder, { recursive: true, force: true });
    this.unwatch(sessionId);
    this.#options.onForgotten(sessionId);
  }
}
