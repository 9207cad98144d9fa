import { Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { ServiceError } from "../service-error.ts";
import { answerProblem } from "./problems.ts";

/** Answers one request, which came over a connection. */
export type AnswerRequest = (
  request: Request,
  connection: HttpBindings | Http2Bindings,
) => Response | Promise<Response>;

/** A server that has its port. */
export interface Listening {
  /** The server itself. */
  readonly server: Server;
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** Its port. */
  readonly port: number;
  /** From now on requests are answered like this; until then with 503. */
  readonly answerWith: (answer: AnswerRequest) => void;
  /** Resolves at the first moment at which no request is being answered, and no WebSocket is open. */
  readonly idle: () => Promise<void>;
  /** Stops listening, gives active requests a moment to finish, and closes all connections. */
  readonly close: () => Promise<void>;
}

/** Limits of connections. */
export interface ListeningLimits {
  /** How long a connection may take to send the head of a request, in milliseconds. Default: 10 s. */
  readonly headMs: number;
  /** How long it may take to send a whole request, in milliseconds. Default: 30 s. */
  readonly requestMs: number;
  /** How long it may be used again after a request, in milliseconds, as clients are told; it is closed up to five seconds later. Default: 75 s. */
  readonly idleMs: number;
  /** Idle timeout while a request is answered, in milliseconds: a reader that stalls for longer is disconnected. Default: 10 min. */
  readonly stalledMs: number;
  /** Most connections at a time; further ones are closed at once. Default: 1,000. */
  readonly connections: number;
}

const defaultLimits: ListeningLimits = {
  headMs: 10_000,
  requestMs: 30_000,
  // Load balancers keep idle connections for 60 s: one that is closed before would lose the request that they send on it.
  idleMs: 75_000,
  stalledMs: 600_000,
  connections: 1_000,
};

/** Interval of the check for connections that have timed out, in milliseconds; at most a tenth of the timeout. */
const checkEveryMs = 1_000;

/** How much later than clients are told an idle connection is closed, at most, in milliseconds. */
const lateMs = 5_000;

/** Time that active requests have to finish when the server is closed, in milliseconds. */
const closeTimeoutMs = 5_000;

/**
 * Listens. The address is known before there is anything to answer with, because what answers needs it.
 * An `Upgrade` to another protocol than WebSockets, such as h2c, is ignored: the request is answered by HTTP/1.1.
 *
 * @throws {ServiceError} `usage` when it can't listen there.
 */
export async function listen(host: string, port: number, overrides: Partial<ListeningLimits> = {}): Promise<Listening> {
  let answer = refuseEarly;
  const limits = { ...defaultLimits, ...overrides };
  const { headMs, requestMs, idleMs, stalledMs } = limits;
  const server = createAdaptorServer({
    fetch: (request: Request, connection: HttpBindings | Http2Bindings) => answer(request, connection),
    serverOptions: {
      shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? ""),
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: idleMs,
      // Clients are told the timeout, and may be late to heed it: one that sends at that moment would lose its request.
      keepAliveTimeoutBuffer: Math.min(idleMs, lateMs),
      connectionsCheckingInterval: Math.min(checkEveryMs, headMs / 10),
    },
  });
  if (!(server instanceof Server)) throw new TypeError("the server is not an HTTP/1.1 server");
  server.maxConnections = limits.connections;
  server.setTimeout(stalledMs);
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const work = new Set<object>();
  let idle = Promise.withResolvers<void>();
  const begin = (one: ServerResponse | Duplex): void => {
    work.add(one);
    one.once("close", () => {
      work.delete(one);
      if (work.size > 0) return;
      idle.resolve();
      idle = Promise.withResolvers();
    });
  };
  server.on("request", (_, response) => begin(response));
  server.on("upgrade", (_, socket) => {
    // No handler of WebSockets is registered yet.
    if (server.listenerCount("upgrade") === 1) socket.destroy();
    else begin(socket);
  });
  const heardOn = await bind(server, host, port);
  // A connection that the system does not give ends nothing: its client may try again.
  server.on("error", () => undefined);
  return {
    server,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${heardOn}`,
    port: heardOn,
    answerWith: (next) => (answer = next),
    idle: () => (work.size === 0 ? Promise.resolve() : idle.promise),
    close: () => closeServer(server, connections),
  };
}

const refuseEarly: AnswerRequest = () => answerProblem(503, "the service is starting", { "retry-after": "1" });

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const advice = "choose another one with `host` or `port`";
      reject(
        new ServiceError("usage", `the service can't listen on ${host}:${port} (${cause.message}); ${advice}`, {
          cause,
        }),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}

/** Closes the server and its connections, upgraded ones as well: the server waits for these, but no longer counts them among its own. */
async function closeServer(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const end = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => connections.forEach((socket) => socket.destroy()), closeTimeoutMs);
  await end;
  clearTimeout(late);
}
