import type { MonotonicClock } from "../monotonic-clock.ts";
import type { LifeLimits } from "./session-limits.ts";

/** Which limit a session has reached. */
type Expiry = "idle" | "time-limit" | "unused";

/** Limits of one life: how long nothing may happen, also before anything did, and how long it may last. */
export class Deadlines {
  readonly #clock: MonotonicClock;
  readonly #idleMs: number;
  readonly #expire: (why: Expiry) => void;
  readonly #cancelTotal: () => void;
  #cancelUnused: () => void;
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
    this.#cancelTotal = clock.callAfter(limits.totalMs, () => this.#expire("time-limit"));
    this.#cancelUnused =
      limits.unusedMs === undefined ? () => {} : clock.callAfter(limits.unusedMs, () => this.#expire("unused"));
    this.#watch();
  }

  /** Notes that it is used: its limit for the time before that is over. */
  use(): void {
    this.#cancelUnused();
    this.#cancelUnused = () => {};
  }

  /** Restarts the idle timeout. */
  touch(): void {
    this.#lastMs = this.#clock.now();
  }

  /** Suspends the idle timeout until the returned function is called; it starts anew then. */
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

  /** Cancels all limits. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTotal();
    this.#cancelUnused();
    this.#cancelIdle();
  }

  /** Uses one timer for any number of touches: when it fires, it is set again for the time that is left. */
  #watch(): void {
    this.#cancelIdle = this.#clock.callAfter(this.#lastMs + this.#idleMs - this.#clock.now(), () => {
      if (this.#holds > 0) this.touch();
      if (this.#clock.now() - this.#lastMs >= this.#idleMs) this.#expire("idle");
      else this.#watch();
    });
  }
}
