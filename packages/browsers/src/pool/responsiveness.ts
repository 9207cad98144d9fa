import { setTimeout as delay } from "node:timers/promises";
import pTimeout from "p-timeout";

/** Time from a response to the next ping, in milliseconds. */
const pauseMs = 1_000;

/**
 * Resolves as work of a browser does, unless that stops to respond meanwhile: work may take long on a busy machine, a ping may not.
 *
 * @param ping - Resolves when the browser has responded.
 * @param limitMs - How long that may take.
 * @throws What `onSilence` returns, once a ping was not answered in time. The work is left to itself.
 */
export async function whileResponsive<Result>(
  work: Promise<Result>,
  ping: () => Promise<unknown>,
  limitMs: number,
  onSilence: () => Error,
): Promise<Result> {
  const over = new AbortController();
  const silence = watchPings(ping, limitMs, over.signal).then((isSilent): Promise<never> | never => {
    if (isSilent) throw onSilence();
    return new Promise(() => undefined);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    over.abort();
  }
}

/** Resolves with true when a ping was not answered, and with false when it is over before. */
async function watchPings(ping: () => Promise<unknown>, limitMs: number, over: AbortSignal): Promise<boolean> {
  while (!over.aborted) {
    const answered = ping().then(
      () => true,
      // It has exited, which is told otherwise.
      () => true,
    );
    // Two waits: after the first one this process has read what came while it was busy itself.
    const half = { milliseconds: limitMs / 2, fallback: () => false };
    if (!(await pTimeout(answered, half)) && !(await pTimeout(answered, half))) return !over.aborted;
    await delay(pauseMs, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
  return false;
}
