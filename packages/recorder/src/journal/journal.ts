import { open, rm, type FileHandle } from "node:fs/promises";
import { basename, join } from "node:path";
import { chunkFile, segmentMs, type JournalChunk } from "./chunk.ts";
import { journalSignature, recordHead, type JournalRecord } from "./journal-format.ts";

/** Options of a journal. */
export interface JournalOptions {
  /** Folder that the chunks are written to; there already. */
  readonly folder: string;
  /** Called with each chunk that is complete while the journal is open; not with the last one. */
  readonly onChunk: (chunk: JournalChunk) => void;
  /** Called with the time of the first picture that could not be written; later pictures may be lost. */
  readonly onGap?: (fromMs: number) => void;
  /** Called when pictures are written again, with the time of the first one: the start of the gap when nothing was lost. */
  readonly onGapEnd?: (toMs: number) => void;
  /** Length of a chunk, in milliseconds; rounded down to whole segments. Default: 120,000. */
  readonly chunkMs?: number;
}

/** A file of the journal. */
interface JournalFile {
  readonly path: string;
  readonly startMs: number;
  /** Undefined after a failure: opened again by the next write. */
  handle: FileHandle | undefined;
  /** Bytes of complete entries; any bytes after them are of a failed write. */
  bytes: number;
  isTorn: boolean;
}

/** Size at which a chunk ends with its segment, in bytes, some twenty pictures: so little is left to encode at the end. */
const chunkBytes = 2 * 2 ** 20;
const nothing = new Uint8Array();

/**
 * Appends pictures of a session's screen to files on disk as they are taken.
 * Data of a call that has resolved survives a crash of this process (not of the machine).
 * A call waits for those before it. A call whose write fails rejects; the newest picture is kept in
 * memory then, and every later call tries to write it first.
 */
export class Journal {
  readonly #options: JournalOptions;
  #queue: Promise<unknown> = Promise.resolve();
  #file: JournalFile | undefined;
  /** The newest picture that could not be written. */
  #unwritten: JournalRecord | undefined;
  #isFailing = false;
  #endMs: number | undefined;
  #hasEnded = false;
  #lastMs = 0;
  readonly #whole = new Map<string, number>();
  #lastJpeg: Uint8Array = nothing;
  #size = 0;

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /**
   * Complete bytes of each file, by its name, in the order of creation. They never change.
   */
  get files(): ReadonlyMap<string, number> {
    return this.#whole;
  }

  /** Records that the screen changed. The moment is in milliseconds from the start of the session; one before that of an earlier call is moved to it. */
  picture(atMs: number, jpeg: Uint8Array): Promise<void> {
    return this.#add({ kind: "picture", atMs, jpeg });
  }

  /** Records that the screen has not changed. Does nothing before the first picture. */
  still(atMs: number): Promise<void> {
    return this.#add({ kind: "still", atMs, jpeg: nothing });
  }

  /**
   * The session has ended; closes the file. Nothing more can be added.
   * Rejects when the rest could not be written: call it again to retry. The moment of the first call counts.
   */
  end(atMs: number): Promise<void> {
    this.#endMs ??= atMs;
    return this.#enqueue(async (endMs) => {
      if (this.#hasEnded) return;
      try {
        await this.#append({ kind: "end", atMs: endMs, jpeg: nothing });
        this.#hasEnded = true;
      } finally {
        await this.#close();
      }
    }, this.#endMs);
  }

  async #add(record: JournalRecord): Promise<void> {
    if (this.#endMs !== undefined) throw new Error("the journal has ended");
    await this.#enqueue((one) => this.#append(one), record);
  }

  #enqueue<T>(work: (what: T) => Promise<void>, what: T): Promise<void> {
    const done = this.#queue.then(() => work(what));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #append(record: JournalRecord): Promise<void> {
    try {
      const late = this.#unwritten;
      if (late) {
        await this.#write(late);
        this.#unwritten = undefined;
        this.#options.onGapEnd?.(late.atMs);
      }
      await this.#write(record);
      this.#isFailing = false;
    } catch (error) {
      this.#isFailing = true;
      if (record.kind === "picture") {
        const atMs = this.#clampedMs(record.atMs);
        if (!this.#unwritten) this.#options.onGap?.(atMs);
        this.#unwritten = { ...record, atMs };
      }
      throw error;
    }
  }

  async #write(newest: JournalRecord): Promise<void> {
    const record = { ...newest, atMs: this.#clampedMs(newest.atMs) };
    if (this.#file) await this.#rotate(this.#file, record.atMs);
    else if (record.kind !== "picture") return;
    const file = (this.#file ??= await this.#begin(record.atMs));
    await this.#put(file, recordHead(record), record.jpeg);
    this.#lastMs = record.atMs;
    if (record.kind === "picture") this.#lastJpeg = record.jpeg;
  }

  #clampedMs(atMs: number): number {
    return Math.max(Math.round(atMs), this.#lastMs);
  }

  /**
   * Starts the next chunk when this one is long enough, on the end of a segment, with the picture that shows then.
   * When writes fail, the next segment is reason enough: it may be this file that can't be written. It stays until the next one can be.
   */
  async #rotate(file: JournalFile, atMs: number): Promise<void> {
    const age = atMs - file.startMs;
    const whole = age - (age % segmentMs);
    const { chunkMs = 120_000, onChunk } = this.#options;
    if (whole === 0 || (whole < chunkMs && file.bytes < chunkBytes && !this.#isFailing)) return;
    const chunk = { startMs: file.startMs, endMs: file.startMs + whole };
    // What is written already of the segment that has begun stays in its chunk.
    if (this.#lastMs > chunk.endMs) return;
    const first = recordHead({ kind: "picture", atMs: chunk.endMs, jpeg: this.#lastJpeg });
    const next = await this.#begin(chunk.endMs, first, this.#lastJpeg);
    await this.#close();
    this.#file = next;
    onChunk(chunk);
  }

  /** Creates the file of a chunk; leaves no file behind when that fails. */
  async #begin(startMs: number, ...first: readonly Uint8Array[]): Promise<JournalFile> {
    const path = join(this.#options.folder, chunkFile(startMs, "journal"));
    const file = { path, startMs, handle: await open(path, "ax"), bytes: 0, isTorn: false };
    try {
      await this.#put(file, journalSignature, ...first);
    } catch (error) {
      await file.handle.close();
      await rm(path, { force: true });
      throw error;
    }
    return file;
  }

  /** Appends after the last complete entry of a file. */
  async #put(file: JournalFile, ...pieces: readonly Uint8Array[]): Promise<void> {
    file.handle ??= await open(file.path, "a");
    if (file.isTorn) await file.handle.truncate(file.bytes);
    file.isTorn = true;
    const total = pieces.reduce((sum, { length }) => sum + length, 0);
    const { bytesWritten } = await file.handle.writev(pieces.filter(({ length }) => length > 0));
    if (bytesWritten !== total) throw new Error(`only ${bytesWritten} of ${total} bytes of the journal were written`);
    file.isTorn = false;
    file.bytes += total;
    this.#whole.set(basename(file.path), file.bytes);
    this.#size += total;
  }

  async #close(): Promise<void> {
    const handle = this.#file?.handle;
    if (this.#file) this.#file.handle = undefined;
    await handle?.close();
  }
}
