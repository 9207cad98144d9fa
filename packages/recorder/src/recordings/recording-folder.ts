import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { adoptedFolder, removeUnfinished } from "./adopted-folder.ts";
import { Deletions } from "./deletions.ts";
import type { RecordingContext } from "./recording-context.ts";
import { readState, unreadableState, type RecordingState } from "./recording-state.ts";
import { Recording } from "./recording.ts";
import { describeRecorderError } from "../recorder-error.ts";

/** The ids that may name the folder of a recording. */
export const idPattern = /^[\w-]{1,128}$/u;

/** A folder that appeared while the process runs, and has no state yet, may be being copied until it has not changed for so long, in milliseconds. */
const copiedAfterMs = 60_000;

/** Options of a folder of recordings. */
export interface RecordingFolderOptions {
  /** Its path. */
  readonly path: string;
  /** Returns the current time. */
  readonly clock: Clock;
  /** Interval of the sweeps that delete recordings, in milliseconds. */
  readonly sweepMs: number;
  /** Dependencies that all recordings share. */
  readonly context: RecordingContext;
}

/** Loads, finishes, adopts and deletes the recordings in a folder. Each has a subfolder with its state and files. */
export class RecordingFolder {
  readonly #options: RecordingFolderOptions;
  readonly #context: RecordingContext;
  readonly #recordings = new Map<string, Recording>();
  /** Recoveries of recordings that an earlier process or another machine left unfinished, by session. */
  readonly #recoveries = new Map<string, Promise<void>>();
  readonly #deletions: Deletions;
  #isLoaded = false;

