import pTimeout from "p-timeout";
import { PageContentError } from "../page-content-error.ts";

/** Time limit of an operation. */
export class Deadline {
  readonly #end: number;
  readonly #totalMs: number;

  constructor(totalMs: number) {
    this.#totalMs = totalMs;
    this.#end = performance.now() + totalMs;
  }

  /** Time that is left, in milliseconds; never less than 1. */
  get leftMs(): number {
    return Math.max(1, Math.ceil(this.#end - performance.now()));
  }

  /**
   * Waits for a promise; resolves with undefined when it has not settled some time before this moment.
   *
   * @param marginMs - How long before, in milliseconds.
   */
  async raceDeadline<Value>(work: Promise<Value>, marginMs: number): Promise<Value | undefined> {
    return pTimeout(work, { milliseconds: Math.max(1, this.leftMs - marginMs), fallback: () => undefined });
  }

  /**
   * Waits for a promise until the deadline. What comes later is dropped, errors too.
   *
   * @param signal - Ends the wait: its reason is thrown.
   * @param explain - Tells why it was not in time.
   * @throws {PageContentError} `page-failed`: not in time.
   */
  async hold<Value>(work: Promise<Value>, signal: AbortSignal, explain: () => Promise<string>): Promise<Value> {
    const fallback = async (): Promise<never> => {
      throw new PageContentError(
        "page-failed",
        `the page did not respond within ${this.#totalMs} ms: ${await explain()}; open it again`,
      );
    };
    return pTimeout(work, { milliseconds: this.leftMs, fallback, signal });
  }
}
