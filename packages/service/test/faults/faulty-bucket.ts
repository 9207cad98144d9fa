import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** How a store answers, or does not. */
type Answer = (request: IncomingMessage, response: ServerResponse, forward: () => void) => void;

const refusal =
  (status: number, code: string): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} of the tests</Message></Error>`);
  };

const sending =
  (status: number, headers: Readonly<Record<string, string>>, body = ""): Answer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

/** What a store, or what stands before it, does instead of what it was asked for. */
export const storeFaults: Readonly<Record<string, Answer>> = {
  "503 SlowDown": refusal(503, "SlowDown"),
  "503 without a body": sending(503, {}),
  "500 InternalError": refusal(500, "InternalError"),
  "429": sending(429, { "retry-after": "3600" }),
  "403 AccessDenied": refusal(403, "AccessDenied"),
  "403 RequestTimeTooSkewed": refusal(403, "RequestTimeTooSkewed"),
  "403 ExpiredToken": refusal(403, "ExpiredToken"),
  "404 NoSuchBucket": refusal(404, "NoSuchBucket"),
  "407 of a proxy": sending(407, {}, "<h1>Proxy Authentication Required</h1>"),
  "507 without room": refusal(507, "XMinioStorageFull"),
  "301 to another region": refusal(301, "PermanentRedirect"),
  "307 to itself": (incoming, response) =>
    sending(307, { location: incoming.url ?? "/" })(incoming, response, () => undefined),
  "302 to a page to sign in": sending(302, { location: "http://127.0.0.1:9/sign-in" }),
  "200 with a page to sign in": sending(200, { "content-type": "text/html" }, "<h1>Sign in</h1>"),
  "a reset before the answer": (incoming) => void incoming.socket.resetAndDestroy(),
  "a reset in the middle of a body": (incoming, response) => {
    response.writeHead(200, { "content-length": "1000000" });
    response.write("x".repeat(1000), () => void incoming.socket.resetAndDestroy());
  },
  "an end in the middle of a body": (incoming, response) => {
    response.writeHead(200, { "content-length": "1000000" });
    response.write("x".repeat(1000), () => void incoming.socket.destroy());
  },
  "no HTTP at all": (incoming) => void incoming.socket.end("SSH-2.0-OpenSSH_9.9\r\n"),
  "headers, and then nothing": (_, response) => {
    response.writeHead(200, { "content-length": "1000000" });
    response.flushHeaders();
  },
  "an answer of a byte a second": (_, response) => {
    response.writeHead(200, { "content-length": "1000000" });
    const timer = setInterval(() => response.write("x"), 1_000);
    response.on("close", () => clearInterval(timer));
  },
};

/** A store between a service and its bucket. */
export interface FaultyStore extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** From now on it answers in this way; undefined: as the bucket does. Returns how often it has answered in the way before. */
  readonly set: (fault: string | undefined) => number;
}

/** Starts one before a store. */
export async function startFaultyStore(target: string): Promise<FaultyStore> {
  let answer: Answer | undefined;
  let hits = 0;
  const server = createServer((incoming, response) => {
    const forward = (): void => {
      const { method, url, headers } = incoming;
      const onwards = request(`${target}${url}`, { method, headers }, (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(response);
      });
      onwards.on("error", () => response.destroy());
      incoming.pipe(onwards);
    };
    if (!answer) return forward();
    hits += 1;
    incoming.on("error", () => undefined).resume();
    answer(incoming, response, forward);
  });
  server.on("clientError", (_, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    set: (fault) => {
      const before = hits;
      hits = 0;
      answer = fault === undefined ? undefined : storeFaults[fault];
      return before;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
