import pTimeout from "p-timeout";
import { RecorderError } from "./recorder-error.ts";

/** Time after which a file system that does not answer counts as lost, in milliseconds. */
const storageMs = 10_000;

/** Resolves with the value of a promise; with undefined if it rejects or times out. `ms` is in milliseconds. */
export function valueWithin<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  return pTimeout(
    promise.catch(() => undefined),
    { milliseconds: ms, fallback: () => undefined },
  );
}

/**
 * Resolves with the value of a promise that a lost file system may never settle.
 *
 * @param what - What is being done, for the error: "the file can't be read".
 * @throws {RecorderError} `storage-failed` after ten seconds; what the promise rejects with.
 */
export function answered<T>(what: string, promise: Promise<T>): Promise<T> {
  const fallback = (): never => {
    throw new RecorderError(
      "storage-failed",
      `${what}: the disk has not answered for ${storageMs / 1_000} s; check the data folder`,
    );
  };
  return pTimeout(promise, { milliseconds: storageMs, fallback });
}

/** Waits until a promise settles, at most `ms` milliseconds. Never rejects. */
export async function settledWithin(ms: number, promise: Promise<unknown> | undefined): Promise<void> {
  if (promise && ms > 0) await valueWithin(ms, promise);
}

/** The sleep of one loop, which others can end early. */
export class WakeableSleep {
  /** `wake` was called while nothing slept: the next sleep ends at once. */
  #isWakePending = false;
  #wakeSleeper: (() => void) | undefined;

  /** Ends the sleep; when nothing sleeps, the next one. */
  wake(): void {
    this.#isWakePending = true;
    this.#wakeSleeper?.();
  }

  /** Resolves after `ms` milliseconds, or when `wake` is called. */
  async sleep(ms: number): Promise<void> {
    if (!this.#isWakePending) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wakeSleeper = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wakeSleeper = undefined;
    }
    this.#isWakePending = false;
  }
}
