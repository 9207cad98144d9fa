import { describeServiceError } from "../../service-error.ts";

/** How rows are written. */
export interface OwnRowsOptions<Row> {
  /** Writes rows, all or none; each is complete. */
  readonly write: (rows: ReadonlyMap<string, Row>) => Promise<void>;
  /** Returns whether a row is final: it is dropped from memory once it is written. */
  readonly isFinal: (row: Row) => boolean;
  /** Called when a write failed. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Rows that only this process changes, with a write-behind queue: a change is visible here at once, and written together with all others
 * that were made during the previous write. There is one writer, so no older state overwrites a newer one. Rows that can't be written stay
 * pending until the next write.
 */
export class OwnRows<Row> {
  readonly #options: OwnRowsOptions<Row>;
  readonly #rows = new Map<string, Row>();
  readonly #changed = new Set<string>();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: OwnRowsOptions<Row>) {
    this.#options = options;
  }

  /** Ids of all known rows. */
  get ids(): readonly string[] {
    return [...this.#rows.keys()];
  }

  /** All known rows. */
  get all(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** Returns a known row; undefined if it is unknown, or final and written. */
  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** True while rows have changes that are not written yet. */
  get hasPending(): boolean {
    return this.#changed.size > 0;
  }

  /** Adds a row that is written already, or is being written by another node. */
  know(id: string, row: Row): void {
    this.#rows.set(id, row);
  }

  /** Deletes a row; returns whether there was one. */
  forget(id: string): boolean {
    this.#changed.delete(id);
    return this.#rows.delete(id);
  }

  /** Queues a changed row for the next write. */
  keep(id: string, row: Row): void {
    this.#rows.set(id, row);
    this.#changed.add(id);
  }

  /** Queues a changed row, and writes. Never rejects: a failure is reported, and the row stays pending. */
  async change(id: string, row: Row): Promise<void> {
    this.keep(id, row);
    await this.#write().catch(this.#options.onFault);
  }

  /** Writes pending rows. Rejects if that fails. */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** Writes pending rows. Never rejects: returns what went wrong, if anything did. */
  async tryFlush(): Promise<string | undefined> {
    return this.#write().then(() => undefined, describeServiceError);
  }

  /** The next write includes all changes made until it begins, so all waiting callers share one. */
  async #write(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#writeChanged().finally(() => (this.#running = undefined));
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#write();
      });
    return this.#next;
  }

  async #writeChanged(): Promise<void> {
    const batch = new Map<string, Row>();
    for (const id of this.#changed) {
      const row = this.#rows.get(id);
      if (row !== undefined) batch.set(id, row);
    }
    if (batch.size === 0) return;
    await this.#options.write(batch);
    for (const [id, row] of batch) {
      if (this.#rows.get(id) !== row) continue;
      this.#changed.delete(id);
      if (this.#options.isFinal(row)) this.#rows.delete(id);
    }
  }
}
