import { GuardedBrowsers } from "@cloud-browser/browsers";
import pTimeout from "p-timeout";
import type { ClusterNode } from "../cluster/cluster-node.ts";
import { Overload } from "../health/overload.ts";
import type { Changes } from "../changes/changes.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import type { SteeringEvents } from "../sessions/control/steering-events.ts";
import { enforceHardMemoryLimit } from "../sessions/memory/hard-memory-limit.ts";
import { watchMemory, type MemoryWatchOptions } from "../sessions/memory/memory-watch.ts";
import { Sessions } from "../sessions/sessions.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { runInSpan } from "../tracing/spans.ts";
import type { Storage } from "./open-storage.ts";
import type { ServiceSettings } from "./read-settings.ts";

/** How long the end of a session waits until its recording is in the bucket, in milliseconds. */
const securingMs = 3_000;

/** How long sessions may take to end when the lease of a node is lost, or its process must end, in milliseconds; then its browsers are killed. */
const endingMs = 2_000;

/** Dependencies of the sessions of a service. */
export interface SessionServiceParts {
  /** Options of the service. */
  readonly settings: ServiceSettings;
  /** Port of the service, which pages may not open. */
  readonly ownPort: number;
  /** Records of sessions, also after their end, and recordings of their pages. */
  readonly storage: Pick<Storage, "records" | "recordings" | "files">;
  /** The node, whose lease sessions need; undefined when this process is the whole service. */
  readonly node: Pick<ClusterNode, "requireLease" | "epoch" | "renewedAgoMs" | "renewalMs"> | undefined;
  /** Profiles that sessions begin with. */
  readonly profiles: Profiles;
  /** Counts sessions and browsers. */
  readonly metrics: ServiceMetrics;
  /** Told who steers sessions. */
  readonly steering: SteeringEvents;
  /** Told of each session that begins, ends, or is on another page. */
  readonly changes: Changes;
}

/** Sessions of a service, and the browsers that they are in. */
export interface StartedSessions {
  /** The browsers. */
  readonly browsers: GuardedBrowsers;
  /** The sessions. */
  readonly sessions: Sessions;
  /** Says whether this process keeps up. */
  readonly overload: Pick<Overload, "fault">;
  /** Ends all sessions within seconds, if need be by killing their browsers. */
  readonly endAll: (reason: "host-lost" | "service-died") => Promise<void>;
}

/**
 * Starts the browsers and accepts sessions on them. Sessions that use too much memory are ended. `closing` ends the sessions, then the
 * browsers.
 *
 * @throws {ServiceError} `usage` when an option of the browsers is invalid, `browser-missing`.
 */
export async function startSessions(
  parts: SessionServiceParts,
  closing: AsyncDisposableStack,
): Promise<StartedSessions> {
  const { settings, storage, node, metrics } = parts;
  const {
    allow = [],
    deny = [],
    chromium,
    sessionsPerBrowser: contextsPerBrowser,
    sessionLimits: limits,
    log,
  } = settings;
  const browsers = await GuardedBrowsers.start(
    {
      allow,
      deny,
      chromium,
      contextsPerBrowser,
      ownPort: parts.ownPort,
      ...(node && { lease: () => node.epoch }),
      contexts: limits.count,
      log,
      onDeath: () => metrics.countBrowserCrash(),
      onBlocked: (reason) => metrics.countBlockedRequest(reason),
    },
    closing,
  );
  const overload = new Overload({
    renewedAgoMs: () => node?.renewedAgoMs,
    renewalMs: node?.renewalMs ?? Infinity,
    onOver: () => sessions.queue.advance(),
  });
  closing.defer(() => overload.close());
  const sessions = new Sessions({
    // Alone it has no lease that is at risk, and nobody else who could take sessions.
    ...(node && { overload: () => overload.fault }),
    openContext: (options, proxy) => runInSpan("browser.open", {}, () => browsers.open(options, proxy)),
    record: (session) => storage.recordings.begin(session),
    openFiles: (id, keptMs) => storage.files.open(id, keptMs),
    closeFiles: (id) => storage.files.settleEnd(id),
    secure: (id) => storage.recordings.waitUntilSecured(id, securingMs),
    checkUrl: (page, proxy) => browsers.checkUrl(page, proxy),
    allowsProxyDns: settings.proxyDns,
    records: storage.records.sessions,
    profiles: parts.profiles,
    clock: settings.clock,
    monotonic: settings.monotonic,
    limits,
    ...(node && { requireLease: node.requireLease }),
    queue: { maxWaiting: settings.queueLimits.count, onLeave: (outcome, ms) => metrics.countQueueExit(outcome, ms) },
    onSteering: (event) => parts.steering.tell(event),
    onEntry: (entry) => metrics.countEntry(entry),
    onBegin: () => metrics.countCreatedSession(),
    onChange: (key) => parts.changes.tell("sessions", key),
    onCreation: (outcome) => metrics.timeCreation(outcome),
    onEnd: (session, reason, faults) => {
      metrics.countEndedSession(reason);
      log.info({ session, reason }, "a session has ended");
      for (const err of faults) log.warn({ session, err }, "failed to end a session cleanly");
    },
  });
  closing.defer(() => sessions.close());
  limitMemory({ browsers, sessions }, limits.memoryBytes, closing);
  const endAll = async (reason: "host-lost" | "service-died"): Promise<void> => {
    const ending = sessions.endAll(reason);
    await pTimeout(ending, { milliseconds: endingMs, fallback: () => browsers.kill() });
    await ending;
  };
  return { browsers, sessions, overload, endAll };
}

function limitMemory(
  { browsers, sessions }: Pick<StartedSessions, "browsers" | "sessions">,
  sessionBytes: number,
  closing: AsyncDisposableStack,
): void {
  const memory: Omit<MemoryWatchOptions, "listBrowsers"> = {
    listSessions: () => sessions.open,
    sessionBytes,
    killHeaviest: (pid, type, leastBytes) => browsers.killHeaviest(pid, type, leastBytes),
  };
  closing.defer(watchMemory({ ...memory, listBrowsers: () => browsers.running() }));
  closing.defer(enforceHardMemoryLimit(memory));
}
