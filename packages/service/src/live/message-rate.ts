import type { LiveInput } from "./live-messages.ts";

/** Messages that a viewer may send at once. */
const burst = 1_000;
/** Messages that it may send a second in the long run. */
const perSecond = 500;
/** Cost of an action that loads a page, or moves the session to another one, in messages. */
const navigationCost = 25;

/** Limits the messages of one viewer (token bucket). Moves beyond the limit are left out, since a newer one follows; all others are refused. */
export class MessageRate {
  #allowance = burst;
  #atMs = performance.now();

  /** Counts a message. */
  judge(input: LiveInput): "follow" | "drop" | "refuse" {
    const now = performance.now();
    this.#allowance = Math.min(burst, this.#allowance + ((now - this.#atMs) * perSecond) / 1_000);
    this.#atMs = now;
    const { type } = input;
    const cost =
      type === "address" || type === "history" || type === "tab" || type === "view" || type === "control"
        ? navigationCost
        : 1;
    const isMove = type === "wheel" || ((type === "mouse" || type === "touch") && input.action === "move");
    // Moves leave room for a click.
    if (this.#allowance < cost + (isMove ? burst / 2 : 0)) return isMove ? "drop" : "refuse";
    this.#allowance -= cost;
    return "follow";
  }
}
