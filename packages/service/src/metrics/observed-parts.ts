import { mainKey } from "../keys/keys.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { RecordingStore } from "../storage/recordings/recording-store.ts";
import type { MetricRegistry } from "./metric-registry.ts";
import { addProcessMetrics } from "./process-metrics.ts";

/** Something that a key has: null stands for the key that the service was started with. */
interface Owned {
  readonly key: string | null;
}

/** Parts whose state is read with each scrape of the metrics. */
export interface ObservedParts {
  /** The sessions. */
  readonly sessions: {
    readonly open: readonly Owned[];
    readonly queue: { readonly length: number; readonly oldestMs: number };
  };
  /** Who steers: requests for a person that are open, sessions that a person controls, commands that wait for that. Default: none. */
  readonly steering?: {
    readonly countHandovers: () => number;
    readonly countControlled: () => number;
    readonly countWaiting: () => number;
  };
  /** Most sessions at a time. */
  readonly sessionLimit: number;
  /** The runs. */
  readonly runs: { readonly open: readonly Owned[] };
  /** Most runs at a time. */
  readonly runLimit: number;
  /** Where records and recordings are kept. */
  readonly dataFolder: string;
  /** Versions that run: the version of the service, and that of its browser. */
  readonly build: { readonly version: string; readonly browser: string };
  /** The recordings. */
  readonly recordings: Pick<RecordingStore, "bytes" | "lagMs" | "shippingLagMs" | "unshippedBytes">;
  /** The profiles. Default: there are none. */
  readonly profiles?: Pick<Profiles, "countTotals">;
  /** Counts the leases that nodes hold. Default: 0, as where one process is the whole service. */
  readonly leases?: () => Promise<number>;
  /** Returns whether the service drains. Default: it does not. */
  readonly isDraining?: () => boolean;
}

const nobody = { countHandovers: () => 0, countControlled: () => 0, countWaiting: () => 0 };

/** Adds the metrics of these parts, whose state is read with each scrape. */
export function observeParts(
  metrics: MetricRegistry,
  {
    sessions,
    steering = nobody,
    sessionLimit,
    runs,
    runLimit,
    recordings,
    profiles = noProfiles,
    dataFolder,
    build,
    leases = () => Promise.resolve(0),
    isDraining = () => false,
  }: ObservedParts,
): void {
  metrics.addGauge("draining", "1 while the service drains: it accepts no new sessions.", () => Number(isDraining()));
  metrics.addGauge("sessions_open", "Sessions that are open.", () => sessions.open.length);
  metrics.addGauge("handovers_open", "Requests for a person that are open.", steering.countHandovers);
  metrics.addGauge("sessions_held_by_person", "Sessions that a person controls.", steering.countControlled);
  metrics.addGauge(
    "commands_waiting",
    "Commands of clients that wait until a person gives the control back.",
    steering.countWaiting,
  );
  metrics.addGauge("sessions_limit", "Limit of open sessions.", () => sessionLimit);
  metrics.addGauge("session_queue_length", "Requests in the session queue.", () => sessions.queue.length);
  metrics.addGauge(
    "session_queue_age_seconds",
    "Age of the oldest request in the session queue.",
    () => sessions.queue.oldestMs / 1_000,
  );
  metrics.addGauge("runs_open", "Automation runs that are active.", () => runs.open.length);
  metrics.addGauge("runs_limit", "Limit of active automation runs.", () => runLimit);
  metrics.addGauge(
    "key_sessions_open",
    "Open sessions, by the name of their key.",
    () => countEach(sessions.open),
    "key",
  );
  metrics.addGauge(
    "key_runs_open",
    "Active automation runs, by the name of their key.",
    () => countEach(runs.open),
    "key",
  );
  metrics.addGauge(
    "recording_lag_seconds",
    "Longest time for which nothing of an open session's recording could be written.",
    () => recordings.lagMs / 1_000,
  );
  metrics.addGauge(
    "recording_shipping_lag_seconds",
    "Longest time for which a recording has not been shipped whole to the bucket; 0 where there is none.",
    () => recordings.shippingLagMs / 1_000,
  );
  metrics.addGauge(
    "recording_unshipped_bytes",
    "Bytes of recordings that are not shipped to the bucket; 0 where there is none.",
    () => recordings.unshippedBytes,
  );
  metrics.addGauge("leases_held", "Leases that nodes hold; 0 where one process is the whole service.", leases);
  metrics.addCounter("recording_bytes_total", "Bytes written to recordings.", [], () => recordings.bytes);
  metrics.addGauge(
    "profiles",
    "Profiles, by the key that they are encrypted with: the one that encrypts (current), one that only decrypts (old), or one that the service does not have (unknown).",
    () =>
      profiles.countTotals().then(
        ({ counts }) => counts,
        () => new Map<string, number>(),
      ),
    "encryption_key",
  );
  metrics.addGauge("profile_bytes", "Size of all profiles.", () =>
    profiles.countTotals().then(
      ({ bytes }) => bytes,
      () => Number.NaN,
    ),
  );
  addProcessMetrics(metrics, dataFolder);
  const info = { version: build.version, node: process.versions.node, browser: build.browser };
  metrics.addInfo("build_info", "Always 1; its labels say what runs.", info);
}

const noProfiles: NonNullable<ObservedParts["profiles"]> = {
  countTotals: () => Promise.resolve({ bytes: 0, counts: new Map<string, number>() }),
};

/** Returns how many there are of each key. */
function countEach(owned: readonly Owned[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of owned) counts.set(key ?? mainKey, (counts.get(key ?? mainKey) ?? 0) + 1);
  return counts;
}