  constructor(options: RecordingFolderOptions) {
    const { clock, sweepMs, context } = options;
    this.#options = options;
    this.#context = context;
    this.#deletions = new Deletions({
      clock,
      sweepMs,
      beforeSweep: () => this.#loadNew(),
      onForgotten: (sessionId) => void this.#recordings.delete(sessionId),
      warn: context.warn,
    });
  }

  /** Removes folders that an earlier process left half adopted. */
  async removeUnfinished(): Promise<void> {
    await removeUnfinished(this.#options.path);
  }

  /** Loads all recordings that are in the folder. */
  async load(): Promise<void> {
    for (const id of await this.#unknown()) await this.#tryLoad(id);
    this.#isLoaded = true;
  }

  /** Loads recordings that another process has put into the folder. */
  async #loadNew(): Promise<void> {
    if (!this.#isLoaded) return; // it would load some of them twice
    for (const id of await this.#unknown()) {
      if (await this.#isComplete(id).catch(() => false)) await this.#tryLoad(id);
    }
  }

  /** Ids of the recordings that are in the folder, and not known. */
  async #unknown(): Promise<readonly string[]> {
    const entries = await readdir(this.#options.path, { withFileTypes: true });
    const ids = entries.flatMap((entry) => (entry.isDirectory() && idPattern.test(entry.name) ? entry.name : []));
    return ids.filter((id) => !this.#recordings.has(id));
  }

  /** Returns whether a recording that appeared has its state, or has had enough time to get it. */
  async #isComplete(id: string): Promise<boolean> {
    if (await readState(this.buildPath(id))) return true;
    const { mtimeMs } = await stat(this.buildPath(id));
    return Math.abs(this.#options.clock.now() - mtimeMs) > copiedAfterMs;
  }

  /** All recordings. */
  get all(): readonly Recording[] {
    return [...this.#recordings.values()];
  }

  /** The recordings that are open, or not finished. */
  get unfinished(): readonly Recording[] {
    return this.all.filter(isUnfinished);
  }

  /** Returns the recording of a session; undefined when it is unknown. */
  get(sessionId: string): Recording | undefined {
    return this.#recordings.get(sessionId);
  }

  /** Adds a new recording with the given state. Its folder is not made. */
  add(state: RecordingState): Recording {
    const recording = new Recording(this.buildPath(state.sessionId), state, this.#context);
    this.#recordings.set(state.sessionId, recording);
    return recording;
  }

  /** Forgets a recording that could not be started. */
  forget(sessionId: string): void {
    this.#recordings.delete(sessionId);
  }

  /** The path of the folder of one recording. */
  buildPath(sessionId: string): string {
    return join(this.#options.path, sessionId);
  }

  /** Returns whether a deletion is late. */
  isUndeleted(sessionId: string): boolean {
    return this.#deletions.isLate(sessionId);
  }

  /** Finishes a recording that an earlier process or another machine began. Resolves after the first attempt. */
  async recover(recording: Recording): Promise<void> {
    const { sessionId } = recording.state;
    const recovery = recording.finish().then(async () => {
      this.watch(recording);
      await recording.attempt;
    });
    this.#recoveries.set(sessionId, recovery);
    await recovery;
    this.#recoveries.delete(sessionId);
  }

  /** Returns the current attempt to finish a recording; undefined when none is in progress. */
  attempt(sessionId: string): Promise<unknown> | undefined {
    return this.#recoveries.get(sessionId) ?? this.#recordings.get(sessionId)?.attempt;
  }

  /** Finishes a recording that another machine began, as `Recordings.adopt` says. */
  async adopt(state: RecordingState, fill: (folder: string) => Promise<void>): Promise<void> {
    await this.remove(state.sessionId);
    await adoptedFolder(this.#options.path, state, fill);
    await this.#load(state.sessionId);
    const adopted = this.#recordings.get(state.sessionId);
    if (adopted && isUnfinished(adopted)) await this.recover(adopted);
  }

  /** Removes a recording from the folder and forgets it; stops an attempt to finish it. */
  async remove(sessionId: string): Promise<void> {
    const recording = this.#recordings.get(sessionId);
    if (!recording) return;
    this.#deletions.unwatch(sessionId);
    await recording.remove();
    if (this.#recordings.get(sessionId) === recording) this.#recordings.delete(sessionId);
  }

  /** Deletes a recording once it is due, or as soon as the archive has it. */
  watch(recording: Recording): void {
    this.#deletions.watch(recording);
    const { sessionId } = recording.state;
    void recording.finishing?.then(async () => {
      if (!recording.isArchived || this.#recordings.get(sessionId) !== recording) return;
      await this.remove(sessionId).catch((error: unknown) => this.#warnOfFiles(sessionId, error));
    });
  }

  /**
   * Deletes a recording that is finished before it is due.
   *
   * @throws {Error} When not all of its files could be removed. It is known as deleted all the same, and that is tried again.
   */
  async expire(recording: Recording): Promise<void> {
    recording.expire();
    await this.#deletions.delete(recording);
  }

  /** Stops deleting. Resolves when nothing is being deleted any more. */
  async close(): Promise<void> {
    await this.#deletions.close();
  }

  async #tryLoad(id: string): Promise<void> {
    await this.#load(id).catch((error: unknown) =>
      this.#context.warn(id, `can't be read: ${describeRecorderError(error)}`),
    );
  }

  async #load(id: string): Promise<void> {
    let read = await readState(this.buildPath(id));
    if (!read) {
      read = await unreadableState(this.buildPath(id), id, this.#context.retentionMs);
      this.#context.warn(id, "is kept until its retention time is over, but its state could not be read");
    }
    // Nothing is kept longer than from now on: the clock was set back, or another process wrote when it is due.
    const latestMs = this.#options.clock.now() + (read.retentionMs ?? this.#context.retentionMs);
    const state = read.deleteAtMs === undefined ? read : { ...read, deleteAtMs: Math.min(read.deleteAtMs, latestMs) };
    const recording = this.add(state);
    await recording.cleanUp().catch((error: unknown) => {
      if (state.stage.name === "deleted") this.#deletions.setLate(id);
      this.#warnOfFiles(id, error);
    });
    this.#deletions.watch(recording);
  }

  #warnOfFiles(sessionId: string, error: unknown): void {
    this.#context.warn(sessionId, `has files left that could not be removed: ${describeRecorderError(error)}`);
  }
}

/** Returns whether a recording is open, or not finished. */
export function isUnfinished({ state: { stage } }: Recording): boolean {
  return stage.name === "recording" || stage.name === "ended";
}
