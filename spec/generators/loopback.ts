import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The key that the servers accept. */
export const key = "generators-test-key";

/** One request as it arrived. */
export interface Arrived {
  /** Which of the two servers it came to. */
  readonly server: "sessions" | "automation";
  /** Method and target, as they stood in the request line. */
  readonly line: string;
  /** The headers. */
  readonly headers: IncomingMessage["headers"];
  /** The body as text. */
  readonly body: string;
}

/** Two servers on loopback that answer with the examples of the contract. */
export interface Loopback extends Disposable {
  readonly sessions: string;
  readonly automation: string;
  /** All that arrived so far, in order. */
  readonly arrived: Arrived[];
  /** What becomes of automations: all events, a connection that closes after the first one, or status 502. */
  automations: "done" | "closed" | "refused";
  /** Is called when a request has arrived. */
  onArrival: () => void;
}

const readExample = (name: string): string =>
  readFileSync(new URL(`../examples/${name.replace(/\..*/, "")}/${name}`, import.meta.url), "utf8");
const done = readExample("automation.200.done.sse");
const answers: readonly (readonly [line: RegExp, body: string])[] = [
  [/^POST \/sessions\/.*\/page\/scrape/, readExample("scrape.200.markdown.json")],
  [/^GET \/sessions\/.*\/cookies$/, readExample("cookies.200.typical.json")],
  [/^GET \/sessions\/.*\/replay$/, readExample("replay.200.recorded.json")],
];

/** Starts both, on free ports. */
export async function startLoopback(): Promise<Loopback> {
  const arrived: Arrived[] = [];
  const servers = (["sessions", "automation"] as const).map((server) =>
    createServer((request, response) => void answer(server, request, response)),
  );
  const [sessions = "", automation = ""] = await Promise.all(servers.map(listen));
  const loopback: Loopback = {
    sessions,
    automation,
    arrived,
    automations: "done",
    onArrival: () => {},
    [Symbol.dispose]: () => servers.forEach((server) => (server.closeAllConnections(), server.close())),
  };
  return loopback;

  async function answer(server: Arrived["server"], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`;
    arrived.push({ server, line, headers: request.headers, body: await text(request) });
    if (request.headers.authorization !== `Bearer ${key}`)
      send(response, 401, readExample("automation.401.unauthorized.json"));
    else if (line !== "POST /api/automation/start") send(response, 200, answerTo(line));
    else if (loopback.automations === "refused")
      send(response, 502, readExample("automation.502.agent-failed-to-start.json"));
    else sendStream(response);
    loopback.onArrival();
  }

  function sendStream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (loopback.automations === "done") return void response.end(done);
    response.write(done.slice(0, done.indexOf("\n\n") + 2), () => response.destroy());
  }
}

function answerTo(line: string): string | undefined {
  return answers.find(([pattern]) => pattern.test(line))?.[1];
}

function send(response: ServerResponse, status: number, body: string | undefined): void {
  response.writeHead(body === undefined ? 404 : status, { "content-type": "application/json" });
  response.end(body ?? '{"detail":"no such path"}');
}

async function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address: AddressInfo | string | null = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
    });
  });
}
