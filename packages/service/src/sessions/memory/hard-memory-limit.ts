import type { ProcessType } from "@cloud-browser/browsers";
import { typicalSessionBytes, type MemoryWatchOptions } from "./memory-watch.ts";

/** Interval at which processes are measured, in milliseconds: a page can take more than half a gigabyte a second. */
const intervalMs = 1_000;

/** Multiple of the memory limit of a session that no process may exceed. */
const hardFactor = 2;

/**
 * Kills each process of a browser that uses more than twice what a session may, whatever it is doing: what it would take until the memory
 * watch has found its session is more than a machine may have. Sessions whose pages were in it end with the reason `memory`. Does
 * nothing on platforms other than Linux.
 *
 * @returns A function that ends that.
 */
export function enforceHardMemoryLimit(options: Omit<MemoryWatchOptions, "listBrowsers">): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy || options.listSessions().length === 0) return;
    busy = true;
    void killOverLimit(options)
      .catch(() => undefined) // looked at again in a second
      .finally(() => (busy = false));
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function killOverLimit(options: Omit<MemoryWatchOptions, "listBrowsers">): Promise<void> {
  const { listSessions: sessions, sessionBytes, killHeaviest } = options;
  const browsers = Map.groupBy(sessions(), ({ pooledContext }) => pooledContext.browserPid);
  for (const [pid, own] of browsers) {
    const limits: Readonly<Record<ProcessType, number>> = {
      renderer: hardFactor * sessionBytes,
      // All sessions of the browser share it.
      "gpu-process": hardFactor * sessionBytes + own.length * typicalSessionBytes,
    };
    await killHeaviest(pid, "gpu-process", limits["gpu-process"]);
    if (await killHeaviest(pid, "renderer", limits.renderer)) for (const session of own) session.noteKill();
  }
}
