const stepMs = 5;

/**
 * Begins to count the time that this process has, and gives how much it was when that is called, in milliseconds: the time by the clock
 * without what other programs kept the process waiting. What keeps the process busy itself counts in full.
 */
export function countOwnTime(): () => number {
  let own = 0;
  let at = performance.now();
  let processor = process.cpuUsage();
  const count = (): void => {
    const { user, system } = process.cpuUsage(processor);
    const now = performance.now();
    own += Math.min(now - at, Math.max(2 * stepMs, (user + system) / 1_000));
    at = now;
    processor = process.cpuUsage();
  };
  const timer = setInterval(count, stepMs).unref();
  return () => {
    count();
    clearInterval(timer);
    return own;
  };
}
