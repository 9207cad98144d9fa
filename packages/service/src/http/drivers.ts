import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import type { WrongKeys } from "../keys/wrong-keys.ts";
import { closeCodes } from "../live/live-viewer.ts";
import type { ServiceMetrics } from "../metrics/service-metrics.ts";
import { runInRequest, requestContext, requestIdHeader } from "../request-context.ts";
import { driveSession } from "../sessions/drive-session.ts";
import { clientLimit, type Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { countWrongKey } from "./authentication.ts";
import type { Forwarding } from "./nodes/forwarding.ts";
import { readClientNames, type OwnWords } from "./own-words.ts";
import { liveScopes, noLiveCredential } from "./live/live-routes.ts";
import type { LiveSockets } from "./live/live-sockets.ts";
import type { Access, SessionAccess } from "./live/session-access.ts";
import type { HostGuard } from "./own-hosts.ts";
import { answerError, answerProblem } from "./problems.ts";
import { traceUpgrade } from "../tracing/request-spans.ts";
import { makeSessionEndedError } from "../session-refusals.ts";

/** Returns the credential by which a request may drive a session; undefined without one. */
export type DriverGuard = (sessionId: string, token: string | null, request: Request) => Promise<Access | undefined>;

/** Makes the guard of the right to drive. */
export function makeDriverGuard(accessOf: SessionAccess): DriverGuard {
  return (id, token, request) => accessOf(id, token, request, ["drive"]);
}

/** Parts that the WebSocket of a session needs. */
export interface DriverParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Tells who may use a session. */
  readonly accessOf: SessionAccess;
  /** Connects viewers. */
  readonly live: LiveSockets;
  /** Refuses requests to other names than the service's own, and those of pages of other origins. */
  readonly hosts: HostGuard;
  /** Forwards to the sessions of other nodes. Default: none. */
  readonly forwarding?: Forwarding | undefined;
  /** Throws while this process may have no sessions. Default: it may. */
  readonly requireLease?: (() => void) | undefined;
  /** Counts the wrong keys of each address. */
  readonly wrongKeys: Pick<WrongKeys, "count">;
  /** Counts requests. */
  readonly metrics: Pick<ServiceMetrics, "countRequest">;
  /** Own words of the service, in names of headers. Default: those of the interface. */
  readonly words?: OwnWords | undefined;
  /** Gets one line for each request, without its query. */
  readonly log: Pick<Logger, "info">;
}

/** Base URL of request paths. */
const base = "http://service";
const tooMany = `client limit (${clientLimit}) of the session reached; disconnect another client of it`;
const noDriver = "the token or the API key is missing or invalid: use the cdp_url of the session as it is";
/** Longest message of a client, in bytes: a file that it types into a form is one message. */
const messageLimit = 64 * 1024 * 1024;

/** Longest message of a viewer, in bytes. */
const inputLimit = 512 * 1024;

/** A session, and what a request may do with it. */
interface Found {
  readonly session: Session;
  readonly access: Access;
}

/** A request for a WebSocket. */
interface Upgrade {
  readonly message: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly headers: Headers;
  /** Address of the client. */
  readonly remote: string | undefined;
  readonly url: URL | null;
  /** Id of the session in the path; undefined where the path is not that of a WebSocket. */
  readonly id: string | undefined;
  /** Which WebSocket of the session. */
  readonly kind: "cdp" | "live";
}

/** Result of an upgrade: a refusal that is to be sent, or the status of the answer that was sent. */
type Outcome = Response | number;

const switchingProtocols = 101;
const badRequest = 400;

/**
 * Accepts WebSockets of sessions: of clients that drive, at `/control/sessions/{session_id}/cdp`, and of viewers, at `…/live`. Each is logged
 * and counted as any other request is, and so are its wrong keys.
 */
export function acceptDrivers(server: Server, parts: DriverParts): void {
  const connect = connectTo(parts);
  server.on("upgrade", (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const begun = performance.now();
    // Once it is disconnected, a connection does not know it any more.
    const remote = message.socket.remoteAddress;
    const headers = readHeaders(message);
    const url = URL.parse(message.url ?? "/", base);
    const path = url?.pathname ?? "";
    const [, id, kind] = /^\/control\/sessions\/([^/]+)\/(cdp|live)\/?$/.exec(path) ?? [];
    const upgrade = { message, socket, head, headers, remote, url, id, kind: kind === "live" ? kind : "cdp" } as const;
    const route = id === undefined ? undefined : `/control/sessions/:session_id/${upgrade.kind}`;
    runInRequest(headers, path, async () => {
      const outcome = await traceUpgrade(message, route, () => connect(upgrade));
      const status = typeof outcome === "number" ? outcome : outcome.status;
      const ms = performance.now() - begun;
      const context = requestContext();
      parts.metrics.countRequest({ method: "GET", route, status, ms, key: context.key });
      const line = {
        ...context,
        remote,
        method: "GET",
        path,
        status,
        ms: Math.round(ms),
      };
      parts.log.info({ ...line, ...readClientNames(headers, parts.words) }, "request");
      if (typeof outcome !== "number") await refuse(socket, outcome);
    })
      // A connection that can't be made ends nothing but itself.
      .catch(() => socket.destroy());
  });
}

