/** Longest turn, in milliseconds: who takes longer harms nobody else. */
const longestMs = 250;

/** Turns that are taken one after the other, in the order in which they were asked for. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn, with a function that ends it; it ends by itself after 250 ms. */
  async take(): Promise<() => void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => over);
    await before;
    const timer = setTimeout(end, longestMs);
    return () => {
      clearTimeout(timer);
      end();
    };
  }
}
