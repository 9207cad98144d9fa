import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const status = 'data: {"type":"status","status":"running"}\n\n';
const done = 'data: {"type":"done","total_cost_usd":0.5,"metadata":{"thread_id":"t"}}\n\n';

const mediaTypes: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
};

/** A server on this machine for the runtimes under test. */
export interface Loopback {
  /** Where it listens, without a path. */
  readonly origin: string;
  /** Closes it and all its connections. */
  close(): void;
}

/**
 * Serves three things on a free port of 127.0.0.1:
 *
 * - `/stream?id=…&ending=…`: one event, and then `done` with the connection left open, `silence`, or `loss`.
 * - `/closed?id=…`: `true` as soon as the connection of that stream is closed, `false` when it is not within 5 seconds.
 * - the files of a folder.
 */
export async function startLoopback(folder: string): Promise<Loopback> {
  const streams = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const id = searchParams.get("id") ?? "";
    if (pathname === "/stream") {
      streams.set(id, response);
      sendStream(response, searchParams.get("ending"));
    } else if (pathname === "/closed") {
      void isClosed(streams.get(id)).then((closed) => response.end(String(closed)));
    } else {
      sendFile(response, join(folder, normalize(pathname)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the loopback server has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function sendStream(response: ServerResponse, ending: string | null): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(status);
  if (ending === "done") response.write(done);
  if (ending === "loss") setTimeout(() => response.destroy(), 100);
}

async function isClosed(response: ServerResponse | undefined): Promise<boolean> {
  if (!response || response.destroyed) return true;
  return Promise.race([once(response, "close").then(() => true), wait(5000, false, { ref: false })]);
}

function sendFile(response: ServerResponse, path: string): void {
  try {
    const content = readFileSync(path);
    response.writeHead(200, { "content-type": mediaTypes[extname(path)] ?? "application/octet-stream" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}
