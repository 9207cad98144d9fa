/** How rows are written. */
export interface OwnRowsOptions<Row> {
  /** Writes them, all or none; each has all that is known of it. */
  readonly write: (rows: ReadonlyMap<string, Row>) => Promise<void>;
  /** Whether nothing will change in a row any more: it is forgotten here once it is written. */
  readonly isFinal: (row: Row) => boolean;
  /** Called when a write failed. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Rows that this process alone changes. They are known here at once, and written together with all that changed while the write before
 * went on: one writer, so that no older state comes after a newer one. What can't be written stays, and goes with the next write.
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

  /** Ids of all that are known. */
  get ids(): readonly string[] {
    return [...this.#rows.keys()];
  }

  /** All that are known. */
  get all(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** A row as it is known here; undefined when it is not, or is final and written. */
  get(id: string): Row | undefined {
    return this.#rows.get(id);
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

  /** Keeps a row that has changed, to be written with the next write. */
  keep(id: string, row: Row): void {
    this.#rows.set(id, row);
    this.#changed.add(id);
  }

  /** Adds a changed row, and tries to write it. Never rejects: a failure is reported, and the row is kept. */
  async change(id: string, row: Row): Promise<void> {
    this.keep(id, row);
    await this.#write().catch(this.#options.onFault);
  }

  /** Writes pending rows. Rejects if that fails. */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** The next write has all that has changed until it begins; so one that waits is enough for any number of callers. */
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
    for (const [id, written] of batch) {
      if (this.#rows.get(id) !== written) continue;
      this.#changed.delete(id);
      if (this.#options.isFinal(written)) this.#rows.delete(id);
    }
  }
}
