/** The steps that an untrusted schema may take. */
export class StepBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @throws {StepsExhausted} When none is left. */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw new StepsExhausted();
  }
}

/** The steps of a budget are used up. */
export class StepsExhausted extends Error {
  override readonly name = "StepsExhausted";
}
