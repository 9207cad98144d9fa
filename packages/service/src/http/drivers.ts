import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { closeCodes } from "../live/live-viewer.ts";
import { driveSession } from "../sessions/drive-session.ts";
import { clientLimit, type Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Forwarding } from "./nodes/forwarding.ts";
import { liveScopes, noLiveCredential } from "./live/live-routes.ts";
import type { LiveSockets } from "./live/live-sockets.ts";
import type { Access, SessionAccess } from "./live/session-access.ts";
import type { HostGuard } from "./own-hosts.ts";
import { answerTo, problem } from "./problems.ts";
import { traceUpgrade } from "../tracing/request-spans.ts";

/** Returns by what right a request drives a session; undefined: by none. */
export type DriverGuard = (sessionId: string, token: string | null, request: Request) => Promise<Access | undefined>;

/** Makes the guard of the right to drive. */
export function driverGuard(accessOf: SessionAccess): DriverGuard {
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
  readonly kind: "cdp" | "live";
}

/** Accepts WebSockets of sessions: of clients that drive, at `/control/sessions/{session_id}/cdp`, and of viewers, at `…/live`. */
export function acceptDrivers(server: Server, parts: DriverParts): void {
  const { sessions, accessOf, live, hosts, forwarding, requireLease } = parts;
  const viewers = new WebSocketServer({ noServer: true, maxPayload: inputLimit });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageLimit });
  server.on("upgrade", (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    traceUpgrade(message, () => findSession(message, socket, head))
      .then(async (found) => {
        if (found === "forwarded") return;
        if (found instanceof Response) return refuse(socket, found);
        const { session, access, kind } = found;
        // Who connects when the end has begun is never hung up on.
        if (session.hasEnded) return refuse(socket, problem(409, "the session has ended"));
        if (kind === "live") {
          try {
            return live.connect(session, access, (ready) => viewers.handleUpgrade(message, socket, head, ready));
          } catch (error) {
            return refuse(socket, answerTo(error) ?? problem(500, "internal error"));
          }
        }
        if (session.clients >= clientLimit) return refuse(socket, problem(429, tooMany));
        sockets.handleUpgrade(message, socket, head, (client) => {
          closeWith(client, access.until);
          driveSession(client, session, requireLease);
        });
      })
      // A connection that can't be made ends nothing but itself.
      .catch(() => socket.destroy());
  });

  async function findSession(
    message: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<Found | Response | "forwarded"> {
    const refused = forwarding?.isRequestFromNode(message.headers)
      ? undefined
      : hosts({ host: message.headers.host, origin: message.headers.origin });
    if (refused) return refused;
    const url = URL.parse(message.url ?? "/", base);
    if (!url) return problem(400, "malformed request URL");
    const [, id, kind] = /^\/control\/sessions\/([^/]+)\/(cdp|live)\/?$/.exec(url.pathname) ?? [];
    if (id === undefined || (kind !== "cdp" && kind !== "live")) return problem(404, "no WebSocket at this path");
    const request = new Request(base, { headers: { authorization: message.headers.authorization ?? "" } });
    try {
      const scopes = kind === "live" ? liveScopes : (["drive"] as const);
      const access = await accessOf(id, url.searchParams.get("token"), request, scopes);
      if (!access) return problem(401, kind === "live" ? noLiveCredential : noDriver);
      const led = await forwarding?.upgrade(id, message, socket, head, access.key);
      if (led !== undefined && led !== "own") return led;
      return { session: await sessions.get(id, access.key), access, kind };
    } catch (error) {
      return answerTo(error) ?? problem(500, "internal error");
    }
  }
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
  const head = `HTTP/1.1 ${response.status} Refused\r\ncontent-type: application/json\r\nconnection: close\r\n`;
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy());
}
