/**
 * A target that has everything: pages in real sessions, recordings, and automation runs. One of its answers can be replaced: the
 * first one that is asked for when a request is the one that is meant.
 */
import { createServer, request as send, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { liveTarget } from "../../src/run/live-target.ts";
import type { Target } from "../../src/target/target.ts";
import { listen } from "../listen.ts";
import { apiKey as pagesKey, SiteServer } from "../pages/site-server.ts";
import { apiKey, endedSessionId, sessionId, startServer } from "../server.ts";

/** Response header of an answer that was replaced. */
export const replacedHeader = "x-replaced";

/** An answer that stands in for the right one. */
export interface Replacement {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WholeTarget extends AsyncDisposable {
  readonly target: Target;
  /** Replaces the answer to the request whose number this is, from 1; undefined for none. */
  replace(number: number | undefined, answer?: Replacement): void;
}

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request on, and its answer back. */
function forward(to: string, { method, path, headers, body }: ReceivedRequest, response: ServerResponse): void {
  const onward = send(new URL(path, to), { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  onward.end(body);
}

export async function startWholeTarget(): Promise<WholeTarget> {
  const pages = await SiteServer.start();
  const rest = await startServer();
  let count = 0;
  let replaced: { number: number; answer: Replacement } | undefined;
  const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      count += 1;
      if (replaced?.number === count) {
        const { status, headers, body } = replaced.answer;
        response.writeHead(status, { ...headers, [replacedHeader]: "yes" }).end(body);
        return;
      }
      const { method = "GET", url: path = "/", headers } = request;
      const [, , id = ""] = path.split("/");
      const isPage = pages.sessions.has(id);
      const authorization = headers.authorization?.replace(apiKey, pagesKey);
      const outgoing = {
        method,
        path,
        headers: isPage ? { ...headers, authorization } : headers,
        body: Buffer.concat(pieces),
      };
      forward(isPage ? pages.url : rest.url, outgoing, response);
    });
  });
  const url = await listen(server);
  return {
    target: liveTarget({
      baseUrl: url,
      apiKey,
      sessionId,
      endedSessionId,
      openSession: (address) => pages.open(address),
      endSession: (id) => pages.end(id),
    }),
    replace(number, answer) {
      count = 0;
      replaced = number === undefined || !answer ? undefined : { number, answer };
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await rest[Symbol.asyncDispose]();
      await pages[Symbol.asyncDispose]();
    },
  };
}

/** Options of judging such a target: everything, and without long waiting. */
export const wholeRun = {
  profile: "full",
  maxRuns: 2,
  // A busy machine must not look like a target that does not answer: all but the grace and the last three are limits for what hangs.
  limits: { timeoutMs: 60_000, closeGraceMs: 400 },
  ffmpeg: false,
  pageTimeouts: { request: 60_000, recordingReady: 60_000, load: 10_000, change: 50, recording: 10 },
} as const;
