import { setTimeout as sleep } from "node:timers/promises";

/** Longest turn, in milliseconds: who takes longer harms nobody else. */
const longestMs = 250;

/**
 * Turns that are taken one after the other, in the order in which they were asked for. After each nobody has one for as long as it
 * took: so all of them together take half of the time at most, however many want one.
 *
 * Source: ours.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn, with a function that ends it; it ends by itself after 250 ms. */
  async take(): Promise<() => void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(async () => {
      const fromMs = performance.now();
      await over;
      await sleep(performance.now() - fromMs, undefined, { ref: false });
    });
    await before;
    const timer = setTimeout(end, longestMs);
    return () => {
      clearTimeout(timer);
      end();
    };
  }
}
