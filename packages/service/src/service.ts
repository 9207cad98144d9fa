import { Changes } from "./changes/changes.ts";
import { measureCapacityFor } from "./cluster/capacity.ts";
import { SessionTokens, SessionUrls } from "./control/session-tokens.ts";
import { Keys } from "./keys/keys.ts";
import { ServiceMetrics } from "./metrics/service-metrics.ts";
import { PublicUrl } from "./request-context.ts";
import type { RunningService } from "./running-service.ts";
import { convertErrors } from "./service-error.ts";
import type { ServiceOptions } from "./service-options.ts";
import { serviceVersion } from "./service-version.ts";
import { Shutdown } from "./shutdown.ts";
import { observeService } from "./start/observe-service.ts";
import { openDataFolder } from "./start/open-folder.ts";
import { openProfiles } from "./start/open-profiles.ts";
import { openServer } from "./start/open-server.ts";
import { openStorage } from "./start/open-storage.ts";
import { readSettings } from "./start/read-settings.ts";
import { SteeringEvents } from "./sessions/control/steering-events.ts";
import { serveRequests } from "./start/serve-requests.ts";
import { createHandle } from "./start/service-handle.ts";
import { acceptRuns } from "./start/start-automation.ts";
import { acceptHandovers } from "./start/start-handovers.ts";
import { startSessions } from "./start/start-sessions.ts";
import { tellSteering } from "./start/tell-steering.ts";

/** Interval of the search for sessions whose key is revoked, in milliseconds. */
const revokedEveryMs = 10_000;

/**
 * Starts the service.
 *
 * @throws {ServiceError} `usage` when an option can't be followed or the folder is in use, `browser-missing`.
 *
 * @example
 * ```ts from=examples/api/service/start-service.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { startService } from "@cloud-browser/service";
 *
 * await using service = await startService({ data: "data" });
 * const { session_id } = await service.open();
 * const client = createCloudBrowser({ baseUrl: service.url, apiKey: service.apiKey });
 * console.log((await client.cookies(session_id)).cookies.length); // 0
 * ```
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  return convertErrors(assemble(options));
}

/**
 * Starts the parts of a service, each with those that it needs. `closing` closes them in the reverse order. The order is this because
 *
 * - the folder is locked before anything is written, and unlocked last;
 * - the server listens before the cluster is joined, which is told its address, and before browsers start, which keep pages from its port;
 * - the server closes after sessions and recordings, whose ends are still asked for, and before the node leaves, by whose lease it finds
 *   the owners of sessions;
 * - records are recovered before sessions are created, and written once more after the last session and run have ended;
 * - recordings open before sessions, which they record, and close after them, when nothing is added any more;
 * - runs end before sessions, which they have, and sessions before browsers;
 * - a node tells the others of its capacity when it can have sessions, and requests are answered from then on;
 * - the address is announced when it answers, and withdrawn before anything closes.
 */
async function assemble(options: ServiceOptions): Promise<RunningService> {
  await using closing = new AsyncDisposableStack();
  const settings = readSettings(options);
  const { log, clock, sessionLimits, drainMs } = settings;
  const metrics = new ServiceMetrics();
  const dataFolder = await openDataFolder(options, log, closing);
  const { folder, apiKey } = dataFolder;
  const server = await openServer(settings, folder, closing);
  const { http, node } = server;
  const publicUrl = new PublicUrl(settings.publicUrl ?? http.url);
  const storage = await openStorage({ settings, dataFolder, node, publicUrl, metrics }, closing);
  const steering = new SteeringEvents();
  const changes = new Changes();
  const handovers = acceptHandovers({ settings, storage, steering, metrics });
  const profiles = openProfiles(settings, storage, metrics);
  const sessionParts = await startSessions(
    { settings, ownPort: http.port, storage, profiles, node, metrics, steering, changes },
    closing,
  );
  const { browsers, sessions, overload, endAll } = sessionParts;
  closing.defer(tellSteering(steering, sessions, changes));
  closing.defer(() => changes.close());
  const keys = new Keys(storage.records.keys);
  closing.defer(keys.watch(sessions, clock, revokedEveryMs, log));
  const tokens = new SessionTokens(dataFolder.signing);
  const urls = new SessionUrls(publicUrl, tokens);
  const automation = acceptRuns({ settings, storage, sessionParts, urls, handovers, metrics, changes }, closing);
  const { runs } = automation;
  const shutdown = new Shutdown({ sessions, requests: http, endStreams: () => changes.close(), drainMs, log });
  const health = observeService({
    settings,
    metrics,
    folder,
    storage,
    browsers,
    sessions,
    profiles,
    overload,
    watch: dataFolder.watch,
    runs,
    handovers,
    shutdown,
    node,
  });
  const capacity = measureCapacityFor(sessions);
  await node?.begin(() => endAll("host-lost"), storage.recover, capacity);
  const access = { capacity, secrets: dataFolder, keys, tokens, urls, publicUrl };
  const forwarding = serveRequests({
    settings,
    server,
    storage,
    sessions,
    profiles,
    browsers,
    automation,
    handovers,
    health,
    metrics,
    shutdown,
    changes,
    ...access,
  });
  const url = publicUrl.own;
  folder.announce({ url, local: http.url, apiKey });
  closing.defer(() => folder.withdraw());
  const about = { data: folder.path, browser: browsers.description, limits: sessionLimits };
  log.info({ version: serviceVersion, url, ...about }, "started");

  const running = closing.move();
  const close = (): Promise<void> => shutdown.close(() => running.disposeAsync());
  return createHandle({ settings, url, apiKey, urls, sessionParts, automation, storage, node, forwarding, close });
}
