import pTimeout from "p-timeout";
import { pino } from "pino";
import { Agent, defaultAgentLimits, FunctionWorker, Planner, type Worker } from "@cloud-browser/automation";
import { defaultRunLimits } from "./runs/run-options.ts";
import { Runs } from "./runs/runs.ts";
import { serveRecording, systemClock } from "@cloud-browser/recorder";
import { type Capacity, capacityOf } from "./cluster/capacity.ts";
import type { ClusterNode } from "./cluster/cluster-node.ts";
import { joinCluster } from "./cluster/join-cluster.ts";
import { checkedOptions } from "./control/create-request.ts";
import { SessionTokens } from "./control/session-tokens.ts";
import { driveSession } from "./sessions/drive-session.ts";
import { Keys } from "./keys/keys.ts";
import { Quotas } from "./keys/quotas.ts";
import { Health } from "./health/health.ts";
import { storageFault } from "./health/storage.ts";
import { createApp } from "./http/app.ts";
import { keyGuard } from "./http/authentication.ts";
import { WrongKeys } from "./keys/wrong-keys.ts";
import { acceptDrivers, driverGuard } from "./http/drivers.ts";
import { Forwarding } from "./http/forwarding.ts";
import { listen } from "./http/listening.ts";
import { hostGuard } from "./http/own-hosts.ts";
import { automationPath, checkedWords } from "./http/own-words.ts";
import { Placement } from "./http/placement.ts";
import { forwardRuns } from "./http/run-forwarding.ts";
import { ServiceMetrics } from "./metrics/service-metrics.ts";
import { createModel, PageScraper } from "@cloud-browser/page-content";
import { ownRecords, type Records } from "./records.ts";
import { checkedBucket, openRecordings } from "./storage/recordings/open-recordings.ts";
import { scrapeSession } from "./sessions/scrape-session.ts";
import { readCookies } from "./sessions/session-cookies.ts";
import { asServiceError, ServiceError } from "./service-error.ts";
import { checkedAddress, checkedTime, requireText, type ServiceOptions } from "./service-options.ts";
import type { RunningService } from "./running-service.ts";
import { serviceVersion } from "./service-version.ts";
import { openFolder } from "./open-folder.ts";
import { Shutdown } from "./shutdown.ts";
import { defaultSessionLimits, startSessions } from "./start-sessions.ts";
import { checkedQueueLimits, waitOf } from "./sessions/queue-limits.ts";
import { inSpan } from "./tracing/spans.ts";

/** How often records that could not be written are tried again, in milliseconds. */
const recordsEveryMs = 10_000;

/** How long sessions may take to end when the lease of a node is lost, or its process must end, in milliseconds; then its browsers are killed. */
const closingMs = 2_000;

/** How long a read of a replay waits for a recording that is being finished, in milliseconds. */
const replayWaitMs = 10_000;

