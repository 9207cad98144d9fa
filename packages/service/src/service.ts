import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino, type Logger } from "pino";
import {
  Agent,
  type AgentLimits,
  defaultAgentLimits,
  FunctionWorker,
  Planner,
  type TerminalEvent,
  type Worker,
} from "@cloud-browser/automation";
import { defaultRunLimits, Runs, type RunLimits } from "./runs/runs.ts";
import { type Clock, Recordings, serveRecording, systemClock } from "@cloud-browser/recorder";
import { asSessionOptions } from "./control/create-request.ts";
import { SessionTokens } from "./control/session-tokens.ts";
import { DataFolder } from "./data-folder.ts";
import { driveSession } from "./sessions/drive-session.ts";
import { GuardedBrowsers } from "@cloud-browser/browsers";
import { Health } from "./health/health.ts";
import { storageFault } from "./health/storage.ts";
import { createApp } from "./http/app.ts";
import { keyGuard } from "./http/authentication.ts";
import { acceptDrivers } from "./http/drivers.ts";
import { listen } from "./http/listening.ts";
import { hostGuard } from "./http/own-hosts.ts";
import { ServiceMetrics } from "./metrics/service-metrics.ts";
import { createModel, type ModelSettings, PageScraper } from "@cloud-browser/page-content";
import { openDatabase } from "./storage/sqlite/database.ts";
import { SqliteFunctionStore } from "./storage/sqlite/sqlite-function-store.ts";
import { SqliteRunStore } from "./storage/sqlite/sqlite-run-store.ts";
import { SqliteSessionStore } from "./storage/sqlite/sqlite-session-store.ts";
import { scrapeSession } from "./sessions/scrape-session.ts";
import { readCookies } from "./sessions/session-cookies.ts";
import { asServiceError, ServiceError } from "./service-error.ts";
import type { SessionOptions } from "./sessions/session-options.ts";
import { watchMemory } from "./sessions/memory-watch.ts";
import { Sessions, type SessionLimits } from "./sessions/sessions.ts";

/** How a service is started; everything has a default. */
export interface ServiceOptions {
  /** Address to listen on. Default: `127.0.0.1`. */
  readonly host?: string;
  /** Port to listen on. Default: 0, any free one. */
  readonly port?: number;
  /** How clients reach it, where that is another address than the one that it listens on. */
  readonly publicUrl?: string;
  /** Further hosts that requests may name, as a proxy in front of it is known: `host`, with any port, or `host:port`. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Folder of its records and recordings. Default: one of its own, which is removed when it is closed. */
  readonly data?: string;
  /** The API key. A secret. Default: one that is made and kept in the folder. */
  readonly apiKey?: string;
  /** Path of a Chromium. Default: the one that comes with the package. */
  readonly chromium?: string;
  /** Path of an ffmpeg. Default: the one that comes with the package. */
  readonly ffmpeg?: string;
  /** Addresses that pages may load though they are not global: `host`, `host:port`, `*.suffix`, CIDR. Default: none. */
  readonly allow?: readonly string[];
  /** Default: 20 sessions, 15 minutes without use, 4 hours, 1 GiB of memory each. */
  readonly limits?: Partial<SessionLimits>;
  /** How many sessions share a browser: few browsers need less memory and time, many lose less when one dies. Default: 20. */
  readonly sessionsPerBrowser?: number;
  /** Default: 10 runs, 10 minutes, ended when their reader goes; with a model 50 tool calls and 1 US dollar. */
  readonly runLimits?: Partial<RunLimits & AgentLimits>;
  /** The model that extracts data and works on tasks. Default: none. */
  readonly model?: ModelSettings;
  /** Tells the time. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Gets a line for what happens. Default: nothing is logged. */
  readonly log?: Logger;
}

/** A session that was opened. */
export interface OpenSession {
  /** Its id, a UUID. */
  readonly session_id: string;
  /** Websocket address that drives it. Holds a credential of this session. */
  readonly cdp_url: string;
}