/** Makes what connects clients with their sessions. */
function connectTo(parts: DriverParts): (upgrade: Upgrade) => Promise<Outcome> {
  const { sessions, accessOf, live, hosts, forwarding, requireLease, wrongKeys } = parts;
  const viewers = new WebSocketServer({ noServer: true, maxPayload: inputLimit });
  const drivers = new WebSocketServer({ noServer: true, maxPayload: messageLimit });
  for (const sockets of [viewers, drivers]) sockets.on("headers", nameRequest);

  return async (upgrade) => {
    const { message, socket, head, kind } = upgrade;
    const found = await findSession(upgrade);
    if (found === "forwarded") return switchingProtocols;
    if (found instanceof Response) return found;
    const { session, access } = found;
    // Who connects when the end has begun is never hung up on.
    if (session.hasEnded) return answerProblem(409, makeSessionEndedError().message);
    if (kind === "cdp" && session.clients >= clientLimit) return answerProblem(429, tooMany);
    // `ws` answers a malformed handshake itself.
    let status = badRequest;
    const accept = (sockets: WebSocketServer, ready: (socket: WebSocket) => void): void =>
      sockets.handleUpgrade(message, socket, head, (webSocket) => {
        status = switchingProtocols;
        ready(webSocket);
      });
    if (kind === "cdp")
      accept(drivers, (client) => {
        closeWith(client, access.until);
        driveSession(client, session, requireLease);
      });
    else
      try {
        live.connect(session, access, (ready) => accept(viewers, ready));
      } catch (error) {
        return answerError(error) ?? answerInternal();
      }
    return status;
  };

  async function findSession(upgrade: Upgrade): Promise<Found | Response | "forwarded"> {
    const { message, headers, remote } = upgrade;
    if (forwarding?.isRequestFromNode(message.headers)) return readSession(upgrade);
    const refused = hosts({ host: message.headers.host, origin: message.headers.origin });
    if (refused) return refused;
    const found = await readSession(upgrade);
    if (!(found instanceof Response)) return found;
    const authorization = headers.get("authorization") ?? undefined;
    const judged = { path: upgrade.url?.pathname ?? "", authorization, remote };
    return countWrongKey(wrongKeys, judged, found);
  }

  async function readSession(upgrade: Upgrade): Promise<Found | Response | "forwarded"> {
    const { message, socket, head, headers, url, id, kind } = upgrade;
    if (!url) return answerProblem(400, "malformed request URL");
    if (id === undefined) return answerProblem(404, "no WebSocket at this path");
    const request = new Request(base, { headers: { authorization: headers.get("authorization") ?? "" } });
    try {
      const scopes = kind === "live" ? liveScopes : (["drive"] as const);
      const access = await accessOf(id, url.searchParams.get("token"), request, scopes);
      if (!access) return answerProblem(401, kind === "live" ? noLiveCredential : noDriver);
      const led = await forwarding?.upgrade(id, message, socket, head, access.key);
      if (led !== undefined && led !== "own") return led;
      return { session: await sessions.get(id, access.key), access };
    } catch (error) {
      return answerError(error) ?? answerInternal();
    }
  }
}

/** The headers of a request that log lines are about. */
function readHeaders({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/** Adds the id of the current request to the head of its answer. */
function nameRequest(head: string[]): void {
  const { request } = requestContext();
  if (request !== undefined) head.push(`${requestIdHeader}: ${request}`);
}

/** Disconnects a client when its right ends. */
function closeWith(client: WebSocket, until: AbortSignal | undefined): void {
  if (!until) return;
  const end = (): void => {
    client.close(closeCodes.tokenVoid, String(until.reason));
    // It may take its time to close; what it still sends is not followed.
    client.removeAllListeners("message");
    // One that is paused, as while its channel opens, would not read that the client closes, too.
    client.resume();
  };
  if (until.aborted) return end();
  until.addEventListener("abort", end, { once: true });
  client.once("close", () => until.removeEventListener("abort", end));
}

/** Refuses the upgrade of a request to a WebSocket, and closes the connection when the client does not. */
async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const fields = [`HTTP/1.1 ${response.status} Refused`, "content-type: application/json", "connection: close"];
  nameRequest(fields);
  const head = fields.map((field) => `${field}\r\n`).join("");
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy());
}

function answerInternal(): Response {
  return answerProblem(500, "internal error");
}
