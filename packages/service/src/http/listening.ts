import { Server } from "node:http";
import type { Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { ServiceError } from "../service-error.ts";
import { problem } from "./problems.ts";

/** Answers one request. Source: ours. */
export type Answer = (request: Request) => Response | Promise<Response>;

/** A server that has its port. Source: ours. */
export interface Listening {
  /** The server itself. */
  readonly server: Server;
  /** Its address, without a slash at its end. */
  readonly url: string;
  /** Its port. */
  readonly port: number;
  /** From now on requests are answered like this; until then with 503. */
  readonly answerWith: (answer: Answer) => void;
  /** Takes no more requests, lets those under way end for a moment, and goes. */
  readonly close: () => Promise<void>;
}

/** How long requests under way may go on when the server is closed, in milliseconds. */
const partingMs = 5_000;

/**
 * Listens. The address is known before there is anything to answer with, because what answers needs it.
 * Who offers to go on in another protocol than that of websockets, as clients that know HTTP/2 do, is answered in this one.
 *
 * Source: ours.
 *
 * @throws {ServiceError} `usage` when it can't listen there.
 */
export async function listen(host: string, port: number): Promise<Listening> {
  let answer = notYet;
  const server = createAdaptorServer({
    fetch: (request: Request) => answer(request),
    serverOptions: { shouldUpgradeCallback: ({ headers }) => /^websocket$/i.test(headers.upgrade ?? "") },
  });
  if (!(server instanceof Server)) throw new TypeError("the server is not one of HTTP/1.1");
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const heardOn = await bind(server, host, port);
  return {
    server,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${heardOn}`,
    port: heardOn,
    answerWith: (given) => (answer = given),
    close: () => closed(server, connections),
  };
}

const notYet: Answer = () => problem(503, "the service is starting", { "retry-after": "1" });

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const advice = "give another one with --host or --port";
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

/** Also of connections that websockets have taken over, or were to: the server waits for them, and counts them among its own no more. */
async function closed(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  const end = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const late = setTimeout(() => connections.forEach((socket) => socket.destroy()), partingMs);
  await end;
  clearTimeout(late);
}
