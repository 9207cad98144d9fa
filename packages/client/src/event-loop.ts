/** Longest time for which work that never waits may block timers and aborts, in milliseconds. */
const maxBlockingMs = 40;

/**
 * Creates a function to be awaited in a loop that may never wait, such as over chunks in memory: it yields to timers and aborts every 40
 * ms.
 */
export function createYield(): () => Promise<void> | undefined {
  let yieldedAt = performance.now();
  return () => {
    if (performance.now() < yieldedAt + maxBlockingMs) return undefined;
    return new Promise((resolve) => setTimeout(resolve)).then(() => {
      yieldedAt = performance.now();
    });
  };
}
