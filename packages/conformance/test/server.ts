/**
 * A small server that conforms to the interface, on real sockets, and can be made to break one sentence of it.
 *
 * It answers from the contract's examples and honours `Prefer: example=NAME` and `Prefer: code=NNN`, so that every answer
 * that the contract shows can be seen.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { namedSchema, problemsOf } from "../src/contract.ts";
import type { Target } from "../src/target.ts";
import { listen } from "./listen.ts";

/** One answer, before it is written. A stream is written piece by piece. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** For a stream: whether the socket is left open after the last piece. */
  leaveOpen?: boolean;
}

/** What a faulty server does to an answer: changes it, or replaces it. */
export type Alter = (answer: Answer, request: { method: string; url: string; body: string; prefer: string }) => Answer;

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** The server as a target that can show everything. */
  readonly target: Target;
}

export const apiKey = "test-key-0123456789";
export const sessionId = "open-session";
export const endedSessionId = "ended-session";

const folder = new URL("./examples/", import.meta.resolve("@cloud-browser/spec/openapi.yaml"));
const files = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(fileURLToPath(new URL(name, folder)), "utf8")]),
);

/** Starts the server; without `alter` it conforms. */
export async function startServer(alter: Alter = (answer) => answer): Promise<TestServer> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = "GET", url = "/", headers } = request;
      const about = { method, url, body, prefer: String(headers["prefer"] ?? "") };
      write(response, alter(answerTo(about, headers.authorization), about));
    });
  });
  const url = await listen(server);
  const target: Target = {
    name: url,
    kind: "live",
    baseUrl: url,
    automationUrl: url,
    apiKey,
    sessionId,
    endedSessionId,
    query: "Open about:blank and finish.",
    lacks: new Map(),
  };
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, target, [Symbol.asyncDispose]: close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  request.setEncoding("utf8");
  for await (const piece of request) body += String(piece);
  return body;
}

function write(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, answer.headers);
  for (const piece of answer.body.split(/(?<=\n\n)/)) response.write(piece);
  if (answer.leaveOpen !== true) response.end();
}

type Request = Parameters<Alter>[1];

function answerTo(request: Request, authorization: string | undefined): Answer {
  const path = request.url.split("?", 1)[0] ?? "";
  if (path === "/api/automation/start") return automation(request, authorization);
  if (authorization !== `Bearer ${apiKey}`) return json(403, { detail: "not allowed" });
  const [, , session, ...rest] = path.split("/");
  if (session !== sessionId && session !== endedSessionId) return json(404, { detail: "session not found" });
  switch (rest.join("/")) {
    case "page/scrape":
      return scrape(request);
    case "cookies":
      return /code=422/.test(request.prefer)
        ? example("validation.422.two-problems", 422)
        : example(`cookies.200.${preferred(request) ?? "typical"}`, 200);
    case "replay":
      return session === endedSessionId ? example("replay.200.recorded", 200) : json(409, { detail: "not ended" });
    default:
      return json(404, { detail: "no such path" });
  }
}

function scrape(request: Request): Answer {
  const problems = bodyProblems(request);
  if (/update_metadata=(?!true|false)/.test(request.url)) {
    problems.push({ loc: ["query", "update_metadata"], msg: "no boolean", type: "bool_parsing", ctx: {} });
  }
  if (problems.length > 0) return json(422, { detail: problems });
  return example(`scrape.200.${preferred(request) ?? "markdown"}`, 200);
}

interface Problem {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx: object;
}

function problem(path: readonly string[], msg: string): Problem {
  return { loc: ["body", ...path], msg, type: "invalid", ctx: {} };
}

function bodyProblems({ body }: Request): Problem[] {
  if (body === "") return [problem([], "a body is required")];
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [problem([], "not JSON")];
  }
  return problemsOf(value, namedSchema("ScrapeRequest")).map((error) => {
    const path = error.instancePath.split("/").slice(1);
    const unknown: unknown = error.params["additionalProperty"];
    return problem(typeof unknown === "string" ? [...path, unknown] : path, error.message ?? "invalid");
  });
}

function automation(request: Request, authorization: string | undefined): Answer {
  if (authorization !== `Bearer ${apiKey}`) return example("automation.401.unauthorized", 401);
  try {
    const value: unknown = JSON.parse(request.body);
    if (problemsOf(value, namedSchema("AutomationRequest")).length > 0)
      return example("automation.400.query-missing", 400);
  } catch {
    return example("automation.400.invalid-json", 400);
  }
  const body = files.get(`automation.200.${preferred(request) ?? "done"}.sse`) ?? "";
  return { status: 200, headers: { "content-type": "text/event-stream; charset=utf-8" }, body };
}

function preferred(request: Request): string | undefined {
  return /example=([\w-]+)/.exec(request.prefer)?.[1];
}

function example(name: string, status: number): Answer {
  const body = files.get(`${name}.json`);
  if (body === undefined) throw new Error(`there is no example ${name}`);
  return { status, headers: { "content-type": "application/json; charset=utf-8" }, body };
}

export function json(status: number, value: unknown): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
