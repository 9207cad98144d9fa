/** How long work that never waits may keep timers and aborts from firing, in milliseconds. */
const maxBlockingMs = 40;

/**
 * Creates a function to be awaited in a loop over what may always be at hand, such as the chunks of a body in memory: it lets timers
 * and aborts fire, every 40 ms.
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
