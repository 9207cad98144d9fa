/**
 * Lets a number of pieces of work go on at the same time; the others wait, and begin in the order in which they came.
 *
 * Source: ours.
 */
export class Lanes {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(lanes: number) {
    this.#free = lanes;
  }

  /** Does a piece of work as soon as a lane is free, and gives its result. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
