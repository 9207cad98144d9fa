/** The steps that an untrusted schema may take. Source: ours. */
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

/** The steps of a budget are used up. Source: ours. */
export class StepsExhausted extends Error {
  override readonly name = "StepsExhausted";
}
