import { GuardedBrowsers } from "@cloud-browser/browsers";
import type { Clock } from "@cloud-browser/recorder";
import type { Logger } from "pino";
import type { ClusterNode } from "./cluster/cluster-node.ts";
import type { ServiceMetrics } from "./metrics/service-metrics.ts";
import type { Records } from "./records.ts";
import type { SessionLimits } from "./sessions/create-session.ts";
import { enforceHardMemoryLimit } from "./sessions/hard-memory-limit.ts";
import { watchMemory, type MemoryWatchOptions } from "./sessions/memory-watch.ts";
import { Sessions } from "./sessions/sessions.ts";
import type { RecordingStore } from "./storage/recordings/recording-store.ts";
import { inSpan } from "./tracing/spans.ts";

type BrowserOptions = Parameters<typeof GuardedBrowsers.start>[0];

/** Limits of sessions where the options give none: 20 of them, 15 minutes idle, 5 minutes before the first use, 4 hours in total, 24 hours for recordings, 1 GiB of memory each. */
export const defaultSessionLimits: SessionLimits = {
  count: 20,
  idleMs: 15 * 60_000,
  unusedMs: 5 * 60_000,
  totalMs: 4 * 3_600_000,
  recordingMs: 24 * 3_600_000,
  memoryBytes: 2 ** 30,
};

/** How long the end of a session waits until its recording is in the bucket, in milliseconds. */
const securingMs = 3_000;

/** Dependencies of the sessions of a service. */
export interface SessionParts {
  /** Options of the browsers: what runs, and which addresses pages may open. */
  readonly browsers: Pick<BrowserOptions, "allow" | "deny" | "chromium" | "contextsPerBrowser" | "ownPort">;
  /** Limits of all sessions, and of each. */
  readonly limits: SessionLimits;
  /** Maximum number of requests that wait for a session. */
  readonly maxWaiting: number;
  /** Store of the records of sessions, also after their end. */
  readonly records: Records["sessions"];
  /** Recordings of their pages. */
  readonly recordings: Pick<RecordingStore, "begin" | "secured">;
  /** The lease of this node; undefined when this process is the whole service. */
  readonly node: Pick<ClusterNode, "requireLease" | "epoch"> | undefined;
  /** Clock. */
  readonly clock: Clock;
  /** Counts sessions and browsers. */
  readonly metrics: ServiceMetrics;
  /** Logger. */
  readonly log: Logger;
}

/**
 * Starts the browsers and accepts sessions on them. Sessions that use too much memory are ended. `built` ends the sessions, then the browsers.
 *
 * @throws {ServiceError} `usage` when an option of the browsers is invalid, `browser-missing`.
 */
export async function startSessions(
  parts: SessionParts,
  built: AsyncDisposableStack,
): Promise<{ readonly browsers: GuardedBrowsers; readonly sessions: Sessions }> {
  const { limits, recordings, node, metrics, log } = parts;
  const browsers = await GuardedBrowsers.start(
    {
      ...parts.browsers,
      ...(node && { lease: () => node.epoch }),
      contexts: limits.count,
      log,
      onDeath: () => metrics.browserDied(),
      onBlocked: (reason) => metrics.requestBlocked(reason),
    },
    built,
  );
  const sessions = new Sessions({
    openContext: (options) => inSpan("browser.open", {}, () => browsers.open(options)),
    record: (session) => recordings.begin(session),
    secure: (id) => recordings.secured(id, securingMs),
    checkUrl: (page) => browsers.checkUrl(page),
    records: parts.records,
    clock: parts.clock,
    limits,
    ...(node && { requireLease: node.requireLease }),
    queue: { maxWaiting: parts.maxWaiting, onLeave: (outcome, ms) => metrics.queueLeft(outcome, ms) },
    onBegin: () => metrics.sessionCreated(),
    onCreation: (outcome) => metrics.timeCreation(outcome),
    onEnd: (session, reason, faults) => {
      metrics.sessionEnded(reason);
      log.info({ session, reason }, "a session has ended");
      for (const err of faults) log.warn({ session, err }, "failed to end a session cleanly");
    },
  });
  built.defer(() => sessions.close());
  const memory: Omit<MemoryWatchOptions, "browsers"> = {
    sessions: () => sessions.open,
    sessionBytes: limits.memoryBytes,
    killHeaviest: (pid, type, leastBytes) => browsers.killHeaviest(pid, type, leastBytes),
  };
  built.defer(watchMemory({ ...memory, browsers: () => browsers.running() }));
  built.defer(enforceHardMemoryLimit(memory));
  return { browsers, sessions };
}
