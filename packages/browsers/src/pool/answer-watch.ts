import pTimeout from "p-timeout";
import { BrowserError } from "../browser-error.ts";
import { whileResponsive } from "./responsiveness.ts";

/** Parts of {@link AnswerWatch}. */
export interface AnswerWatchParts {
  /** Resolves when the browser has responded. */
  readonly ping: () => Promise<unknown>;
  /** Timeout of an operation, and then of a ping, in milliseconds. */
  readonly timeoutMs: number;
  /** Calls back when the browser exits; returns a function that removes the listener. */
  readonly onExit: (listener: () => void) => () => void;
  /** Kills the browser, with all of its contexts. */
  readonly kill: () => void;
  /** Called when the browser did not respond to a ping in time. */
  readonly onSilence: () => void;
}

/** Bounds operations of a browser in time, and tells a browser that is slow from one that hangs: only the latter is killed. */
export class AnswerWatch {
  readonly #parts: AnswerWatchParts;

  constructor(parts: AnswerWatchParts) {
    this.#parts = parts;
  }

  /**
   * Adds a timeout to an operation of the browser. It may be slow because of the machine, or because of this one context:
   * only a browser that does not respond to a ping either is killed, as it hangs for all of its contexts.
   *
   * @param what - The operation, as in "could not …".
   * @throws {BrowserError} `page-failed` if the browser crashed, or took too long.
   */
  async limit<Result>(work: Promise<Result>, what: string): Promise<Result> {
    const { timeoutMs: milliseconds, onExit, kill } = this.#parts;
    const died = new AbortController();
    const forget = onExit(() =>
      died.abort(new BrowserError("page-failed", `the browser crashed before it could ${what}`)),
    );
    const onTimeout = async (): Promise<never> => {
      const tooLong = `the browser took more than ${milliseconds / 1000} s to ${what}`;
      if (await this.#isResponsive()) throw new BrowserError("page-failed", tooLong);
      kill();
      throw new BrowserError("page-failed", `${tooLong}, and did not respond for as long; it was killed`);
    };
    try {
      return await pTimeout(work, { milliseconds, signal: died.signal, fallback: onTimeout });
    } finally {
      forget();
    }
  }

  /**
   * As `limit`, and gives the operation up as soon as the browser has not responded to a ping for a time; that kills nothing.
   *
   * @param silenceMs - That time, in milliseconds.
   * @throws {BrowserError} As `limit`.
   */
  async limitSilence<Result>(work: Promise<Result>, what: string, silenceMs: number): Promise<Result> {
    return whileResponsive(this.limit(work, what), this.#parts.ping, silenceMs, () => {
      this.#parts.onSilence();
      return new BrowserError("page-failed", `the browser has not responded for ${silenceMs / 1000} s to ${what}`);
    });
  }

  /** Returns whether the browser still responds; false if it crashed, even if the driver has not noticed yet. */
  async check(): Promise<boolean> {
    const answered = this.limit(this.#parts.ping(), "answer").then(() => true);
    return answered.catch(() => this.#isResponsive()).catch(() => false);
  }

  /** Pings the browser. Only after the timeout: this process may not have read earlier responses yet. */
  async #isResponsive(): Promise<boolean> {
    const word = this.#parts.ping().then(() => true);
    return pTimeout(word, { milliseconds: this.#parts.timeoutMs, fallback: () => false });
  }
}
