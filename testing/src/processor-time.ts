/** Measures the processor time of synchronous work, in milliseconds, without other load of the machine. */
export function measureProcessorTime(work: () => void): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
