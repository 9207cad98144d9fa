import type { GuardedBrowsers } from "@cloud-browser/browsers";
import { PageScraper } from "@cloud-browser/page-content";
import { RecordsCopies } from "../backup/records-copies.ts";
import type { Capacity } from "../cluster/capacity.ts";
import type { Changes } from "../changes/changes.ts";
import type { SessionTokens, SessionUrls } from "../control/session-tokens.ts";
import type { Handovers } from "../handovers/handovers.ts";
import type { Health } from "../health/health.ts";
import { readConsoleFiles } from "../console/console-files.ts";
import { createApp } from "../http/app.ts";
import { makeKeyGuard } from "../http/authentication.ts";
import { acceptDrivers, makeDriverGuard } from "../http/drivers.ts";
import { LiveSockets } from "../http/live/live-sockets.ts";
import { makeSessionAccess } from "../http/live/session-access.ts";
import { Forwarding } from "../http/nodes/forwarding.ts";
import { followPeers } from "../http/nodes/peer-changes.ts";
import { Placement } from "../http/nodes/placement.ts";
import { forwardRuns } from "../http/nodes/run-forwarding.ts";
import type { Keys } from "../keys/keys.ts";
import { WrongKeys } from "../keys/wrong-keys.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { PublicUrl } from "../request-context.ts";
import { SessionScraper } from "../sessions/scrape-session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Shutdown } from "../shutdown.ts";
import type { OpenedFolder } from "./open-folder.ts";
import type { OpenedServer } from "./open-server.ts";
import type { Storage } from "./open-storage.ts";
import type { ServiceSettings } from "./read-settings.ts";
import type { StartedAutomation } from "./start-automation.ts";

/** Parts of a service that requests reach. */
export interface ServedParts {
  /** Options of the service. */
  readonly settings: ServiceSettings;
  /** The server that is told how to answer, and the node. */
  readonly server: OpenedServer;
  /** The keys by which clients and other nodes are known, and the records. */
  readonly secrets: Pick<OpenedFolder, "apiKey" | "shared" | "database" | "folder" | "watch">;
  /** The keys beside the one that the service was started with. */
  readonly keys: Keys;
  /** Tokens in the addresses of sessions. */
  readonly tokens: SessionTokens;
  /** Addresses of sessions. */
  readonly urls: SessionUrls;
  /** Address of the service. */
  readonly publicUrl: PublicUrl;
  /** Records and recordings. */
  readonly storage: Storage;
  /** Sessions. */
  readonly sessions: Sessions;
  /** Profiles that sessions begin with. */
  readonly profiles: Profiles;
  /** The browsers, which say whether a page may be opened at an address. */
  readonly browsers: Pick<GuardedBrowsers, "checkUrl">;
  /** Runs. */
  readonly automation: StartedAutomation;
  /** Requests for a person. */
  readonly handovers: Handovers;
  /** Health checks. */
  readonly health: Health;
  /** Metrics. */
  readonly metrics: ServiceMetrics;
  /** Returns how much more this process can do. */
  readonly capacity: () => Capacity;
  /** Changes of this node. */
  readonly changes: Changes;
  /** Says whether new sessions are accepted. */
  readonly shutdown: Pick<Shutdown, "state">;
}

/** From now on answers requests and accepts WebSockets. Returns the way to the sessions of other nodes; undefined outside of a cluster. */
export function serveRequests(parts: ServedParts): Forwarding | undefined {
  const { settings, server, secrets, keys, tokens, storage, sessions, automation, handovers, metrics } = parts;
  const { http, hosts, node } = server;
  const { records, recordings, files, localRecordings } = storage;
  const { model, words, queueLimits, clock, log } = settings;
  const copies = new RecordsCopies(secrets.database, secrets.folder.recordsCopy);
  const cluster = connectNodes(parts);
  const { forwarding, runForwarding } = cluster ?? {};
  const holderOf = makeKeyGuard(secrets.apiKey, keys, clock);
  const accessOf = makeSessionAccess({ tokens, sessions, holderOf });
  const driverOf = makeDriverGuard(accessOf);
  const wrongKeys = new WrongKeys();
  const requireLease = node?.requireLease;
  const app = createApp({
    ...automation,
    holderOf,
    wrongKeys,
    keys,
    clock,
    sessions,
    scraper: new SessionScraper({ scraper: new PageScraper(), model, metrics, requireLease }),
    recordings,
    profiles: parts.profiles,
    files,
    localRecordings,
    findDamage: () => (node ? undefined : secrets.watch.fault),
    recordsCopies: node ? undefined : copies,
    hosts,
    forwarding,
    runForwarding,
    placement: new Placement({ sessions, cluster }),
    changes: parts.changes,
    followPeers: cluster?.followPeers,
    queueLimits,
    urls: parts.urls,
    tokens,
    driverOf,
    accessOf,
    embedOrigins: settings.embedOrigins,
    docsUrl: settings.docsUrl,
    consoleFiles: settings.console ? readConsoleFiles() : undefined,
    findMediaOrigin: storage.findMediaOrigin,
    words,
    runRecords: records.runs,
    functions: records.functions,
    handovers,
    handoverRecords: records.handovers,
    model,
    health: parts.health,
    metrics,
    shutdown: parts.shutdown,
    log,
  });
  http.answerWith(app.fetch);
  const live = new LiveSockets({ browsers: parts.browsers, requireLease, metrics, handovers });
  acceptDrivers(http.server, {
    sessions,
    accessOf,
    live,
    hosts,
    forwarding,
    requireLease,
    wrongKeys,
    metrics,
    words,
    log,
  });
  return forwarding;
}

/** Other nodes, and how they are asked. */
type Nodes = NonNullable<ConstructorParameters<typeof Placement>[0]["cluster"]> & {
  readonly forwarding: Forwarding;
  readonly followPeers: ReturnType<typeof followPeers>;
  readonly runForwarding: ReturnType<typeof forwardRuns>;
};

function connectNodes({ server, secrets, storage, ...parts }: ServedParts): Nodes | undefined {
  const { node } = server;
  if (!node || !secrets.shared) return undefined;
  const { peers } = node;
  const { credential } = secrets.shared;
  const { sessions, tokens, publicUrl, automation } = parts;
  const { records, recordings } = storage;
  const forwarding = new Forwarding({ peers, sessions, recordings, tokens, credential, publicUrl });
  const runForwarding = forwardRuns({ peers, forwarding, runs: automation.runs, records: records.runs });
  return {
    peers,
    forwarding,
    followPeers: followPeers({ peers, forwarding }),
    runForwarding,
    capacity: parts.capacity,
  };
}
