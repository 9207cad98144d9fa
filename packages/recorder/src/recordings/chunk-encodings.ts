import { access } from "node:fs/promises";
import { join } from "node:path";
import { chunkFile, chunksIn, type JournalChunk } from "../journal/chunk.ts";
import { encodeChunk, joinChunks, type EncodeOptions } from "../encoding/encoder.ts";
import type { RecordingContext } from "./recording-context.ts";
import type { RecordingState } from "./recording-state.ts";

/** Most attempts to encode a chunk within one attempt to finish the recording. */
const maxAttempts = 3;

/** Encodes the chunks of one recording, each once, as jobs of the queue. */
export class ChunkEncodings {
  readonly #folder: string;
  readonly #sessionId: string;
  readonly #viewport: RecordingState["viewport"];
  readonly #context: RecordingContext;
  /** Aborts when the recording is deleted. */
  readonly #deletion: AbortSignal;
  /** Active encodings, by the start of the chunk. */
  readonly #encodings = new Map<number, Promise<void>>();

  constructor(
    folder: string,
    { sessionId, viewport }: Pick<RecordingState, "sessionId" | "viewport">,
    context: RecordingContext,
    deletion: AbortSignal,
  ) {
    this.#folder = folder;
    this.#sessionId = sessionId;
    this.#viewport = viewport;
    this.#context = context;
    this.#deletion = deletion;
  }

  /** Resolves when all encodings that are active now have settled. */
  async untilSettled(): Promise<void> {
    await Promise.allSettled(this.#encodings.values());
  }

  /**
   * Encodes the rest of the journal, and joins all chunks into the replay.
   *
   * @param lengthMs - Where the recording ends, in milliseconds from its start.
   */
  async encodeAll(lengthMs: number | undefined): Promise<RecordingState["stage"]> {
    const chunks = await chunksIn(this.#folder, lengthMs);
    const startMs = chunks[0]?.startMs;
    if (startMs === undefined) return { name: "empty" };
    const encoded = await Promise.allSettled(chunks.map((chunk) => this.encode(chunk, true)));
    const fault = encoded.find((one) => one.status === "rejected");
    if (fault) throw fault.reason;
    const durationMs = await this.#enqueue(true, (options) => joinChunks(chunks, options));
    return { name: "finished", startMs, durationMs };
  }

  /** Encodes a chunk, unless that is done. */
  encode(chunk: JournalChunk, isUrgent: boolean): Promise<void> {
    const encoding = this.#enqueue(isUrgent, async (options) => {
      if (await exists(join(this.#folder, chunkFile(chunk.startMs, "mp4")))) return;
      for (let left = maxAttempts - 1; ; left -= 1) {
        try {
          return await encodeChunk(chunk, this.#viewport, options);
        } catch (error) {
          if (left > 0 && !options.signal.aborted) this.#context.onEncoderFailure();
          if (left === 0 || options.signal.aborted) throw error;
        }
      }
    });
    this.#encodings.set(chunk.startMs, encoding);
    return encoding.finally(() => this.#encodings.delete(chunk.startMs));
  }

  #enqueue<T>(isUrgent: boolean, run: (options: EncodeOptions) => Promise<T>): Promise<T> {
    return this.#context.queue.add(this.#sessionId, isUrgent, async (current) => {
      const signal = AbortSignal.any([this.#deletion, current.signal, this.#context.signal]);
      signal.throwIfAborted();
      try {
        return await run({
          program: await this.#context.ffmpeg(),
          folder: this.#folder,
          signal,
          isUrgent: current.isUrgent,
        });
      } catch (error) {
        if (!signal.aborted) this.#context.onEncoderFailure();
        throw error;
      }
    });
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
