import { performance } from "node:perf_hooks";
import { readdir, statfs } from "node:fs/promises";
import type { MetricRegistry } from "./metric-registry.ts";

/** Adds what this process uses, and the room in its data folder. Measured when the metrics are asked for, and by nothing in between. */
export function addProcessMetrics(metrics: MetricRegistry, dataFolder: string): void {
  metrics.addCounter(
    "process_cpu_seconds_total",
    "Processor time of the service, without its browsers, in seconds.",
    [],
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  metrics.addGauge("process_resident_memory_bytes", "Resident memory of the service, without its browsers.", () =>
    process.memoryUsage.rss(),
  );
  metrics.addGauge(
    "process_open_fds",
    "Open file descriptors of the service; NaN where the system does not tell.",
    openFiles,
  );
  metrics.addGauge(
    "process_start_time_seconds",
    "When the service was started, in seconds since 1970.",
    () => performance.timeOrigin / 1_000,
  );
  let before = performance.eventLoopUtilization();
  metrics.addGauge(
    "nodejs_eventloop_utilization",
    "Share of the time since the last reading for which the event loop was busy, from 0 to 1.",
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
  );
  const readFreeSpace = async (of: "bavail" | "blocks"): Promise<number> => {
    const stats = await statfs(dataFolder).catch(() => undefined);
    return stats === undefined ? Number.NaN : stats[of] * stats.bsize;
  };
  metrics.addGauge("data_folder_free_bytes", "Free space where the data folder is.", () => readFreeSpace("bavail"));
  metrics.addGauge("data_folder_size_bytes", "Size of the file system where the data folder is.", () =>
    readFreeSpace("blocks"),
  );
}

async function openFiles(): Promise<number> {
  const files = await readdir("/proc/self/fd").catch(() => undefined);
  return files === undefined ? Number.NaN : files.length;
}
