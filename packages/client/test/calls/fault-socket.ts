import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fitting } from "./fault-server.ts";
import { computePort } from "../port.ts";

/** What a body holds that nothing is wrong with, and its media type. */
export interface Content {
  readonly type: string;
  readonly body: string;
}

/** What the session-scoped operations take for an answer. */
export const jsonContent: Content = { type: "application/json", body: fitting };

/** A run of two events. */
export const streamContent: Content = {
  type: "text/event-stream",
  body: 'data: {"type":"status","status":"a"}\n\ndata: {"type":"done","total_cost_usd":1,"metadata":{"thread_id":"t"}}\n\n',
};

/** A server that speaks no HTTP by itself: all that it sends is written by hand. */
export interface SocketServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Requests, as far as they came. */
  readonly requests: readonly { readonly head: string; readonly body: string }[];
  /** All bytes that came. */
  readonly bytes: () => number;
  /** Number of connections. */
  readonly connections: () => number;
}

/** What the server does, by hand. */
export interface SocketFault {
  /** With a new connection, before anything was read. */
  readonly onConnection?: ((socket: Socket) => void) | undefined;
  /** With a whole request. */
  readonly onRequest?: ((socket: Socket, content: Content, nth: number) => unknown) | undefined;
}

/** Starts a server that treats every connection, or every request, alike. */
export async function startSocketServer(fault: SocketFault, content = jsonContent, port = 0): Promise<SocketServer> {
  const requests: { head: string; body: string }[] = [];
  const sockets = new Set<Socket>();
  let bytes = 0;
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    let buffer = "";
    socket.on("data", (some) => {
      bytes += some.length;
      buffer += some.toString("latin1");
      for (let end = buffer.indexOf("\r\n\r\n"); end >= 0; end = buffer.indexOf("\r\n\r\n")) {
        const head = buffer.slice(0, end);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (buffer.length < end + 4 + length) return;
        requests.push({ head, body: buffer.slice(end + 4, end + 4 + length) });
        buffer = buffer.slice(end + 4 + length);
        void fault.onRequest?.(socket, content, requests.length);
      }
    });
    socket.on("end", () => socket.end());
    fault.onConnection?.(socket);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const actual = computePort(server);
  return {
    port: actual,
    url: `http://127.0.0.1:${actual}`,
    requests,
    bytes: () => bytes,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Below what any system gives to those who ask for any port. */
const unassigned = { from: 20_000, to: 30_000 };

/** A closed port, which no other test gets meanwhile: it would receive the requests. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(unassigned.from, unassigned.to);
    const server = await startSocketServer({}, jsonContent, port).catch(() => undefined);
    if (!server) continue;
    await server[Symbol.asyncDispose]();
    return port;
  }
}

/** The head of an answer, with the line that ends it. */
export function getHead(status: number, headers: Record<string, string | number | readonly string[]> = {}): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`));
  return [`HTTP/1.1 ${status} Whatever`, ...lines, "", ""].join("\r\n");
}

/** The head of a good answer of a length. */
export function getGoodHead({ type, body }: Content, extra: Record<string, string | number> = {}): string {
  return getHead(200, { "content-type": type, "content-length": body.length, ...extra });
}

/** The head of a good answer in chunks. */
export function getChunkedHead({ type }: Content, extra: Record<string, string | number> = {}): string {
  return getHead(200, { "content-type": type, "transfer-encoding": "chunked", ...extra });
}

/** One chunk. */
export function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

/** Writes, and resets the connection when it was written. */
export function writeAndReset(socket: Socket, text: string): void {
  socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 15));
}

/** Writes byte after byte, for as long as the client reads. */
export async function drip(socket: Socket, text: string, everyMs: number): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return;
    socket.write(byte);
    await delay(everyMs);
  }
}

/** Writes the same again and again, for as long as the client reads. */
export async function flood(socket: Socket, block: string | Uint8Array): Promise<void> {
  while (!socket.destroyed) await new Promise((resolve) => socket.write(block, resolve));
}
