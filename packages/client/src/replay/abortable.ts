import { ClientError, makeCallerAbort } from "../errors/client-error.ts";

/**
 * Runs work with a timeout and an abort signal, which the work itself may ignore.
 *
 * Does not start the work when the signal has aborted, and does not stop it. Leaves no timer and no listener behind.
 *
 * @param ms - timeout in milliseconds. Default: none.
 *
 * @throws {ClientError} `aborted`, with the reason as its cause; `timeout`.
 */
export function withDeadline<Result>(
  work: () => Result | PromiseLike<Result>,
  signal?: AbortSignal,
  ms = Infinity,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const fail = (error: unknown): void => {
      leave();
      reject(error);
    };
    const abort = (): void => fail(makeCallerAbort(signal?.reason));
    const timer =
      ms <= maxTimerMs ? setTimeout(() => fail(new ClientError("timeout", `no data for ${ms} ms`)), ms) : undefined;
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    new Promise<Result>((settle) => settle(work())).then((result) => {
      leave();
      resolve(result);
    }, fail);
  });
}

/**
 * Waits, in milliseconds.
 *
 * @throws {ClientError} `aborted`, as soon as the signal aborts.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer;
  try {
    await withDeadline(() => new Promise((resolve) => (timer = setTimeout(resolve, Math.min(ms, maxTimerMs)))), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Maximum delay of a timer, in milliseconds: about 24 days. */
const maxTimerMs = 2 ** 31 - 1;
