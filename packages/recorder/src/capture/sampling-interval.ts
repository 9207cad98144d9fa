/** How often the page is sampled: `live` while somebody watches it, `reduced` when space is scarce, `off` when there is none left. */
export type SamplingMode = "live" | "normal" | "reduced" | "off";

/** Intervals between the first new pictures of a page that changes when somebody acts on it, in milliseconds. The last one repeats. */
const stillIntervalsMs = [450, 1_000] as const;
/** The same for an animated page: a screenshot of it costs more, and tells less. */
const animatedIntervalsMs = { live: [500, 1_000], normal: [1_000, 2_000, 4_000] } as const;
/** Least time between two pictures when space is scarce. */
export const reducedIntervalMs = 5_000;
/** After a screenshot nothing is sampled for so many times as long as it took: a busy machine takes fewer. */
const screenshotCostFactor = 20;
/** Upper bound of that pause, in milliseconds. */
const longestCostPauseMs = 5_000;
/** A change after so long without one starts the intervals again, in milliseconds. */
const quietMs = 2_000;
/** After so many samples in a row whose picture changed within its interval, a page counts as animated. */
const animatedAfter = 2;

/** Decides how long no other picture is wanted after one: short after an action, growing while the page goes on changing. */
export class SamplingInterval {
  /** New pictures since the last action or quiet time; picks the interval. */
  #changes = 0;
  /** Samples in a row whose picture changed within its interval. */
  #unstableSamples = 0;
  #lastChangeMs = -Infinity;

  /** True for a page that changes all the time by itself. */
  get isAnimated(): boolean {
    return this.#unstableSamples >= animatedAfter;
  }

  /** Somebody acted: the intervals start again with the shortest one. */
  onActivity(): void {
    this.#changes = 0;
  }

  /** Another page is captured. */
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

  /** Counts a new picture. Returns how long no other one is wanted, in milliseconds; `tookMs` is what a screenshot took. */
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
    const costPauseMs = Math.min(tookMs * screenshotCostFactor, longestCostPauseMs);
    return Math.max(this.#current(animatedIntervalsMs[mode === "live" ? "live" : "normal"]), costPauseMs);
  }

  #current(intervals: readonly number[]): number {
    return intervals[Math.min(this.#changes, intervals.length - 1)] ?? 0;
  }
}
