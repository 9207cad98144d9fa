import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pRetry from "p-retry";
import type { ObjectStore } from "../objects/object-store.ts";
import { partKey, readPart } from "./journal-parts.ts";

/** Options of a shipper. */
export interface JournalShipperOptions {
  /** The session that is recorded. */
  readonly sessionId: string;
  /** Folder of the journal. */
  readonly folder: string;
  /** How many bytes of each file are safe there. */
  readonly files: () => ReadonlyMap<string, number>;
  /** Where to. */
  readonly objects: Pick<ObjectStore, "put">;
  /** Tells whether the session is still this process's: when not, nothing more is shipped, for good. */
  readonly mayShip: () => boolean;
  /** Called with the first of several failures in a row; then, without an error, when shipping works again. */
  readonly onFault: (error: unknown) => void;
  /** Pause between two rounds, in milliseconds. Default: 2,000. */
  readonly everyMs?: number;
  /** Pauses after a failure, in milliseconds, the first and the longest; each is twice the one before. Default: 500 and 30,000. */
  readonly pausesMs?: { readonly first: number; readonly longest: number };
}

/** Most bytes of a part, and most that are in memory of one journal. */
const partBytes = 2 ** 20;

/**
 * Ships what is new of a journal, again and again, in parts that do not change any more. What was stored is what another node finds when
 * this one is lost. A store that refuses, or is slow, makes it late, and stops nothing else.
 */
export class JournalShipper {
  readonly #options: Omit<JournalShipperOptions, "files">;
  #files: () => ReadonlyMap<string, number>;
  readonly #shipped = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  /** From when on something may not be shipped. */
  #wholeMs = performance.now();
  #isFailing = false;

  /** Begins at once. */
  constructor({ files, ...options }: JournalShipperOptions) {
    this.#options = options;
    this.#files = files;
    this.#running = this.#run().catch(() => undefined);
  }

  /** For how long something has not been shipped, in milliseconds; 0 when all is. */
  get lagMs(): number {
    return this.unshippedBytes === 0 ? 0 : performance.now() - this.#wholeMs;
  }

  /** Bytes that are not shipped. */
  get unshippedBytes(): number {
    if (this.#stopping.signal.aborted) return 0;
    return [...this.#files()].reduce((sum, [file, bytes]) => sum + bytes - this.#shippedOf(file), 0);
  }

  /** Nothing more is written to the journal. Resolves when all of it is shipped, or when it is stopped. */
  finish(): Promise<void> {
    // The caller reports them for the session that has ended.
    const last = new Map(this.#files());
    this.#files = () => last;
    this.#ending.abort();
    return this.#running;
  }

  /** Ships nothing more. Resolves when nothing is under way any more. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#running;
  }

  async #run(): Promise<void> {
    const { everyMs = 2_000, pausesMs = { first: 500, longest: 30_000 } } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // What is written while a round goes on the next one ships, unless nothing was written any more when this one began.
      const isLast = this.#ending.signal.aborted;
      await pRetry(() => this.#ship(), {
        retries: Infinity,
        minTimeout: pausesMs.first,
        maxTimeout: pausesMs.longest,
        unref: true,
        signal,
        onFailedAttempt: ({ error }) => this.#setFault(error),
      });
      if (isLast) break;
      const woken = AbortSignal.any([signal, this.#ending.signal]);
      await delay(everyMs, undefined, { signal: woken, ref: false }).catch(() => undefined);
    }
  }

  /** One round: everything that is written when it begins, and what is appended meanwhile. */
  async #ship(): Promise<void> {
    const { sessionId, folder, objects, mayShip } = this.#options;
    const begunMs = performance.now();
    for (const [file, bytes] of this.#files()) {
      while (this.#shippedOf(file) < bytes) {
        if (!mayShip()) this.#stopping.abort();
        if (this.#stopping.signal.aborted) return;
        const from = this.#shippedOf(file);
        const part = await readPart(join(folder, file), from, Math.min(bytes - from, partBytes));
        await objects.put(partKey(sessionId, file, from), part, "application/octet-stream");
        this.#shipped.set(file, from + part.length);
      }
    }
    this.#wholeMs = begunMs;
    this.#setFault(undefined);
  }

  #shippedOf(file: string): number {
    return this.#shipped.get(file) ?? 0;
  }

  #setFault(error: unknown): void {
    if (this.#isFailing === (error !== undefined)) return;
    this.#isFailing = error !== undefined;
    this.#options.onFault(error);
  }
}
