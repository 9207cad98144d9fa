/** Kind of list that has changed. */
export type ChangeKind = "sessions" | "runs" | "handovers";

/** All kinds. */
export const changeKinds: readonly ChangeKind[] = ["sessions", "runs", "handovers"];

/**
 * Called with each change.
 *
 * @param key - Name of the key that it belongs to; null for the key that the service was started with; undefined when it is unknown.
 */
export type ChangeListener = (kind: ChangeKind, key: string | null | undefined) => void;

/** Tells whoever reads the lists of sessions, runs and requests for a person that one has changed on this node. */
export class Changes {
  readonly #listeners = new Set<ChangeListener>();
  readonly #closed = new AbortController();

  /** Aborts when nothing is told any more. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** How many listen. */
  get listeners(): number {
    return this.#listeners.size;
  }

  /** Calls back with each change from now on; returns a function that ends it. The listener may not throw. */
  observe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells a change. */
  readonly tell: ChangeListener = (kind, key) => {
    for (const listener of this.#listeners) listener(kind, key);
  };

  /** Ends all that listen. */
  close(): void {
    this.#closed.abort();
    this.#listeners.clear();
  }
}
