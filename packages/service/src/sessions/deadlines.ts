import type { MonotonicClock } from "../monotonic-clock.ts";
import type { LifeLimits } from "./session-limits.ts";

/** Why a life ends by its limits. */
type Expiry = "idle" | "time-limit" | "unused";

/** Limits of one life: how long nothing may happen, also before anything did, and how long it may last. */
export class Deadlines {
  readonly #clock: MonotonicClock;
  readonly #idleMs: number;
  readonly #expire: (why: Expiry) => void;
  readonly #cancelTotal: () => void;
  readonly #cancelUnused: () => void;
  #cancelIdle: () => void = () => {};
  #lastMs: number;
  #holds = 0;
  #stopped = false;

  /**
   * @param limits - In milliseconds, counted from now; `unusedMs` is that for the time before the first use. Default of that: none.
   * @param expire - Called once, when the first limit is reached.
   */
  constructor(clock: MonotonicClock, limits: LifeLimits, expire: (why: Expiry) => void) {
    this.#clock = clock;
    this.#idleMs = limits.idleMs;
    this.#lastMs = clock.now();
    this.#expire = (why) => {
      if (this.#stopped) return;
      this.stop();
      expire(why);
    };
    this.#cancelTotal = clock.after(limits.totalMs, () => this.#expire("time-limit"));
    this.#cancelUnused =
      limits.unusedMs === undefined ? () => {} : clock.after(limits.unusedMs, () => this.#expire("unused"));
    this.#watch();
  }

  /** Notes that it is used: its limit for the time before that is over. */
  use(): void {
    this.#cancelUnused();
  }

  /** Restarts the idle timeout. */
  touch(): void {
    this.#lastMs = this.#clock.now();
  }

  /** Keeps the idle timeout from ringing until the returned function is called, from when it begins anew. */
  hold(): () => void {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      this.touch();
    };
  }

  /** Calls both off. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTotal();
    this.#cancelUnused();
    this.#cancelIdle();
  }

  /** One timer for any number of touches: when it rings, it looks how much is left. */
  #watch(): void {
    this.#cancelIdle = this.#clock.after(this.#lastMs + this.#idleMs - this.#clock.now(), () => {
      if (this.#holds > 0) this.touch();
      if (this.#clock.now() - this.#lastMs >= this.#idleMs) this.#expire("idle");
      else this.#watch();
    });
  }
}
