/** How often the same may be tried without effect before the model is told. */
const noteAt = 3;
/** How often until the work ends. */
const endAt = 6;

/** Notices a model that does the same again and again, and nothing changes. */
export class Repetition {
  #last = "";
  #times = 0;

  /**
   * Takes what was called, and whether the page has changed by it.
   *
   * @returns `note` when the model has to be told, `end` when it goes on nevertheless.
   */
  take(calls: unknown, hasChanged: boolean): "fine" | "note" | "end" {
    const text = JSON.stringify(calls);
    this.#times = text === this.#last && !hasChanged ? this.#times + 1 : 1;
    this.#last = text;
    if (this.#times >= endAt) return "end";
    return this.#times >= noteAt ? "note" : "fine";
  }
}
