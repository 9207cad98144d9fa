import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import type { ObjectStore } from "../objects/object-store.ts";
import { buildPartKey, readFilePart } from "./journal-parts.ts";

/** Options of a shipper. */
export interface JournalShipperOptions {
  /** The session that is recorded. */
  readonly sessionId: string;
  /** Folder of the journal. */
  readonly folder: string;
  /** Returns the size of each file that is safely on disk, in bytes. */
  readonly listFiles: () => ReadonlyMap<string, number>;
  /** The object store to ship to. */
  readonly objects: Pick<ObjectStore, "put">;
  /** Returns whether this process still owns the session; when it does not, shipping stops for good. */
  readonly mayShip: () => boolean;
  /** Called with the first of several failures in a row; then, without an error, when shipping works again. */
  readonly onFault: (error: unknown) => void;
  /** Pause between two rounds, in milliseconds. Default: 2,000. */
  readonly everyMs?: number;
  /** First and longest delay of the exponential backoff after a failure, in milliseconds; each is twice the one before. Default: 500 and 30,000. */
  readonly retryDelaysMs?: { readonly first: number; readonly longest: number };
}

/** Most bytes of a part, and most that are in memory of one journal. */
const partBytes = 2 ** 20;

/**
 * Ships a growing journal to an object store, in immutable parts. Another node finds these parts when this node is lost. A store that
 * refuses or is slow delays shipping, and affects nothing else.
 */
export class JournalShipper {
  readonly #options: Omit<JournalShipperOptions, "listFiles">;
  #listFiles: () => ReadonlyMap<string, number>;
  readonly #shipped = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  /** Time since which something may not be shipped. */
  #wholeMs = performance.now();
  #isFailing = false;

  /** Begins at once. */
  constructor({ listFiles, ...options }: JournalShipperOptions) {
    this.#options = options;
    this.#listFiles = listFiles;
    this.#running = this.#run().catch(() => undefined);
  }

  /** Age of the oldest bytes that are not shipped, in milliseconds; 0 when all are. */
  get lagMs(): number {
    return this.unshippedBytes === 0 ? 0 : performance.now() - this.#wholeMs;
  }

  /** Bytes that are not shipped. */
  get unshippedBytes(): number {
    if (this.#stopping.signal.aborted) return 0;
    return [...this.#listFiles()].reduce((sum, [file, bytes]) => sum + bytes - this.#readShipped(file), 0);
  }

  /** Call when the journal is complete. Resolves when all of it is shipped, or shipping is stopped. */
  finish(): Promise<void> {
    // The caller reports them for the session that has ended.
    const last = new Map(this.#listFiles());
    this.#listFiles = () => last;
    this.#ending.abort();
    return this.#running;
  }

  /** Stops shipping. Resolves when no upload is pending. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#running;
  }

  async #run(): Promise<void> {
    const { everyMs = 2_000, retryDelaysMs = { first: 500, longest: 30_000 } } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // Bytes written during a round are shipped by the next one; a round that began with a complete journal is the last.
      const isLast = this.#ending.signal.aborted;
      await pRetry(() => this.#ship(), {
        retries: Infinity,
        minTimeout: retryDelaysMs.first,
        maxTimeout: retryDelaysMs.longest,
        unref: true,
        signal,
        onFailedAttempt: ({ error }) => this.#setFault(error),
      });
      if (isLast) break;
      const woken = AbortSignal.any([signal, this.#ending.signal]);
      await delay(everyMs, undefined, { signal: woken, ref: false }).catch(() => undefined);
    }
  }

  /** Runs one round: ships everything written until its end. */
  async #ship(): Promise<void> {
    const { sessionId, folder, objects, mayShip } = this.#options;
    const begunMs = performance.now();
    for (const [file, bytes] of this.#listFiles()) {
      while (this.#readShipped(file) < bytes) {
        if (!mayShip()) this.#stopping.abort();
        if (this.#stopping.signal.aborted) return;
        const from = this.#readShipped(file);
        const part = await readFilePart(join(folder, file), from, Math.min(bytes - from, partBytes));
        await objects.put(buildPartKey(sessionId, file, from), part, "application/octet-stream");
        this.#shipped.set(file, from + part.length);
      }
    }
    this.#wholeMs = begunMs;
    this.#setFault(undefined);
  }

  #readShipped(file: string): number {
    return this.#shipped.get(file) ?? 0;
  }

  #setFault(error: unknown): void {
    if (this.#isFailing === (error !== undefined)) return;
    this.#isFailing = error !== undefined;
    this.#options.onFault(error);
  }
}
