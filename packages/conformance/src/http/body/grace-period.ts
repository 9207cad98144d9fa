/** Number of parts of a grace period: one that ends late by more than its length does not count. */
const usualParts = 10;

/** Shortest part, in milliseconds: timers are not more precise. */
const minPartMs = 5;

/** Maximum length of a grace period, as a multiple of the requested one. */
const maxFactor = 5;

/**
 * Calls back after a period in which this process had time to read what arrives. Time in which something else kept its event loop
 * busy does not count: what arrived meanwhile is still to be read.
 *
 * @param ms - Length of the period, in milliseconds; at most five times as long passes.
 * @returns A function that ends the period without calling back.
 */
export function startGracePeriod(ms: number, onEnd: () => void): () => void {
  const partMs = Math.max(minPartMs, ms / usualParts);
  const parts = Math.ceil(ms / partMs);
  let count = 0;
  let timer: NodeJS.Timeout;
  const next = (passed: number): void => {
    const dueMs = performance.now() + partMs;
    timer = setTimeout(() => {
      if (performance.now() - dueMs <= partMs) count += 1;
      if (count >= parts || passed >= parts * maxFactor) onEnd();
      else next(passed + 1);
    }, partMs);
  };
  next(1);
  return () => clearTimeout(timer);
}
