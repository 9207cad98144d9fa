import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach } from "vitest";
import { EgressProxy, type EgressProxyOptions, type RefusedRequest } from "../../src/proxy/egress-proxy.ts";
import { connectRaw } from "./raw-client.ts";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** A guard, and what it refused. */
export interface Started {
  readonly guard: EgressProxy;
  readonly refusals: RefusedRequest[];
}

export async function startGuard(options: Partial<EgressProxyOptions> = {}): Promise<Started> {
  const refusals: RefusedRequest[] = [];
  const guard = await EgressProxy.start({ allow: [], onRefused: (one) => refusals.push(one), ...options });
  endings.push(async () => guard.close());
  return { guard, refusals };
}

/** Starts a server on a free port of loopback, until the end of the test. */
export async function listen(server: Server, host = "::"): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  endings.push(async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port;
}

export const serve = async (listener: RequestListener): Promise<number> => listen(createServer(listener));
export const serveRaw = async (listener: (socket: Socket) => void): Promise<number> =>
  listen(createTcpServer({ allowHalfOpen: true }, (socket) => listener(socket.on("error", () => {}))));

/** How a guard fails a plain request: with two lengths, which no client takes for an answer. */
export const noAnswer =
  "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nContent-Length: 1\r\nConnection: close\r\n\r\n";

export const get = (url: string, ...headers: string[]): string =>
  [`GET ${url} HTTP/1.1`, "Host: ignored", ...headers, "", ""].join("\r\n");

/** Says it to a guard, and tells the status of the answer; 0 when it closes the connection without one. */
export async function readStatus(guard: EgressProxy, request: string): Promise<number> {
  const client = connectRaw(guard, request);
  const [, status] = await client.until(/^HTTP\/1.1 (\d+) /).catch(() => []);
  client.socket.destroy();
  return Number(status ?? 0);
}
