import type { FileIndex, FileRecord } from "../storage/file-index.ts";
import type { FileStore } from "../storage/files/file-store.ts";
import { formatBytes, type FileLimits } from "./file-limits.ts";
import { makeSafeFileName } from "./file-name.ts";

/** Parts of the files of a session. */
export interface FileListParts {
  /** Id of the session. */
  readonly sessionId: string;
  /** How long they are kept after its end, in milliseconds. */
  readonly keptMs: number;
  /** Limits. */
  readonly limits: FileLimits;
  /** Keeps their bytes. */
  readonly store: FileStore;
  /** Lists them. */
  readonly index: FileIndex;
  /** Returns the current time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a file is complete, canceled or has failed. */
  readonly onEnd: (
    origin: FileRecord["origin"],
    outcome: Exclude<FileRecord["state"], "in_progress">,
    bytes: number,
  ) => void;
  /** Called with what the system or the store refused, for the log. */
  readonly onFault: (error: unknown) => void;
}

/** Most files that are told of though they were not kept. */
const maxTold = 100;

/** The files of a session that is open, and how many more it may have. What is complete or in progress counts. */
export class FileList {
  /** Parts that it was made with. */
  readonly parts: FileListParts;
  readonly #files = new Map<string, FileRecord>();
  readonly #keeping = new Map<string, Promise<unknown>>();
  /** Room that is reserved for uploads in progress. */
  #reserved = { count: 0, bytes: 0 };
  #saving: Promise<unknown> = Promise.resolve();

  constructor(parts: FileListParts) {
    this.parts = parts;
  }

  /** All that there are, the oldest first. */
  get all(): readonly FileRecord[] {
    return [...this.#files.values()];
  }

  /** Returns a file; undefined if there is none with that id. */
  get(fileId: string): FileRecord | undefined {
    return this.#files.get(fileId);
  }

  /** True when there may be no more files. */
  get isFull(): boolean {
    return this.#holding.length + this.#reserved.count >= this.parts.limits.count;
  }

  /** Bytes that may still be added. @param beside - A file that is not counted. */
  countBytesLeft(beside?: FileRecord): number {
    const used = this.#holding.reduce((sum, { file_id: id, size }) => (id === beside?.file_id ? sum : sum + size), 0);
    return this.parts.limits.totalBytes - used - this.#reserved.bytes;
  }

  /** Says which limit is reached. */
  get fullness(): string {
    const { count, totalBytes } = this.parts.limits;
    if (this.isFull) return `file limit of the session (${count}) reached`;
    return `limit of the session's files together (${formatBytes(totalBytes)}) reached`;
  }

  /** Makes a name safe, and unlike those of the other files. */
  chooseName(wished: string): string {
    return makeSafeFileName(
      wished,
      this.#holding.map(({ name }) => name),
    );
  }

  /** Reserves room for a file; returns a function that releases it. */
  reserve(bytes: number): () => void {
    const { count, bytes: before } = this.#reserved;
    this.#reserved = { count: count + 1, bytes: before + bytes };
    return () => {
      this.#reserved = { count: this.#reserved.count - 1, bytes: this.#reserved.bytes - bytes };
    };
  }

  /** Changes what is shown of a file, without storing that. */
  show(file: FileRecord): void {
    this.#files.set(file.file_id, file);
  }

  /** Adds a file that is in progress. It is stored unless too many were not kept: pages can begin any number. */
  begin(file: FileRecord): void {
    this.show(file);
    if (this.#dropped.length < maxTold) this.#save(file).catch(this.parts.onFault);
  }

  /** Stores that a file is complete. Rejects when that can't be stored. */
  async complete(file: FileRecord): Promise<void> {
    await this.#save({ ...file, state: "complete" });
    this.show({ ...file, state: "complete" });
    this.parts.onEnd(file.origin, "complete", file.size);
  }

  /** Stores that a file was not kept, and why; the newest of too many are not told of. */
  drop(file: FileRecord, state: "canceled" | "failed", reason: string): void {
    this.#files.delete(file.file_id);
    this.parts.onEnd(file.origin, state, 0);
    if (this.#dropped.length >= maxTold) return;
    const record = { ...file, size: 0, state, reason };
    this.show(record);
    this.#save(record).catch(this.parts.onFault);
  }

  /** Notes that a file is being kept, until that settles. */
  async keepUntil<Result>(fileId: string, work: Promise<Result>): Promise<Result> {
    this.#keeping.set(fileId, work);
    try {
      return await work;
    } finally {
      this.#keeping.delete(fileId);
    }
  }

  /** Returns whether a file is being kept. */
  isKeeping(fileId: string): boolean {
    return this.#keeping.has(fileId);
  }

  /** Resolves when nothing is being kept or stored any more. Never rejects. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#keeping.values());
    await this.#saving;
  }

  /** Stores a file after those before it: the last state of each is the one that lasts. */
  #save(file: FileRecord): Promise<void> {
    const saving = this.#saving.then(() => this.parts.index.save(file, this.parts.keptMs));
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  get #holding(): readonly FileRecord[] {
    return this.all.filter(({ state }) => state === "complete" || state === "in_progress");
  }

  get #dropped(): readonly FileRecord[] {
    return this.all.filter(({ state }) => state === "canceled" || state === "failed");
  }
}
