/** Hostile targets: each takes over a bare socket once a request has come. */
import { createServer, type Socket } from "node:net";
import { listen } from "../listen.ts";

/** Parts of a request that a hostile target uses. */
export interface Hostage {
  readonly path: string;
  /** Counted from 1, over all connections. */
  readonly number: number;
}

/** Answers one request, or does not. */
export type Hostile = (socket: Socket, request: Hostage) => void;

/** Starts a target of that kind. */
export async function startHostile(
  serve: Hostile,
): Promise<{ url: string; [Symbol.asyncDispose]: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  let number = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.on("data", (bytes) => {
      const path = /^[A-Z]+ (\S+) HTTP/.exec(bytes.toString("latin1"))?.[1];
      if (path === undefined) return;
      number += 1;
      serve(socket, { path, number });
    });
  });
  const url = await listen(server);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, [Symbol.asyncDispose]: close };
}

/** The head of an answer. */
export const head = (type: string, status = "200 OK", more = ""): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nConnection: close\r\n${more}\r\n`;

/** The head of an event stream. */
export const sse = head("text/event-stream");

/** The head of a JSON answer with more headers. */
export const ok = (more: string): string => head("application/json", "200 OK", more);

/** The head of a JSON answer. */
export const json = ok("");

/** The head of the answer to an invalid request. */
export const invalid = head("application/json", "422 No");

/** A text that wants to act in whatever shows it. */
export const nasty =
  "<script>alert(1)</script>\" onload=x ' ]]> ``` | </details> \u001B[31m\u001B]8;;http://evil\u0007\u009B\u202Egnp\u2066\u200B\u2028 ::error::x";

/** Writes a piece as often and as fast as the other side reads, until it has enough. */
export const repeat =
  (beginning: string, piece: string | Buffer): Hostile =>
  (socket) => {
    socket.write(beginning, "latin1");
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece)) {
        /* the buffer is not full yet */
      }
      if (!socket.destroyed) socket.once("drain", more);
    };
    more();
  };

/** Answers with one text, and ends it. */
export const answerWith = (text: string | Buffer, start = json): Hostile => {
  const bytes = Buffer.concat([Buffer.from(start, "latin1"), Buffer.from(text)]);
  return (socket) => socket.end(bytes);
};

/** Writes a text, and leaves the connection open. */
export const stopAfter =
  (text: string): Hostile =>
  (socket) =>
    socket.write(text);

/** Writes a text, and breaks the connection. */
export const breakAfter =
  (text: string): Hostile =>
  (socket) =>
    socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 2));

/** By operation, since each has a body of its own; `{}` for the others. */
export const byPath =
  (bodies: Readonly<Record<string, Hostile>>, other = answerWith("{}")): Hostile =>
  (socket, request) => {
    const name = Object.keys(bodies).find((part) => request.path.includes(part)) ?? "";
    (bodies[name] ?? other)(socket, request);
  };

/** Writes a beginning, and then a little now and then. */
export const drip =
  (beginning: string, piece: string): Hostile =>
  (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), 100);
  };

/** A target, and what it may come to beside the bounds that hold for all. */
export interface HostileTarget {
  readonly serve: Hostile;
  /** True when only the size limits may end the run, with time limits out of reach. Default: short time limits. */
  readonly isFast?: boolean;
  /** True when it may be at fault, or may not, so that both verdicts are right. Default: only `not-conforming` is. */
  readonly isUnclear?: boolean;
}

/** Lists targets by what they answer with. */
export const listHostile = (
  servers: Readonly<Record<string, Hostile>>,
  marks: Omit<HostileTarget, "serve"> = {},
): [what: string, target: HostileTarget][] =>
  Object.entries(servers).map(([what, serve]) => [what, { serve, ...marks }]);
