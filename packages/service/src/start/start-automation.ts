import { Agent, Planner, type Worker } from "@cloud-browser/automation";
import type { Changes } from "../changes/changes.ts";
import type { SessionUrls } from "../control/session-tokens.ts";
import type { Handovers } from "../handovers/handovers.ts";
import { Quotas } from "../keys/quotas.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import { Runs } from "../runs/runs.ts";
import type { Storage } from "./open-storage.ts";
import type { ServiceSettings } from "./read-settings.ts";
import type { StartedSessions } from "./start-sessions.ts";

/** Dependencies of the automation of a service. */
export interface AutomationDependencies {
  /** Options of the service. */
  readonly settings: ServiceSettings;
  /** Records of runs, functions and keys. */
  readonly storage: Pick<Storage, "records">;
  /** Sessions and browsers: each run has a session of its own. */
  readonly sessionParts: Pick<StartedSessions, "browsers" | "sessions">;
  /** Addresses of the pages that show sessions live. */
  readonly urls: SessionUrls;
  /** Requests for a person. */
  readonly handovers: Handovers;
  /** Counts runs. */
  readonly metrics: ServiceMetrics;
  /** Told of each run that begins, goes on or ends. */
  readonly changes: Changes;
}

/** Automation of a service. */
export interface StartedAutomation {
  /** The runs. */
  readonly runs: Runs;
  /** Quotas of keys. */
  readonly quotas: Quotas;
  /** Creates the worker of one task, with its cost limit in US dollars: the agent when there is a model, otherwise the planner. */
  readonly newWorker: (budgetUsd?: string) => Worker;
}

/**
 * Accepts runs. `closing` cancels them.
 *
 * @throws {AutomationError} `usage` when a limit of the agent is invalid.
 */
export function acceptRuns(parts: AutomationDependencies, closing: AsyncDisposableStack): StartedAutomation {
  const { settings, storage, sessionParts, urls, handovers, metrics, changes } = parts;
  const { model, runLimits: limits, clock, log } = settings;
  const { sessions, browsers } = sessionParts;
  const { records } = storage;
  const newWorker = (budgetUsd = limits.budgetUsd): Worker =>
    model ? new Agent({ model, limits: { ...limits, budgetUsd }, log }) : new Planner();
  newWorker(); // throws at once when its limits are invalid
  const quotas = new Quotas({
    keys: records.keys,
    sessions: records.sessions,
    runs: records.runs,
    budgetUsd: model && limits.budgetUsd,
    now: () => clock.now(),
  });
  const runs = new Runs({
    sessions,
    functions: records.functions,
    records: records.runs,
    checkUrl: (page) => browsers.checkUrl(page),
    handovers,
    viewerUrl: (id) => urls.viewerUrl(id),
    clock,
    limits,
    log,
    onBegin: () => metrics.countBegunRun(),
    onChange: (key) => changes.tell("runs", key),
    onEnd: (end, costUsd, key) => metrics.countEndedRun(end, costUsd, key),
  });
  closing.defer(() => runs.close());
  return { runs, quotas, newWorker };
}
