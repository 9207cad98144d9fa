import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** A server on loopback that counts who comes near it. */
export interface Canary extends AsyncDisposable {
  readonly port: number;
  /** Connections of TCP and datagrams of UDP since the last time this was asked for. */
  takeTouches(): number;
  /** Paths of requests so far. */
  readonly paths: readonly string[];
}

/** Answers every path with a page, `/events` with events, `/sw.js` with a service worker, and web sockets with a greeting. */
export async function startCanary(pages: Readonly<Record<string, string>> = {}): Promise<Canary> {
  let touches = 0;
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    const free = { "access-control-allow-origin": "*", "access-control-allow-private-network": "true" };
    const redirect = /^\/redirect\/(30[12378])\?(.*)$/.exec(path);
    if (redirect !== null) {
      response.writeHead(Number(redirect[1]), { ...free, location: decodeURIComponent(redirect[2] ?? "") }).end();
    } else if (path.startsWith("/events")) {
      response.writeHead(200, { ...free, "content-type": "text/event-stream" }).write("data: hello\n\n");
    } else if (path.startsWith("/sw.js")) {
      response.writeHead(200, { "content-type": "text/javascript" }).end(pages["/sw.js"]);
    } else if (path.startsWith("/file")) {
      response.writeHead(200, { ...free, "content-disposition": "attachment; filename=file.bin" }).end("bytes");
    } else {
      const page = pages[path.split("?")[0] ?? ""] ?? "<title>canary</title>reached";
      response.writeHead(200, { ...free, "content-type": "text/html" }).end(page);
    }
  });
  server.on("connection", () => (touches += 1));
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.send("hello"));
  await new Promise<void>((resolve) => server.listen(0, "::", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket("udp6");
  datagrams.on("message", () => (touches += 1));
  await new Promise<void>((resolve) => datagrams.bind(port, "::", resolve));
  return {
    port,
    paths,
    takeTouches: () => {
      const count = touches;
      touches = 0;
      return count;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await Promise.all([
        new Promise((resolve) => server.close(resolve)),
        new Promise<void>((resolve) => datagrams.close(resolve)),
      ]);
    },
  };
}