/** A service that runs. */
export interface RunningService extends AsyncDisposable {
  /** Address of the interface and of the control interface, without a slash at its end. */
  readonly url: string;
  /** The API key. A secret. */
  readonly apiKey: string;
  /** Origin of the key: given, or generated. */
  readonly keyOrigin: "given" | "made";
  /** Which browser it uses, and how, in words. */
  readonly parts: string;
  /**
   * Opens a session, as `POST /control/sessions` does.
   *
   * @throws {ServiceError} `usage`, `busy`, `address-refused`, `page-failed`.
   */
  open(options?: SessionOptions): Promise<OpenSession>;
  /** Ends a session; its recording is there soon after. @throws {ServiceError} `unknown-session` */
  end(sessionId: string): Promise<void>;
  /**
   * Runs a function again, in a session of its own, with values for its variables; the others keep theirs.
   *
   * @returns The event that ended the run: `done` has what was extracted in `metadata.data`.
   * @throws {ServiceError} `usage` when there is no such function, `busy`.
   */
  runFunction(functionId: string, variables?: Readonly<Record<string, string>>): Promise<TerminalEvent>;
  /** Ends its sessions, finishes their recordings, and stops; a second call waits for the same end. */
  close(): Promise<void>;
}

const defaultLimits: SessionLimits = { count: 20, idleMs: 15 * 60_000, totalMs: 4 * 3_600_000, memoryBytes: 2 ** 30 };

/** How often records that could not be written are tried again, in milliseconds. */
const recordsEveryMs = 10_000;

