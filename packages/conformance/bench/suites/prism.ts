/** Prism as a proxy: it compares the requests of this package's suite, and their answers, with the contract. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer as createSocket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { listen } from "../../test/listen.ts";
import { makeProgram, start } from "../command.ts";
import { contract31 } from "../contract.ts";
import { answerLimitMs, apiKey, endedSession, openSession, runLimitMs, type Suite } from "../suite.ts";

const violationsHeader = "sl-violations";
const ownErrors = "stoplight.io/prism/errors";

/** What is used of a violation. */
interface Violation {
  readonly location?: readonly string[];
  readonly code?: string | number;
  readonly message?: string;
}

/** Where requests go. */
interface Way {
  readonly proxy: string;
  readonly address: string;
  readonly complaints: string[];
}

/** Stands in front of Prism, and keeps what it says of each exchange. */
function relay(way: Way) {
  return createServer((request, response) => {
    void pass(way, request, response);
  });
}

async function pass({ proxy, address, complaints }: Way, request: IncomingMessage, response: ServerResponse) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const sent = Buffer.concat(pieces);
  const name = `${request.method} ${request.url} ${sent.toString("utf8").slice(0, 80)}`;
  const signal = AbortSignal.timeout(answerLimitMs);
  const next = isForPrism(sent.toString("latin1")) ? proxy : address;
  const onwards = send(`${next}${request.url}`, {
    method: request.method,
    headers: request.headers,
    agent: false,
    signal,
  });
  onwards.end(sent);
  try {
    const [answer]: IncomingMessage[] = await once(onwards, "response");
    if (!answer) return;
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    complaints.push(...collectComplaints(name, answer, body.toString("utf8")));
    response.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
  } catch {
    complaints.push(`${name}: no answer`);
    response.destroy();
  }
}

/**
 * Prism writes names of unknown properties into a header, and ends with an error when they are not ASCII; and it never answers
 * a body that is no JSON. Such requests go around it.
 */
function isForPrism(body: string): boolean {
  try {
    return body === "" || (!/[^\0-\u007f]/.test(body) && JSON.parse(body) !== undefined);
  } catch {
    return false;
  }
}

/** What is wrong with an answer; and a request that is wrong, and was taken all the same. */
function collectComplaints(name: string, { statusCode = 0, headers }: IncomingMessage, body: string): string[] {
  if (body.includes(ownErrors)) return [`${name}: ${statusCode} of Prism itself`];
  const header = headers[violationsHeader];
  const violations: readonly Violation[] = header === undefined ? [] : JSON.parse(String(header));
  return violations
    .filter(({ location }) => location?.[0] === "response" || statusCode < 300)
    .map(({ location, code, message }) => `${name}: ${statusCode}: ${location?.join(".")}: ${code}: ${message}`);
}

async function freePort(): Promise<number> {
  const socket = createSocket();
  const url = new URL(await listen(socket));
  socket.close();
  return Number(url.port);
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export const prism: Suite = {
  name: "Prism proxy 5.16",
  input: "OpenAPI 3.1; all requests of this suite go through it",
  prepare: async (folder) => {
    writeFileSync(join(folder, "contract.json"), JSON.stringify(contract31()));
  },
  judge: async (address, folder, own) => {
    const port = await freePort();
    const where = ["proxy", join(folder, "contract.json"), address, "-p", String(port), "--verboseLevel", "fatal"];
    await using program = start(makeProgram("prism"), where, own);
    const deadline = Date.now() + runLimitMs;
    while (!(await listens(port))) {
      if (Date.now() > deadline) return { complaints: [], broke: `does not start: ${program.output().slice(-300)}` };
      await pause(100);
    }
    const complaints: string[] = [];
    const server = relay({ proxy: `http://127.0.0.1:${port}`, address, complaints });
    const baseUrl = await listen(server);
    try {
      const target = liveTarget({ baseUrl, apiKey, sessionId: openSession, endedSessionId: endedSession });
      const limits = { timeoutMs: answerLimitMs, streamTimeoutMs: answerLimitMs, closeGraceMs: 200 };
      await runConformance(target, { profile: "full", limits, signal: AbortSignal.timeout(runLimitMs) });
      return { complaints };
    } finally {
      server.close();
      server.closeAllConnections();
    }
  },
};
