import { type Recordings, serveRecording } from "@cloud-browser/recorder";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Logger } from "pino";
import type { FileArchive } from "../files/file-archive.ts";
import type { SessionTokens, SessionUrls } from "../control/session-tokens.ts";
import { buildErrorPageUrl } from "../error-page.ts";
import type { Health } from "../health/health.ts";
import { addAutomationRoutes, type AutomationParts } from "./automation-routes.ts";
import { answerToStranger, countWrongKey, refuse, listRoles, type KeyGuard } from "./authentication.ts";
import { addChangeRoutes, type ChangeRouteParts } from "./change-routes.ts";
import { addConsoleRoutes, consolePaths, type ConsoleParts } from "./console-routes.ts";
import { addControlRoutes, type ControlParts } from "./control-routes.ts";
import { addDriverRoutes, driverPaths, type DriverRouteParts } from "./driver-routes.ts";
import { addFunctionRoutes, type FunctionParts } from "./function-routes.ts";
import type { Forwarding } from "./nodes/forwarding.ts";
import { findUnreadCoding } from "./json-body.ts";
import { runInRequest, requestContext as context, requestIdHeader } from "../request-context.ts";
import { addKeyRoutes, type KeyParts } from "./key-routes.ts";
import { addHandoverRoutes, handoverPaths, type HandoverRouteParts } from "./live/handover-routes.ts";
import { addFileRoutes, type FileRouteParts } from "./files/file-routes.ts";
import { addClipboardRoutes, clipboardPaths, type ClipboardRouteParts } from "./live/clipboard-routes.ts";
import { addLiveRoutes, livePaths, type LiveRouteParts } from "./live/live-routes.ts";
import { addTokenRoutes, type TokenRouteParts } from "./live/token-routes.ts";
import type { HostGuard } from "./own-hosts.ts";
import { addInterfaceRoutes, type InterfaceParts } from "./interface-routes.ts";
import { readClientNames } from "./own-words.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import { answerError, answerProblem } from "./problems.ts";
import { addProfileRoutes, type ProfileRouteParts } from "./profiles/profile-routes.ts";
import type { Profiles } from "../profiles/profiles.ts";
import type { Shutdown } from "../shutdown.ts";
import { isSystemFault, findServiceError } from "../service-error.ts";
import { serviceVersion } from "../service-version.ts";
import type { RecordingStore } from "../storage/recordings/recording-store.ts";
import { addImageRoutes } from "./files/image-routes.ts";
import { addRecordsRoute, type RecordsRouteParts } from "./files/records-route.ts";
import { addRunRoutes } from "./run-routes.ts";
import { traceRequests } from "../tracing/request-spans.ts";
import { addActFunctionRoutes, type ActFunctionParts } from "./live/act-function-routes.ts";
import { addTimelineRoutes, messagePaths, type TimelineRouteParts } from "./live/timeline-routes.ts";
import { addViewerRoutes, type ViewerParts } from "./live/viewer-routes.ts";
import type { WrongKeys } from "../keys/wrong-keys.ts";

/** Parts that the HTTP application needs. */
export interface AppParts
  extends
    InterfaceParts,
    ConsoleParts,
    ControlParts,
    ChangeRouteParts,
    AutomationParts,
    FunctionParts,
    ViewerParts,
    DriverRouteParts,
    KeyParts,
    LiveRouteParts,
    HandoverRouteParts,
    ClipboardRouteParts,
    FileRouteParts,
    RecordsRouteParts,
    TokenRouteParts,
    ProfileRouteParts,
    ActFunctionParts,
    TimelineRouteParts {
  /** Returns the holder of the key of a request: every request has a key, except those to presigned URLs. */
  readonly holderOf: KeyGuard;
  /** Counts the wrong keys of each address. */
  readonly wrongKeys: Pick<WrongKeys, "count">;
  /** Profiles that sessions begin with. */
  readonly profiles: Profiles;
  /** Recordings of sessions. */
  readonly recordings: RecordingStore;
  /** Files of sessions. */
  readonly files: FileArchive;
  /** Tokens in the addresses of sessions. */
  readonly tokens: SessionTokens;
  /** Addresses of sessions. */
  readonly urls: SessionUrls;
  /** Recordings in the folder, whose files are served for their presigned URLs. */
  readonly localRecordings: Recordings;
  /** Health checks. */
  readonly health: Pick<Health, "report">;
  /** Returns why the records are damaged; undefined while they are not, or are elsewhere. */
  readonly findDamage: () => string | undefined;
  /** The metrics, as Prometheus reads them. */
  readonly metrics: Pick<ServiceMetrics, "contentType" | "writeText" | "countRequest">;
  /** Asks the nodes that have sessions. Default: this process has them all. */
  readonly forwarding?: Forwarding | undefined;
  /** Asks the nodes that have runs. Default: this process has them all. */
  readonly runForwarding?: MiddlewareHandler | undefined;
  /** Refuses requests to other names than the service's own, and those of pages of other origins. */
  readonly hosts: HostGuard;
  /** Address of the documentation site; undefined when there is none. */
  readonly docsUrl?: string | undefined;
  /** Says whether the service accepts new sessions. */
  readonly shutdown: Pick<Shutdown, "state">;
  /** Gets one line for each request, without its query. */
  readonly log: Logger;
}

