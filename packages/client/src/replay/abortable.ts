import { ClientError } from "../errors/client-error.ts";

/**
 * Waits for work, but not beyond an abort, and no longer than `ms`: also when the work takes notice of neither.
 *
 * Does not begin it after an abort, and does not end it. Leaves no timer and no listener.
 *
 * @throws {ClientError} `aborted`, with the reason as its cause; `timeout`.
 */
export function within<Result>(
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
    const abort = (): void =>
      fail(new ClientError("aborted", "the caller's signal aborted", { cause: signal?.reason }));
    const timer =
      ms <= longest ? setTimeout(() => fail(new ClientError("timeout", `no data for ${ms} ms`)), ms) : undefined;
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    new Promise<Result>((settle) => settle(work())).then((result) => {
      leave();
      resolve(result);
    }, fail);
  });
}

/**
 * Lets time pass.
 *
 * @throws {ClientError} `aborted`, at once.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer;
  try {
    await within(() => new Promise((resolve) => (timer = setTimeout(resolve, Math.min(ms, longest)))), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The longest that a timer can last, in milliseconds: about 24 days. */
const longest = 2 ** 31 - 1;
