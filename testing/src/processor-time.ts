/** The time of the processor that something takes, in milliseconds: what else the machine does is not in it. */
export function processorTimeOf(work: () => void): number {
  const begun = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
