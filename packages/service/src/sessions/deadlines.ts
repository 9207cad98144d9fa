import type { Clock } from "@cloud-browser/recorder";

/** Two limits of one life: how long nothing may happen, and how long it may last. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #expire: (why: "idle" | "time-limit") => void;
  readonly #cancelTotal: () => void;
  #cancelIdle: () => void = () => {};
  #lastMs: number;
  #stopped = false;

  /**
   * @param limits - In milliseconds, counted from now.
   * @param expire - Called once, when the first limit is reached.
   */
  constructor(
    clock: Clock,
    limits: { readonly idleMs: number; readonly totalMs: number },
    expire: (why: "idle" | "time-limit") => void,
  ) {
    this.#clock = clock;
    this.#idleMs = limits.idleMs;
    this.#lastMs = clock.now();
    this.#expire = (why) => {
      if (this.#stopped) return;
      this.stop();
      expire(why);
    };
    this.#cancelTotal = clock.at(this.#lastMs + limits.totalMs, () => this.#expire("time-limit"));
    this.#watch();
  }

  /** Restarts the idle timeout. */
  touch(): void {
    this.#lastMs = this.#clock.now();
  }

  /** Calls both off. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTotal();
    this.#cancelIdle();
  }

  /** One timer for any number of touches: when it rings, it looks how much is left. */
  #watch(): void {
    this.#cancelIdle = this.#clock.at(this.#lastMs + this.#idleMs, () => {
      if (this.#clock.now() - this.#lastMs >= this.#idleMs) this.#expire("idle");
      else this.#watch();
    });
  }
}
