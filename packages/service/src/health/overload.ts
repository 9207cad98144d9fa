/** Measurements of an overload watch. */
export interface OverloadOptions {
  /** Returns how long ago the request of the last renewal of the lease was sent, in milliseconds; undefined without a cluster or a lease. */
  readonly renewedAgoMs: () => number | undefined;
  /** How old the last renewal may be, in milliseconds: the lease is at risk beyond. */
  readonly renewalMs: number;
  /** Called when it ends: what waits may go on. */
  readonly onOver: () => void;
}

/** Interval of the ticks whose lateness is measured, in milliseconds. */
const tickMs = 100;

/** Time over which lateness is averaged, in milliseconds: one pause of half a second is no overload. */
const averagedMs = 1_000;

/** Average lateness from which on this process is overloaded, and below which it is no more, in milliseconds. */
const late = { fromMs: 500, untilMs: 250 } as const;

/**
 * Watches whether this process keeps up: by how late its timers are, which also shows a machine that has no processor time for it, and by the age
 * of the last renewal of its lease. An overloaded node takes no new sessions, so that it does not lose those that it has.
 */
export class Overload {
  readonly #options: OverloadOptions;
  readonly #timer: NodeJS.Timeout;
  #lastMs = performance.now();
  #lateMs = 0;
  #isLate = false;
  #wasOver = false;

  constructor(options: OverloadOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.tick(performance.now()), tickMs).unref();
  }

  /** Returns why this process is overloaded, as a phrase; undefined when it keeps up. */
  get fault(): string | undefined {
    const { renewedAgoMs, renewalMs } = this.#options;
    const agoMs = renewedAgoMs();
    if (agoMs !== undefined && agoMs > renewalMs)
      return `the lease of this node was last renewed ${formatSeconds(agoMs)} s ago, and is at risk`;
    return this.#isLate ? `this process is ${formatSeconds(this.#lateMs)} s late with all that it does` : undefined;
  }

  /** Measures one tick, at a moment of the monotonic clock in milliseconds. */
  tick(nowMs: number): void {
    const passedMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    const weight = 1 - Math.exp(-passedMs / averagedMs);
    this.#lateMs += weight * (Math.max(0, passedMs - tickMs) - this.#lateMs);
    this.#isLate = this.#lateMs > (this.#isLate ? late.untilMs : late.fromMs);
    const isOver = this.fault !== undefined;
    if (this.#wasOver && !isOver) this.#options.onOver();
    this.#wasOver = isOver;
  }

  /** Ends the watch. */
  close(): void {
    clearInterval(this.#timer);
  }
}

function formatSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
