import type { Clock } from "../../src/clock.ts";

/** A clock that stands still until it is set. */
export class SetClock implements Clock {
  #nowMs: number;
  readonly #alarms = new Map<() => void, number>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  at(momentMs: number, run: () => void): () => void {
    const alarm = (): void => run();
    this.#alarms.set(alarm, momentMs);
    if (momentMs <= this.#nowMs) setImmediate(() => this.set(this.#nowMs));
    return () => this.#alarms.delete(alarm);
  }

  /** How many moments it has been asked to tell of. */
  get waiting(): number {
    return this.#alarms.size;
  }

  /** Sets it; what is due runs. */
  set(nowMs: number): void {
    this.#nowMs = nowMs;
    for (const [alarm, momentMs] of this.#alarms) {
      if (momentMs > nowMs) continue;
      this.#alarms.delete(alarm);
      alarm();
    }
  }
}
