/** Sampling rate of the page: `live` while it is viewed, `reduced` when space is scarce, `off` when the disk is full. */
export type SamplingMode = "live" | "normal" | "reduced" | "off";

/** Intervals between the first new pictures of a page that changes after an action, in milliseconds. The last one repeats. */
const stillIntervalsMs = [450, 1_000] as const;
/** Intervals of an animated page, in milliseconds: a screenshot of it costs more, and shows less. */
const animatedIntervalsMs = { live: [500, 1_000], normal: [1_000, 2_000, 4_000] } as const;
/** Least time between two pictures when space is scarce. */
export const reducedIntervalMs = 5_000;
/** Factor by which sampling pauses after a screenshot, relative to its duration: a busy machine takes fewer. */
const screenshotCostFactor = 20;
/** Upper bound of that pause, in milliseconds. */
const maxCostPauseMs = 5_000;
/** A change after so long without one starts the intervals again, in milliseconds. */
const quietMs = 2_000;
/** A page counts as animated after this many samples in a row whose picture changed within its interval. */
const animatedAfter = 2;

/** Determines the interval until the next picture: short after an action, growing while the page keeps changing. */
export class SamplingInterval {
  /** New pictures since the last action or quiet time; picks the interval. */
  #changes = 0;
  /** Samples in a row whose picture changed within its interval. */
  #unstableSamples = 0;
  #lastChangeMs = -Infinity;

  /** True for a page that keeps changing without actions. */
  get isAnimated(): boolean {
    return this.#unstableSamples >= animatedAfter;
  }

  /** Called after an action on the page: the intervals start again with the shortest one. */
  onActivity(): void {
    this.#changes = 0;
  }

  /** Resets the interval for another page. */
  reset(): void {
    this.#changes = 0;
    this.#unstableSamples = 0;
  }

  /** The page looked the same for the whole interval, or as it did before. */
  onStable(): void {
    this.#unstableSamples = 0;
  }

  /** The page changed within the interval. */
  onUnstable(): void {
    this.#unstableSamples += 1;
  }

  /** Counts a new picture. Returns the interval until the next one, in milliseconds; `tookMs` is the duration of a screenshot. */
  afterChange(mode: SamplingMode, tookMs: number): number {
    const now = performance.now();
    if (!this.isAnimated && now - this.#lastChangeMs > quietMs) this.#changes = 0;
    this.#lastChangeMs = now;
    const intervalMs = mode === "reduced" ? reducedIntervalMs : this.#interval(mode, tookMs);
    this.#changes += 1;
    return intervalMs;
  }

  #interval(mode: SamplingMode, tookMs: number): number {
    if (!this.isAnimated) return this.#current(stillIntervalsMs);
    const costPauseMs = Math.min(tookMs * screenshotCostFactor, maxCostPauseMs);
    return Math.max(this.#current(animatedIntervalsMs[mode === "live" ? "live" : "normal"]), costPauseMs);
  }

  #current(intervals: readonly number[]): number {
    return intervals[Math.min(this.#changes, intervals.length - 1)] ?? 0;
  }
}
