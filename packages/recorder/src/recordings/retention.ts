import type { Clock } from "../clock.ts";

/** Item with a retention time. */
export interface RetainedItem {
  /** Returns the time at which it is due, in milliseconds since 1970; undefined while that is unknown. */
  readonly dueMs: () => number | undefined;
  /** Deletes it. Retried after a failure. */
  readonly remove: () => Promise<void>;
  /** Called on a failure; of several in a row for the first one only. */
  readonly onFailure: (error: unknown) => void;
}

/** Options of {@link Retention}. */
export interface RetentionOptions {
  /** Returns the current time. */
  readonly clock: Clock;
  /** Interval of sweeps, in milliseconds. */
  readonly sweepMs: number;
  /** Called before each sweep. */
  readonly beforeSweep: () => Promise<void>;
}

/**
 * Deletes items when they are due: by a timer, and by regular sweeps, as a timer does not fire when the
 * machine slept or its clock was set, and a deletion may fail.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #timers = new Map<RetainedItem, () => void>();
  /** Deletions that have not settled. */
  readonly #removals = new Map<RetainedItem, Promise<void>>();
  readonly #failed = new Set<RetainedItem>();
  #sweeping: Promise<void> | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.sweep(), options.sweepMs);
    this.#timer.unref();
  }

  /** Sets the timer of an item, or sets it again because it is due at another time. */
  watch(what: RetainedItem): void {
    this.#timers.get(what)?.();
    const dueMs = what.dueMs();
    const cancel = dueMs === undefined ? () => {} : this.#options.clock.at(dueMs, () => void this.#remove(what));
    this.#timers.set(what, cancel);
  }

  /** Cancels the timer of an item, and forgets it. */
  forget(what: RetainedItem): void {
    this.#timers.get(what)?.();
    this.#timers.delete(what);
    this.#failed.delete(what);
  }

  /** Deletes recordings that are due, and those that could not be deleted before. */
  async sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => (this.#sweeping = undefined));
    await this.#sweeping;
  }

  /** Stops deleting. Resolves when nothing is being deleted any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#cancelTimers();
    await this.#sweeping;
    this.#cancelTimers();
    await Promise.all(this.#removals.values());
  }

  async #sweep(): Promise<void> {
    await this.#options.beforeSweep().catch(() => undefined);
    const now = this.#options.clock.now();
    const due = [...this.#timers.keys()].filter((one) => (one.dueMs() ?? Infinity) <= now || this.#failed.has(one));
    await Promise.all(due.map((one) => this.#remove(one)));
  }

  #cancelTimers(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #remove(what: RetainedItem): Promise<void> {
    const removal = this.#removals.get(what) ?? this.#tryRemove(what).finally(() => this.#removals.delete(what));
    this.#removals.set(what, removal);
    return removal;
  }

  async #tryRemove(what: RetainedItem): Promise<void> {
    try {
      await what.remove();
      this.#failed.delete(what);
    } catch (error) {
      if (!this.#failed.has(what)) what.onFailure(error);
      this.#failed.add(what);
    }
  }
}
