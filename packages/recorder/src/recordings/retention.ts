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
  /** Tells the time. */
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
  readonly #underWay = new Set<Perishable>();
  readonly #failed = new Set<Perishable>();
  #isSweeping = false;

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
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      await this.#options.beforeSweep().catch(() => undefined);
      const now = this.#options.clock.now();
      const due = [...this.#alarms.keys()].filter((one) => (one.dueMs() ?? Infinity) <= now || this.#failed.has(one));
      await Promise.all(due.map((one) => this.#remove(one)));
    } finally {
      this.#isSweeping = false;
    }
  }

  /** Stops deleting. */
  close(): void {
    clearInterval(this.#timer);
    for (const cancel of this.#alarms.values()) cancel();
    this.#alarms.clear();
  }

  async #remove(what: Perishable): Promise<void> {
    if (this.#underWay.has(what)) return;
    this.#underWay.add(what);
    try {
      await what.remove();
      this.#failed.delete(what);
    } catch (error) {
      if (!this.#failed.has(what)) what.onFailure(error);
      this.#failed.add(what);
    } finally {
      this.#underWay.delete(what);
    }
  }
}
