import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { SessionTokens } from "../control/session-tokens.ts";
import { driveSession } from "../sessions/drive-session.ts";
import { clientLimit, type Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Forwarding } from "./forwarding.ts";
import type { KeyGuard } from "./authentication.ts";
import type { HostGuard } from "./own-hosts.ts";
import { answerTo, problem } from "./problems.ts";
import { traceUpgrade } from "../tracing/request-spans.ts";

/**
 * Returns by what right a request drives a session: the token in its URL, which is valid for that session, or an API key, which is valid
 * for the sessions that it created. Undefined: by none.
 */
export type DriverGuard = (
  sessionId: string,
  token: string | null,
  request: Request,
) => Promise<{ readonly key?: string | null } | undefined>;

/** Makes the guard of a token's right and of that of keys that have the role `use`. */
export function driverGuard(tokens: Pick<SessionTokens, "fits">, holderOf: KeyGuard): DriverGuard {
  return async (id, token, request) => {
    if (tokens.fits("drive", id, token)) return {};
    const holder = await holderOf(request);
    return holder?.roles.includes("use") ? { key: holder.name } : undefined;
  };
}

/** Parts that the WebSocket of a session needs. */
export interface DriverParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Returns the credential by which a request may drive a session. */
  readonly driverOf: DriverGuard;
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
/** Longest message of a client, in bytes: a file that it types into a form is one message. */
const messageLimit = 64 * 1024 * 1024;

/** Accepts WebSockets of clients that drive sessions, at `/control/sessions/{session_id}/cdp`. */
export function acceptDrivers(server: Server, parts: DriverParts): void {
  const { sessions, driverOf, hosts, forwarding, requireLease } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageLimit });
  server.on("upgrade", (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    traceUpgrade(message, () => sessionOf(message, socket, head))
      .then(async (found) => {
        if (found === "forwarded") return;
        if (found instanceof Response) return refuse(socket, found);
        // Who connects when the end has begun is never hung up on.
        if (found.hasEnded) return refuse(socket, problem(409, "the session has ended"));
        if (found.clients >= clientLimit) return refuse(socket, problem(429, tooMany));
        sockets.handleUpgrade(message, socket, head, (client) => driveSession(client, found, requireLease));
      })
      // A connection that can't be made ends nothing but itself.
      .catch(() => socket.destroy());
  });

  async function sessionOf(
    message: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<Session | Response | "forwarded"> {
    const refused = forwarding?.isRequestFromNode(message.headers)
      ? undefined
      : hosts({ host: message.headers.host, origin: message.headers.origin });
    if (refused) return refused;
    const url = URL.parse(message.url ?? "/", base);
    if (!url) return problem(400, "malformed request URL");
    const [, id] = /^\/control\/sessions\/([^/]+)\/cdp\/?$/.exec(url.pathname) ?? [];
    if (id === undefined) return problem(404, "no WebSocket at this path");
    const headers = { authorization: message.headers.authorization ?? "" };
    try {
      const driver = await driverOf(id, url.searchParams.get("token"), new Request(base, { headers }));
      if (!driver)
        return problem(401, "the token or the API key is missing or invalid: use the cdp_url of the session as it is");
      const led = await forwarding?.upgrade(id, message, socket, head, driver.key);
      return led === undefined || led === "own" ? await sessions.get(id, driver.key) : led;
    } catch (error) {
      return answerTo(error) ?? problem(500, "internal error");
    }
  }
}

/** Refuses the upgrade of a request to a WebSocket, and closes the connection when the client does not. */
async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const head = `HTTP/1.1 ${response.status} Refused\r\ncontent-type: application/json\r\nconnection: close\r\n`;
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy());
}
