import type { Clock } from "../clock.ts";

/** Item with a retention time. */
export interface Perishable {
  /** When it is due, in milliseconds since 1970; undefined while that is not known. */
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
  readonly #alarms = new Map<Perishable, () => void>();
  /** Deletions under way. */
  readonly #underWay = new Map<Perishable, Promise<void>>();
  readonly #failed = new Set<Perishable>();
  #sweeping: Promise<void> | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.sweep(), options.sweepMs);
    this.#timer.unref();
  }

  /** Watches something from now on, or anew because it is due at another moment. */
  watch(what: Perishable): void {
    this.#alarms.get(what)?.();
    const dueMs = what.dueMs();
    const cancel = dueMs === undefined ? () => {} : this.#options.clock.at(dueMs, () => void this.#remove(what));
    this.#alarms.set(what, cancel);
  }

  /** Watches it no more. */
  forget(what: Perishable): void {
    this.#alarms.get(what)?.();
    this.#alarms.delete(what);
    this.#failed.delete(what);
  }

  /** Deletes what is due, and what could not be deleted before. */
  async sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => (this.#sweeping = undefined));
    await this.#sweeping;
  }

  /** Stops deleting. Resolves when nothing is being deleted any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#cancelAlarms();
    await this.#sweeping;
    this.#cancelAlarms();
    await Promise.all(this.#underWay.values());
  }

  async #sweep(): Promise<void> {
    await this.#options.beforeSweep().catch(() => undefined);
    const now = this.#options.clock.now();
    const due = [...this.#alarms.keys()].filter((one) => (one.dueMs() ?? Infinity) <= now || this.#failed.has(one));
    await Promise.all(due.map((one) => this.#remove(one)));
  }

  #cancelAlarms(): void {
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }

  #remove(what: Perishable): Promise<void> {
    const removal = this.#underWay.get(what) ?? this.#tryRemove(what).finally(() => this.#underWay.delete(what));
    this.#underWay.set(what, removal);
    return removal;
  }

  async #tryRemove(what: Perishable): Promise<void> {
    try {
      await what.remove();
      this.#failed.delete(what);
    } catch (error) {
      if (!this.#failed.has(what)) what.onFailure(error);
      this.#failed.add(what);
    }
  }
}
