/** Puts what answers requests on a socket of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { listen } from "../listen.ts";
import type { Answer, ReceivedRequest } from "./messages.ts";
import { answerRequest, type Service } from "./service.ts";

/** Properties of the socket and the server, independent of the responses. */
export interface Line {
  /** Path below which the service stands. Default: none. */
  readonly prefix?: string;
  /** True to close each connection after its response, as HTTP/1.0 does. Default: false. */
  readonly endsConnections?: boolean;
}

/** A service that can be reached. */
export interface Served extends AsyncDisposable {
  readonly url: string;
}

/** A request that has come over a socket. */
export interface SocketRequest extends ReceivedRequest {
  /** Path and query, as they were sent. */
  readonly url: string;
}

/** Serves a service until it is disposed of. */
export const serve = (service: Service, line?: Line): Promise<Served> =>
  serveAnswers((request) => answerRequest(service, request), line);

/** Serves answers until it is disposed of. */
export async function serveAnswers(
  answer: (request: SocketRequest) => Answer | Promise<Answer>,
  { prefix = "", endsConnections = false }: Line = {},
): Promise<Served> {
  const counts = new WeakMap<Socket, number>();
  let underWay = 0;
  const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
    underWay += 1;
    response.once("close", () => (underWay -= 1));
    const onConnection = (counts.get(request.socket) ?? 0) + 1;
    counts.set(request.socket, onConnection);
    if (endsConnections) {
      response.shouldKeepAlive = false;
      response.useChunkedEncodingByDefault = false;
    }
    void read(request, prefix)
      .then((received) => answer({ ...received, onConnection, underWay }))
      .then((sent) => write(response, sent));
  });
  const url = await listen(server);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `${url}${prefix}`, [Symbol.asyncDispose]: close };
}

async function read(
  request: IncomingMessage,
  prefix: string,
): Promise<Omit<SocketRequest, "onConnection" | "underWay">> {
  let body = "";
  request.setEncoding("utf8");
  for await (const piece of request) body += String(piece);
  const { method = "GET", headers, url = "/" } = request;
  const [path = "", query = ""] = url.split("?", 2);
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : "/outside";
  return { method, url, path: below, query: new URLSearchParams(query), headers, body };
}

async function write(response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers, pieces, afterwards = "end", pauseMs, lingerMs } = answer;
  response.on("error", () => {}); // the other side may have had enough
  const [only, ...others] = pieces;
  if (others.length === 0 && afterwards === "end" && pauseMs === undefined && lingerMs === undefined) {
    response.writeHead(status, headers).end(only);
    return;
  }
  response.writeHead(status, headers);
  for (const piece of pieces) {
    if (pauseMs !== undefined) await pause(pauseMs);
    response.write(piece);
  }
  if (lingerMs !== undefined) await pause(lingerMs);
  if (afterwards === "reset") response.write("", () => setImmediate(() => response.destroy()));
  else if (afterwards === "end") response.end();
}