/**
 * Starts the service.
 *
 * @throws {ServiceError} `usage` when an option can't be followed or the folder is in use, `browser-missing`.
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  return asServiceError(assemble(options));
}

/** Puts the parts together, each with what it needs. */
async function assemble(options: ServiceOptions): Promise<RunningService> {
  await using built = new AsyncDisposableStack();
  const metrics = new ServiceMetrics();
  const { clock = systemClock, log = pino({ level: "silent" }), host = "127.0.0.1" } = options;
  requireText({
    host,
    chromium: options.chromium,
    ffmpeg: options.ffmpeg,
    "model.apiKey": options.model?.apiKey,
    bucket: options.bucket,
  });
  const publicUrl = options.publicUrl === undefined ? undefined : checkedAddress("public URL", options.publicUrl);
  const words = checkedWords(options);
  const bucket = checkedBucket(options.bucket);
  const { folder, database, apiKey, shared, signing } = await openFolder(options, log, built);
  const model = options.model && createModel(options.model);

  const keepAlive =
    options.keepAliveMs === undefined ? {} : { idleMs: checkedTime("keepAliveMs", options.keepAliveMs) };
  const http = await listen(host, options.port ?? 0, keepAlive);
  built.defer(http.close);
  const url = publicUrl ?? http.url;
  const queueLimits = checkedQueueLimits(options.queue);
  const drainMs = checkedTime("drainMs", options.drainMs ?? 0);
  const hosts = hostGuard({ host, port: http.port, publicUrl, allowed: options.allowedHosts ?? [] });
  const node = options.cluster && (await joinCluster(options.cluster, { folder, ownUrl: http.url, log, built }));
  // Finds the owners of sessions for as long as it has its lease.
  built.defer(http.close);
  const records: Records = node ?? ownRecords(database, log);
  const writeRecords = (): Promise<string | undefined> => records.write();

  const { recordings, inFolder, bucketFault } = await openRecordings(
    {
      folder: folder.recordings,
      clock,
      secret: signing,
      publicUrl: () => addressNow(),
      ...(options.ffmpeg === undefined ? {} : { ffmpeg: options.ffmpeg }),
      onWarning: (session, what) => log.warn({ session }, `the recording ${what}`),
      onEncoderFailure: () => metrics.encoderFailed(),
    },
    { bucket, index: records.recordings, node },
    built,
  );
  void bucketFault().then((why) => {
    if (why !== undefined) log.warn({ bucket: options.bucket }, `recordings can't be kept in the bucket: ${why}`);
  });
  const recover = async (): Promise<void> => {
    const lost = {
      sessions: await records.sessions.recover(clock.now(), (id) => recordings.lastSeen(id)),
      runs: await records.runs.recover(clock.now()),
    };
    if (lost.sessions + lost.runs > 0) log.warn(lost, "sessions and runs were lost with the process that had them");
  };
  if (!node) await recover();
  built.defer(async () => void (await writeRecords()));
  const writing = setInterval(() => void writeRecords(), recordsEveryMs).unref();
  built.defer(() => clearInterval(writing));
  recordings
    .recover()
    .catch((error: unknown) => log.error({ err: error }, "recordings of an earlier process could not be finished"));

  const limits = { ...defaultSessionLimits, ...options.limits };
  const { allow = [], deny = [], chromium, sessionsPerBrowser: contextsPerBrowser } = options;
  const { browsers, sessions } = await startSessions(
    {
      browsers: { allow, deny, chromium, contextsPerBrowser, ownPort: http.port },
      limits,
      maxWaiting: queueLimits.count,
      records: records.sessions,
      recordings,
      node,
      clock,
      metrics,
      log,
    },
    built,
  );

  const scraper = new PageScraper();
  const tokens = new SessionTokens(signing);
  const sessionToDrive = (token: string | null): string | undefined => tokens.sessionOf("drive", token);
  const keys = new Keys(records.keys);
  built.defer(keys.watch(sessions, () => clock.now(), recordsEveryMs, log));
  const now = (): number => clock.now();
  const holderOf = keyGuard(apiKey, (key) => keys.find(key, now()));
  const forwarding =
    node &&
    shared &&
    new Forwarding({ peers: node.peers, sessions, recordings, sessionToDrive, credential: shared.credential, url });
  const addressNow = (): string => forwarding?.url ?? url;
  const runLimits = { ...defaultRunLimits, ...defaultAgentLimits, ...options.runLimits };
  const newWorker = (budgetUsd = runLimits.budgetUsd): Worker =>
    model ? new Agent({ model, limits: { ...runLimits, budgetUsd }, log }) : new Planner();
  newWorker(); // throws at once when its limits are invalid
  const budgetUsd = model && runLimits.budgetUsd;
  const quotas = new Quotas({ keys: records.keys, sessions: records.sessions, runs: records.runs, budgetUsd, now });
  const runs = new Runs({
    sessions,
    functions: records.functions,
    records: records.runs,
    checkUrl: (page) => browsers.checkUrl(page),
    viewerUrl: (id) => `${addressNow()}/viewer/${id}/page?token=${tokens.of("view", id)}`,
    clock,
    limits: runLimits,
    log,
    onBegin: () => metrics.runBegun(),
    onEnd: (end, costUsd, key) => metrics.runEnded(end, costUsd, key),
  });
  const shutdown = new Shutdown({ sessions, requests: http, drainMs, log });
  metrics.observe({
    sessions,
    runs,
    recordings,
    sessionLimit: limits.count,
    runLimit: runLimits.count,
    dataFolder: folder.path,
    build: { version: serviceVersion, browser: browsers.description },
    ...(node && { leases: () => node.leases() }),
    isDraining: () => shutdown.state !== "running",
  });
  built.defer(() => runs.close());
  const cdpUrl = (id: string): string =>
    `${addressNow().replace(/^http/, "ws")}/control/sessions/${id}/cdp?token=${tokens.of("drive", id)}`;
  const capacity = (): Capacity => capacityOf(shutdown.state === "running" ? limits.count - sessions.count : 0);
  const endSessions = async (reason: "host-lost" | "service-died"): Promise<void> => {
    const ended = sessions.endAll(reason);
    await pTimeout(ended, { milliseconds: closingMs, fallback: () => browsers.kill() });
    await ended;
  };
  await node?.begin(() => endSessions("host-lost"), recover, capacity);
  const health = new Health({
    storage: () => storageFault(folder.path),
    records: async () => node?.fault ?? (await writeRecords()),
    bucket: bucketFault,
    encoder: () => recordings.fault(),
    browsers: async () => browsers.fault,
  });
  const fitsToDrive = (id: string, token: string | null): boolean => tokens.fits("drive", id, token);
  const driverOf = driverGuard(fitsToDrive, holderOf);
  const app = createApp({
    holderOf,
    wrongKeys: new WrongKeys(),
    keys,
    quotas,
    now,
    sessions,
    scrape: (session, request) => stillHeld(metrics.timeScrape(scrapeSession(scraper, session, request, model)), node),
    cookies: async ({ pooledContext: pooled }) => ({
      cookies: await stillHeld(
        inSpan("page.cookies", {}, () => readCookies(pooled)),
        node,
      ),
    }),
    replay: (id) => recordings.replay(id, replayWaitMs),
    recordingsOf: (ids) => recordings.views(ids),
    deleteRecording: (id) => recordings.delete(id),
    recordingFile: (request) => serveRecording(inFolder, request),
    hosts,
    forwarding,
    placement: new Placement({ sessions, cluster: node && forwarding && { peers: node.peers, forwarding, capacity } }),
    queueLimits,
    runForwarding: node && forwarding && forwardRuns({ peers: node.peers, forwarding, runs, records: records.runs }),
    cdpUrl,
    runsOf: (ids) => records.runs.ofSessions(ids),
    driverOf,
    sessionToDrive,
    runs,
    newWorker,
    words,
    functions: records.functions,
    model,
    mayView: (id, token) => tokens.fits("view", id, token),
    health: () => health.report(),
    metrics,
    state: () => shutdown.state,
    log,
  });
  http.answerWith((request, connection) => app.fetch(request, connection));
  acceptDrivers(http.server, {
    sessions,
    driverOf,
    hosts,
    forwarding,
    connect: (client, session) => driveSession(client, session, node?.requireLease),
  });
  folder.announce({ url, apiKey });
  built.defer(() => folder.withdraw());
  log.info({ version: serviceVersion, url, data: folder.path, browser: browsers.description, limits }, "started");

  const running = built.move();
  const close = (): Promise<void> => shutdown.close(() => running.disposeAsync());
  const keyOrigin = options.apiKey === undefined ? "made" : "given";
  return {
    url,
    automationUrl: url + automationPath(words),
    apiKey,
    keyOrigin,
    parts: browsers.description,
    open: async (session) => {
      const given = checkedOptions(session);
      const { id } = await asServiceError(sessions.create(given, { waitMs: waitOf(given, queueLimits) }));
      return { session_id: id, cdp_url: cdpUrl(id) };
    },
    end: (id) => asServiceError(forwarding?.end(id, apiKey) ?? sessions.end(id, null).then(() => undefined)),
    runFunction: async (id, variables = {}) => {
      const record = await records.functions.get(id, null);
      if (!record) throw new ServiceError("usage", "there is no such function");
      const worker = new FunctionWorker(record, variables, {
        model,
        keep: (healed) => records.functions.replace(healed),
      });
      const { stream } = await runs.start({ worker, task: record.query, makesFunction: false });
      await stream.body.pipeTo(new WritableStream());
      return stream.ended;
    },
    abandon: async () => {
      await endSessions("service-died");
      await node?.giveUp();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Resolves with the result of work on a session only if the session still belongs to this node. */
async function stillHeld<Value>(work: Promise<Value>, node: ClusterNode | undefined): Promise<Value> {
  const value = await work;
  node?.requireLease();
  return value;
}
