import type { GuardedBrowsers } from "@cloud-browser/browsers";
import type { ClusterNode } from "../cluster/cluster-node.ts";
import type { DataFolder } from "../data-folder.ts";
import type { Handovers } from "../handovers/handovers.ts";
import { Health } from "../health/health.ts";
import type { Overload } from "../health/overload.ts";
import { findStorageFault } from "../health/storage.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Runs } from "../runs/runs.ts";
import { serviceVersion } from "../service-version.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Shutdown } from "../shutdown.ts";
import type { RecordsWatch } from "../storage/sqlite/records-watch.ts";
import type { Storage } from "./open-storage.ts";
import type { ServiceSettings } from "./read-settings.ts";

/** Parts of a service whose state is shown to operators. */
export interface ObservedService {
  /** Its options. */
  readonly settings: ServiceSettings;
  /** Its metrics. */
  readonly metrics: ServiceMetrics;
  /** Its folder. */
  readonly folder: Pick<DataFolder, "path">;
  /** Finds out when its records are damaged. */
  readonly watch: Pick<RecordsWatch, "look">;
  /** Its records and recordings. */
  readonly storage: Storage;
  /** Its browsers. */
  readonly browsers: Pick<GuardedBrowsers, "fault" | "description">;
  /** Its sessions. */
  readonly sessions: Sessions;
  /** Profiles that sessions begin with. */
  readonly profiles: Profiles;
  /** Says whether it keeps up. */
  readonly overload: Pick<Overload, "fault">;
  /** Its runs. */
  readonly runs: Runs;
  /** Its requests for a person. */
  readonly handovers: Pick<Handovers, "openCount">;
  /** Says whether it drains. */
  readonly shutdown: Pick<Shutdown, "state">;
  /** Its lease, and those of others; undefined when the process is the whole service. */
  readonly node: ClusterNode | undefined;
}

/** Connects the metrics with what they measure, and returns the health checks. */
export function observeService(parts: ObservedService): Health {
  const { settings, metrics, folder, storage, browsers, sessions, profiles } = parts;
  const { overload, watch, runs, handovers, shutdown, node } = parts;
  const { records, recordings } = storage;
  metrics.observe({
    sessions,
    runs,
    recordings,
    steering: {
      countHandovers: () => handovers.openCount,
      countControlled: () => sessions.open.filter(({ control }) => control.isHeld).length,
      countWaiting: () => sessions.open.reduce((sum, { control }) => sum + control.state.waitingCommands, 0),
    },
    profiles,
    sessionLimit: settings.sessionLimits.count,
    runLimit: settings.runLimits.count,
    dataFolder: folder.path,
    build: { version: serviceVersion, browser: browsers.description },
    ...(node && { leases: () => node.countLeases() }),
    isDraining: () => shutdown.state !== "running",
  });
  return new Health({
    storage: () => findStorageFault(folder.path),
    records: async () => (node ? node.fault : await watch.look()) ?? (await records.write()),
    bucket: storage.findBucketFault,
    encoder: () => recordings.findFault(),
    browsers: async () => browsers.fault,
    load: async () => overload.fault,
    profiles: () => profiles.findFault(),
  });
}