/** Paths without API key: public ones, and those whose URL is the credential. */
const open = /^\/(?:health|livez|readyz|control\/openapi\.json|recordings\/.+|viewer\/.+)$/;

/** Paths without API key, or that check another credential themselves. */
const keyless = [open, consolePaths, driverPaths, livePaths, clipboardPaths, handoverPaths, messagePaths];

/** Paths that probes ask again and again. */
const probes = /^\/(?:health|livez|readyz|metrics)$/;

/** All of the service's HTTP. Source: interface § Endpoints; the rest is ours. */
export function createApp(parts: AppParts): Hono {
  const { holderOf, wrongKeys, localRecordings, hosts, forwarding, runForwarding } = parts;
  const { sessions, handovers, health, metrics, shutdown, log, words, docsUrl } = parts;
  const app = new Hono();

  app.use((c, next) => runInRequest(c.req.raw.headers, c.req.path, next));
  app.use(traceRequests);
  app.use(async (c, next) => {
    const startMs = performance.now();
    await next();
    // `c.header` would make the body a stream by now, which takes longer to send.
    const fields = context();
    const { request, code, key } = fields;
    if (request !== undefined) c.res.headers.set(requestIdHeader, request);
    const page = code === undefined || c.res.ok ? undefined : buildErrorPageUrl(code, docsUrl);
    if (page !== undefined) c.res.headers.set("link", `<${page}>; rel="help"`);
    // Kept-alive connections would be reset during a request when the service has stopped.
    if (shutdown.state !== "running") c.res.headers.set("connection", "close");
    // What a HEAD is not sent has to end all the same: the pictures of a screen come without end.
    if (c.req.method === "HEAD") await c.res.body?.cancel();
    const ms = Math.round(performance.now() - startMs);
    const { method, path } = c.req;
    const { status } = c.res;
    metrics.countRequest({ method, route: findRoute(c), status, ms: performance.now() - startMs, key });
    const client = readClientNames(c.req.raw.headers, words);
    const level = probes.test(path) && c.res.ok ? "debug" : "info";
    log[level]({ ...fields, remote: findRemote(c), method, path, status, ms, ...client }, "request");
  });
  app.use(async (c, next) => {
    if (forwarding?.isRequestFromNode(c.req.raw.headers)) return next(); // the node that was asked has judged it
    // Players on pages of any origin may read recordings: their signature is what protects.
    const origin = c.req.path.startsWith("/recordings/") ? undefined : c.req.header("origin");
    return hosts({ host: c.req.header("host"), origin }) ?? next();
  });
  app.use(async (c, next) => {
    await next();
    if (c.res.status !== 401 || forwarding?.isRequestFromNode(c.req.raw.headers)) return; // the node that was asked counts it
    const judged = { path: c.req.path, authorization: c.req.header("authorization"), remote: findRemote(c) };
    const answer = await countWrongKey(wrongKeys, judged, c.res);
    if (answer === c.res) return;
    c.res = undefined; // Hono would keep its headers
    c.res = answer;
  });
  app.use(async (c, next) => {
    if (keyless.some((paths) => paths.test(c.req.path))) return next();
    const holder = await holderOf(c.req.raw);
    if (holder) {
      c.set("holder", holder);
      const roles = listRoles(c.req.method, c.req.path);
      if (roles.some((role) => holder.roles.includes(role))) return next();
      return refuse(c.req.path, 403, `the API key ${holder.name} lacks the role ${roles.join(" or ")}`);
    }
    return answerToStranger(c.req.path);
  });

  app.use(async (c, next) => {
    const coding = findUnreadCoding(c.req.raw);
    if (coding === undefined) return next();
    const why = `bodies in the content-encoding ${JSON.stringify(coding.slice(0, 40))} are not read: send it without one`;
    return answerProblem(415, why, { "accept-encoding": "identity" });
  });

  if (forwarding) app.use(forwarding.handle);
  if (runForwarding) app.use("/control/runs/*", runForwarding);

  addInterfaceRoutes(app, parts);
  addAutomationRoutes(app, parts);
  addControlRoutes(app, parts);
  addDriverRoutes(app, parts);
  addLiveRoutes(app, parts);
  addClipboardRoutes(app, parts);
  addTokenRoutes(app, parts);
  addHandoverRoutes(app, parts);
  addFileRoutes(app, parts);
  addImageRoutes(app, parts);
  addTimelineRoutes(app, parts);
  addActFunctionRoutes(app, parts);
  addRunRoutes(app, parts);
  addChangeRoutes(app, parts);
  addFunctionRoutes(app, parts);
  addViewerRoutes(app, parts);
  addConsoleRoutes(app, parts);
  addProfileRoutes(app, parts);
  addKeyRoutes(app, parts);
  addRecordsRoute(app, parts);
  app.on(["GET", "HEAD", "OPTIONS"], "/recordings/*", (c) => serveRecording(localRecordings, c.req.raw));
  app.get("/health", async (c) => {
    const { status, checks } = await health.report();
    const { state } = shutdown;
    const body = {
      status: state === "running" ? status : state,
      version: serviceVersion,
      sessions: sessions.count,
      handovers: handovers.openCount,
      checks,
    };
    return c.json(body, body.status === "ok" ? 200 : 503);
  });
  // It answers: a process that hangs does not.
  app.get("/livez", (c) => c.json({ status: "ok", version: serviceVersion }));
  app.get("/readyz", (c) => {
    const { state } = shutdown;
    const reason = parts.findDamage();
    const whileTaking = sessions.overload === undefined ? "ok" : "overloaded";
    const whileRunning = reason === undefined ? whileTaking : "damaged";
    const status = state === "running" ? whileRunning : state;
    return c.json({ status, version: serviceVersion, ...(reason && { reason }) }, status === "ok" ? 200 : 503);
  });
  app.get("/metrics", async (c) => c.body(await metrics.writeText(), 200, { "content-type": metrics.contentType }));
  app.notFound((c) => {
    const methods = listMethods(app, c.req.path);
    if (methods.length === 0) return answerProblem(404, `no route for ${c.req.method} ${c.req.path}`);
    const why = `${c.req.path} has no ${c.req.method}; it has ${methods.join(", ")}`;
    return answerProblem(405, why, { allow: methods.join(", ") });
  });
  app.onError((error, c) => {
    const answer = answerError(error);
    if (answer && isSystemFault(error)) log.error({ err: error }, "a request failed, as the system refused something");
    else if (findServiceError(error)?.code === "storage-failed")
      log.warn(
        { reason: findServiceError(error)?.message },
        "a request failed, as something could not be stored or read",
      );
    if (answer) return answer;
    // Nobody reads this answer; the log tells that this is what happened.
    if (isDisconnect(error, c.req.raw)) return answerProblem(400, "the client disconnected before it was answered");
    log.error({ err: error }, "a request failed");
    return answerProblem(500, "internal error; see the log of the service");
  });
  return app;
}

/** Returns the address of the client, or of the proxy before it; undefined for a request that did not come over a connection. */
function findRemote(c: Context): string | undefined {
  return c.env === undefined || !("incoming" in c.env) ? undefined : getConnInfo(c).remote.address;
}

/** Returns the path of the route of a request, with the names of its parameters; undefined where there is none. */
function findRoute(c: Context): string | undefined {
  return matchedRoutes(c).findLast(({ method }) => method !== METHOD_NAME_ALL)?.path;
}

/** Returns the methods that a path has; none where there is no such path. */
function listMethods({ router }: Hono, path: string): string[] {
  const has = (method: string): boolean =>
    router.match(method, path)[0].some(([[, route]]) => route.method !== METHOD_NAME_ALL);
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(has);
  return methods.includes("GET") ? ["GET", "HEAD", ...methods.slice(1)] : methods;
}

/** Errors of a client that disconnects while its request is read, and while another node is asked. */
const disconnects: ReadonlySet<unknown> = new Set(["ECONNRESET", "ABORT_ERR"]);

/** Returns whether an error is that the client disconnected before it was answered. */
export function isDisconnect(error: Error, request: Request): boolean {
  return request.signal.aborted && "code" in error && disconnects.has(error.code);
}
