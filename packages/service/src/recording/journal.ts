import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { chunkFile, segmentMs, type Chunk } from "./chunk.ts";
import { journalSignature, recordHead, type JournalRecord } from "./journal-format.ts";

/** What a journal is opened with. Source: ours. */
export interface JournalOptions {
  /** Folder that the chunks are written to; there already. */
  readonly folder: string;
  /** Told of each chunk that is complete while the journal goes on; not of the last one. */
  readonly onChunk: (chunk: Chunk) => void;
  /** How long a chunk is, in milliseconds; rounded down to whole segments. Default: 120,000. */
  readonly chunkMs?: number;
}

/** A chunk that has grown to this many bytes, some twenty pictures, ends with its segment: what is left to encode at the end is little. */
const chunkBytes = 2 * 2 ** 20;
const nothing = new Uint8Array();

/**
 * What the screen of a session looked like, appended to files as it happens.
 * Once a call has resolved, what it wrote outlives the death of this process (not of the machine).
 * A call made while another one is under way waits for it. After a write that failed, every call fails.
 *
 * Source: ours.
 */
export class Journal {
  readonly #options: JournalOptions;
  #queue: Promise<unknown> = Promise.resolve();
  #file: FileHandle | undefined;
  #failure: Error | undefined;
  #startMs = 0;
  #lastMs = 0;
  #chunkSize = 0;
  #lastJpeg: Uint8Array = nothing;
  #size = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /** The screen changed. The moment is in milliseconds from the start of the session; one before that of an earlier call is moved to it. */
  picture(atMs: number, jpeg: Uint8Array): Promise<void> {
    return this.#add("picture", atMs, jpeg);
  }

  /** The screen is as it was. Changes nothing while there is no picture. */
  still(atMs: number): Promise<void> {
    return this.#add("still", atMs, nothing);
  }

  /** The session has ended; closes the file. Resolves also when there was no picture, or when an earlier write failed. */
  async end(atMs: number): Promise<void> {
    await this.#add("end", atMs, nothing).catch(() => undefined);
    await this.#file?.close();
    this.#file = undefined;
    this.#failure ??= new Error("The journal has ended.");
  }

  #add(kind: JournalRecord["kind"], atMs: number, jpeg: Uint8Array): Promise<void> {
    const done = this.#queue.then(async () => {
      if (this.#failure) throw this.#failure;
      try {
        await this.#append({ kind, atMs: Math.max(Math.round(atMs), this.#lastMs), jpeg });
      } catch (cause) {
        this.#failure = cause instanceof Error ? cause : new Error("The journal could not be written.", { cause });
        throw this.#failure;
      }
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #append(record: JournalRecord): Promise<void> {
    if (!this.#file) {
      if (record.kind !== "picture") return;
      this.#file = await this.#begin(record.atMs);
    } else {
      await this.#turnOver(record.atMs);
    }
    this.#lastMs = record.atMs;
    if (record.kind === "picture") this.#lastJpeg = record.jpeg;
    await this.#write(recordHead(record), record.jpeg);
  }

  /** Starts the next chunk when this one is long enough, on the end of a segment, with the picture that shows then. */
  async #turnOver(atMs: number): Promise<void> {
    const age = atMs - this.#startMs;
    const whole = age - (age % segmentMs);
    const { chunkMs = 120_000, onChunk } = this.#options;
    if (whole === 0 || (whole < chunkMs && this.#chunkSize < chunkBytes)) return;
    const chunk = { startMs: this.#startMs, endMs: this.#startMs + whole };
    // What is written already of the segment that has begun stays in its chunk.
    if (this.#lastMs > chunk.endMs) return;
    await this.#file?.close();
    this.#file = undefined;
    this.#file = await this.#begin(chunk.endMs);
    const first: JournalRecord = { kind: "picture", atMs: chunk.endMs, jpeg: this.#lastJpeg };
    await this.#write(recordHead(first), first.jpeg);
    onChunk(chunk);
  }

  async #begin(startMs: number): Promise<FileHandle> {
    const file = await open(join(this.#options.folder, chunkFile(startMs, "journal")), "ax");
    this.#startMs = startMs;
    this.#chunkSize = 0;
    try {
      await file.write(journalSignature);
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  }

  async #write(head: Uint8Array, jpeg: Uint8Array): Promise<void> {
    const wanted = head.length + jpeg.length;
    const written = await this.#file?.writev(jpeg.length > 0 ? [head, jpeg] : [head]);
    if (written?.bytesWritten !== wanted) throw new Error("The journal could not be written: is the disk full?");
    this.#chunkSize += wanted;
    this.#size += wanted;
  }
}
