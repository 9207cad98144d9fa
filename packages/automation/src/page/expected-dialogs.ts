import type { Dialog } from "playwright-core";
import { awaitWithin } from "../async.ts";
import type { DialogAnswer } from "./dialog-answer.ts";

/** Answers the dialogs that a step opens, in order. */
export class ExpectedDialogs {
  readonly #left: DialogAnswer[];
  readonly #answered = Promise.withResolvers<void>();

  /** @param answers - Without variables. */
  constructor(answers: readonly DialogAnswer[]) {
    this.#left = [...answers];
    if (answers.length === 0) this.#answered.resolve();
  }

  /** Answers a dialog if it is the next one, of its kind and with its message; returns whether it is. */
  answer(dialog: Dialog): boolean {
    const [next] = this.#left;
    if (!next || next.type !== dialog.type() || next.message !== dialog.message()) return false;
    this.#left.shift();
    // One that is gone has been answered by somebody else.
    void (next.accept ? dialog.accept(next.text) : dialog.dismiss()).catch(() => undefined);
    if (this.#left.length === 0) this.#answered.resolve();
    return true;
  }

  /** Waits, at most this long in milliseconds, until all are answered. Returns the first that was not shown; undefined if all were. */
  async findMissing(timeoutMs: number): Promise<DialogAnswer | undefined> {
    await awaitWithin(timeoutMs, this.#answered.promise);
    return this.#left[0];
  }
}
