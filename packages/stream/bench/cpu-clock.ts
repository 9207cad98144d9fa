const usage = "threadCpuUsage" in process ? "threadCpuUsage" : "cpuUsage";
const nobodyWrites = new Int32Array(new SharedArrayBuffer(4));

/** What the clock counts: only the main thread where the runtime supports it. */
export const cpuClockScope = usage === "threadCpuUsage" ? "main thread" : "process";

/** CPU time so far, in microseconds. */
export function readCpuMicroseconds(): number {
  // Linux brings the account of a running thread up to date every 4 ms, and whenever the thread goes to sleep.
  Atomics.wait(nobodyWrites, 0, 0, 0.02);
  const { user, system } = process[usage]();
  return user + system;
}
