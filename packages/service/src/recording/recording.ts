import { access, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { chunkFile, chunksIn, type Chunk } from "./chunk.ts";
import type { EncodeQueue } from "./encode-queue.ts";
import { draftPrefix, encodeChunk, joinChunks, replayFolder, type EncodeOptions } from "./encoder.ts";
import { writeState, type RecordingState } from "./recording-state.ts";

/** What all recordings of a store share. Source: ours. */
export interface Workshop {
  /** Where encoders wait for their turn. */
  readonly queue: EncodeQueue;
  /** Finds the ffmpeg to run. */
  readonly ffmpeg: () => Promise<string>;
  /** Ends everything early. */
  readonly signal: AbortSignal;
  /** How long a recording is kept after the end of its session, in milliseconds. */
  readonly retentionMs: number;
  /** Told, in a sentence, of what does not go well. */
  readonly warn: (sessionId: string, what: string) => void;
}

/** How often a chunk is tried to be encoded. */
const tries = 3;

/** The files and the state of one session's recording. Source: ours. */
export class Recording {
  /** Where its files are. */
  readonly folder: string;
  readonly #workshop: Workshop;
  readonly #encodings = new Map<number, Promise<void>>();
  readonly #deletion = new AbortController();
  #state: RecordingState;
  #finishing: Promise<void> | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(folder: string, state: RecordingState, workshop: Workshop) {
    this.folder = folder;
    this.#state = state;
    this.#workshop = workshop;
  }

  /** What is known of it. */
  get state(): RecordingState {
    return this.#state;
  }

  /** Settles when nothing is being encoded for it any more; undefined while its session is open. */
  get finishing(): Promise<void> | undefined {
    return this.#finishing;
  }

  /** Changes its state, in the file first. */
  async update(change: Partial<RecordingState>): Promise<void> {
    const written = this.#writing.then(async () => {
      const state = { ...this.#state, ...change };
      await writeState(this.folder, state);
      this.#state = state;
    });
    this.#writing = written.catch(() => undefined);
    await written;
  }

  /** A chunk is complete while the session goes on. */
  async chunkIsComplete(chunk: Chunk): Promise<void> {
    try {
      await this.#encode(chunk, false);
      await rm(join(this.folder, chunkFile(chunk.startMs, "journal")), { force: true });
    } catch {
      // Tried again when the session has ended.
    }
  }

  /**
   * The session has ended, and nothing more is captured: makes the replay. Resolves when that has begun.
   *
   * @param endedAtMs - When, in milliseconds since 1970. Default: at the last moment that was captured, because the process died then.
   */
  async finish(endedAtMs?: number): Promise<void> {
    const { stage, startedAtMs } = this.#state;
    if (stage.name === "recording") {
      const endMs = endedAtMs ?? startedAtMs + ((await chunksIn(this.folder)).at(-1)?.endMs ?? 0);
      const deleteAtMs = endMs + this.#workshop.retentionMs;
      await this.update({ stage: { name: "ended" }, endedAtMs: Math.round(endMs), deleteAtMs: Math.round(deleteAtMs) });
    }
    this.#finishing ??= this.#finish().catch((error: unknown) => {
      if (this.#signal.aborted) return;
      this.#workshop.warn(
        this.#state.sessionId,
        `could not be finished: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }

  /** Deletes all but a note that it was there. */
  async delete(): Promise<void> {
    this.#deletion.abort();
    await Promise.allSettled([this.#finishing, ...this.#encodings.values()]);
    await this.update({ stage: { name: "deleted" } });
    await this.#clear(() => true);
  }

  /** Removes what was left by a process that died. */
  async tidy(): Promise<void> {
    const { name } = this.#state.stage;
    if (name === "deleted") return this.#clear(() => true);
    await this.#clear((file) => file.startsWith(draftPrefix) || (name === "finished" && file.startsWith("chunk-")));
  }

  get #signal(): AbortSignal {
    return AbortSignal.any([this.#deletion.signal, this.#workshop.signal]);
  }

  async #finish(): Promise<void> {
    this.#workshop.queue.hurry(this.#state.sessionId);
    await Promise.allSettled(this.#encodings.values());
    const chunks = await chunksIn(this.folder);
    const startMs = chunks[0]?.startMs;
    if (startMs === undefined) {
      await this.update({ stage: { name: "failed", why: "the session had no page that could be recorded" } });
      return this.#clear((file) => file.startsWith("chunk-"));
    }
    await Promise.all(chunks.map((chunk) => this.#encode(chunk, true)));
    const durationMs = await this.#queued(true, (options) => joinChunks(chunks, options));
    await this.update({ stage: { name: "finished", startMs, durationMs } });
    await this.#clear((file) => file.startsWith("chunk-"));
  }

  #encode(chunk: Chunk, isUrgent: boolean): Promise<void> {
    const encoding = this.#queued(isUrgent, async (options) => {
      if (await exists(join(this.folder, chunkFile(chunk.startMs, "mp4")))) return;
      for (let left = tries - 1; ; left -= 1) {
        try {
          return await encodeChunk(chunk, this.#state.viewport, options);
        } catch (error) {
          if (left === 0 || options.signal.aborted) throw error;
        }
      }
    });
    this.#encodings.set(chunk.startMs, encoding);
    return encoding.finally(() => this.#encodings.delete(chunk.startMs));
  }

  #queued<T>(isUrgent: boolean, run: (options: EncodeOptions) => Promise<T>): Promise<T> {
    return this.#workshop.queue.add(this.#state.sessionId, isUrgent, async () => {
      const signal = this.#signal;
      signal.throwIfAborted();
      return run({ program: await this.#workshop.ffmpeg(), folder: this.folder, signal, isUrgent });
    });
  }

  async #clear(isOld: (file: string) => boolean): Promise<void> {
    const files = (await readdir(this.folder)).filter((file) => file !== "recording.json" && isOld(file));
    await Promise.all(files.map((file) => rm(join(this.folder, file), { recursive: true, force: true })));
  }
}

/** Where a file of a finished replay is. Source: ours. */
export function replayPath(recording: Recording, file: string): string {
  return join(recording.folder, replayFolder, file);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
