/** Repetitions without effect after which the model gets a note. */
const noteAfter = 3;
/** Repetitions without effect after which the work ends. */
const endAfter = 6;

/** Detects a model that repeats the same tool calls without effect. */
export class LoopDetector {
  #last = "";
  #times = 0;

  /**
   * Records the calls of one turn, and whether the page changed.
   *
   * @returns `note` when the model should get a note, `end` when it repeats the calls nevertheless.
   */
  record(calls: unknown, hasChanged: boolean): "fine" | "note" | "end" {
    const text = JSON.stringify(calls);
    this.#times = text === this.#last && !hasChanged ? this.#times + 1 : 1;
    this.#last = text;
    if (this.#times >= endAfter) return "end";
    return this.#times >= noteAfter ? "note" : "fine";
  }
}