/** How long a read of a replay waits for a recording that is being finished, in milliseconds. */
const replayPatienceMs = 10_000;

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
  requireText({ host, chromium: options.chromium, ffmpeg: options.ffmpeg, "model.apiKey": options.model?.apiKey });
  const publicUrl = options.publicUrl === undefined ? undefined : checkedAddress(options.publicUrl);
  const folder = new DataFolder(options.data ?? (await ownFolder(built)));
  folder.make();
  const database = openDatabase(folder.records);
  built.defer(() => database.close());
  const records = new SqliteSessionStore(database, (err) =>
    log.error({ err }, "a record of a session can't be written"),
  );
  const functions = new SqliteFunctionStore(database, (err) => log.error({ err }, "a function can't be written"));
  const writeRecords = async (): Promise<string | undefined> => (await records.flush()) ?? functions.flush();
  const apiKey = checkedKey(options.apiKey ?? folder.apiKey());
  const signing = folder.signingSecret();
  const model = options.model && createModel(options.model);

  const http = await listen(host, options.port ?? 0);
  built.defer(http.close);
  const url = publicUrl ?? http.url;
  const hosts = hostGuard({ host, port: http.port, publicUrl, allowed: options.allowedHosts ?? [] });

  const recordings = await Recordings.open({
    folder: folder.recordings,
    clock,
    secret: signing,
    publicUrl: () => url,
    ...(options.ffmpeg === undefined ? {} : { ffmpeg: options.ffmpeg }),
    onWarning: (session, what) => log.warn({ session }, `the recording ${what}`),
    onEncoderFailure: () => metrics.encoderFailed(),
  });
  built.defer(() => recordings.close());
  await records.recover(clock.now(), (id) => recordings.lastSeen(id));
  built.defer(async () => void (await writeRecords()));
  const writing = setInterval(() => void writeRecords(), recordsEveryMs).unref();
  built.defer(() => clearInterval(writing));
  recordings
    .recover()
    .catch((error: unknown) => log.error({ err: error }, "recordings of an earlier process could not be finished"));

  const limits = { ...defaultLimits, ...options.limits };
  const { allow = [], chromium, sessionsPerBrowser: spacesPerBrowser } = options;
  const browsers = await GuardedBrowsers.start(
    {
      allow,
      chromium,
      spaces: limits.count,
      spacesPerBrowser,
      ownPort: http.port,
      log,
      onDeath: () => metrics.browserDied(),
    },
    built,
  );
  const sessions = new Sessions({
    openSpace: (space) => browsers.open(space),
    record: (session) => recordings.begin(session),
    permit: (page) => browsers.permit(page),
    records,
    clock,
    limits,
    onBegin: () => metrics.sessionCreated(),
    onCreation: (outcome) => metrics.timeCreation(outcome),
    onEnd: (session, reason, faults) => {
      metrics.sessionEnded(reason);
      log.info({ session, reason }, "a session has ended");
      for (const err of faults) log.warn({ session, err }, "failed to end a session cleanly");
    },
  });
  built.defer(() => sessions.close());
  built.defer(
    watchMemory({
      browsers: () => browsers.running(),
      sessions: () => sessions.open,
      sessionBytes: limits.memoryBytes,
    }),
  );

  const scraper = new PageScraper();
  const tokens = new SessionTokens(signing);
  const holdsKey = keyGuard(apiKey);
  const runLimits = { ...defaultRunLimits, ...defaultAgentLimits, ...options.runLimits };
  const newWorker = (): Worker => (model ? new Agent({ model, limits: runLimits, log }) : new Planner());
  newWorker(); // says at once when its limits are none
  const runRecords = new SqliteRunStore(database, (err) => log.error({ err }, "a record of a run can't be written"));
  await runRecords.recover(clock.now());
  const runs = new Runs({
    sessions,
    functions,
    records: runRecords,
    permit: (page) => browsers.permit(page),
    viewerUrl: (id) => `${url}/viewer/${id}/page?token=${tokens.of("view", id)}`,
    clock,
    limits: runLimits,
    log,
    onBegin: () => metrics.runBegun(),
    onEnd: (end, costUsd) => metrics.runEnded(end, costUsd),
  });
  metrics.observe({ sessions, runs, recordings, sessionLimit: limits.count });
  built.defer(() => runs.close());
  const cdpUrl = (id: string): string =>
    `${url.replace(/^http/, "ws")}/control/sessions/${id}/cdp?token=${tokens.of("drive", id)}`;
  const health = new Health({
    storage: () => storageFault(folder.path),
    records: writeRecords,
    encoder: () => recordings.fault(),
    browsers: async () => browsers.fault,
  });
  const mayDrive = (id: string, token: string | null, request: Request): boolean =>
    holdsKey(request) || tokens.fits("drive", id, token);
  let closing: Promise<void> | undefined;
  const app = createApp({
    apiKey,
    sessions,
    scrape: (session, request) => metrics.timeScrape(scrapeSession(scraper, session, request, model)),
    cookies: async ({ space }) => ({ cookies: await readCookies(space) }),
    replay: (id) => recordings.replay(id, replayPatienceMs),
    recordingOf: (id) => recordings.view(id),
    recordingFile: (request) => serveRecording(recordings, request),
    hosts,
    cdpUrl,
    runsOf: (ids) => runRecords.ofSessions(ids),
    mayDrive,
    runs,
    newWorker,
    functions,
    model,
    mayView: (id, token) => tokens.fits("view", id, token),
    health: () => health.report(),
    metrics,
    isStopping: () => closing !== undefined,
    log,
  });
  http.answerWith((request) => app.fetch(request));
  acceptDrivers(http.server, {
    sessions,
    mayDrive,
    hosts,
    connect: driveSession,
  });
  folder.announce({ url, apiKey });
  built.defer(() => folder.withdraw());

  const running = built.move();
  const close = (): Promise<void> => (closing ??= running.disposeAsync());
  const keyOrigin = options.apiKey === undefined ? "made" : "given";
  return {
    url,
    apiKey,
    keyOrigin,
    parts: browsers.description,
    open: async (session) => {
      const { id } = await asServiceError(sessions.create(checkedOptions(session)));
      return { session_id: id, cdp_url: cdpUrl(id) };
    },
    end: (id) => sessions.end(id),
    runFunction: async (id, variables = {}) => {
      const record = await functions.get(id);
      if (!record) throw new ServiceError("usage", "there is no such function");
      const worker = new FunctionWorker(record, variables, { model, keep: (healed) => functions.replace(healed) });
      const stream = await runs.start({ worker, task: record.query, makesFunction: false });
      await stream.body.pipeTo(new WritableStream());
      return stream.ended;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function ownFolder(built: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cloud-browser-"));
  built.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function checkedOptions(options: SessionOptions = {}): SessionOptions {
  const read = asSessionOptions(options);
  if ("options" in read) return read.options;
  throw new ServiceError("usage", read.faults.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; "));
}

function checkedAddress(text: string): string {
  const url = URL.parse(text);
  const isFine = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === "";
  if (isFine) return text.replace(/\/+$/, "");
  throw new ServiceError(
    "usage",
    `malformed public URL ${text}: give an http or https URL such as https://browsers.example.com`,
  );
}

/** An option that is there and says nothing is a mistake: to listen on an empty host is to listen everywhere. */
function requireText(options: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value?.trim() === "") throw new ServiceError("usage", `${name} must not be empty; omit it, or give a value`);
  }
}

function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ServiceError(
    "usage",
    "malformed API key: printable ASCII without spaces is allowed; check CLOUD_BROWSER_API_KEY",
  );
}
