/**
 * A small server that conforms to the interface, on real sockets, and can be made to break one sentence of it.
 *
 * It answers from the contract's examples and honours `Prefer: example=NAME` and `Prefer: code=NNN`, so that every answer
 * that the contract shows can be seen.
 */
import type { IncomingHttpHeaders } from "node:http";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { namedSchema, listProblems } from "../src/contract/contract.ts";
import type { Target } from "../src/target/target.ts";
import { asksImages, leaveMarkdown } from "./targets/markdown-left.ts";
import type { Answer as Sent, ReceivedRequest as Received } from "./targets/messages.ts";
import { serveAnswers } from "./targets/serve.ts";

/** One answer, before it is written. A stream is written piece by piece. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** For a stream: whether the socket is left open after the last piece. */
  leaveOpen?: boolean;
}

/** Changes or replaces the response of a faulty server. */
export type Alter = (answer: Answer, request: ReceivedRequest) => Answer;

/** Leaves the Markdown out of every scrape. */
export const withoutMarkdown: Alter = (answer, { url }) =>
  url.includes("/scrape") && answer.status === 200 ? { ...answer, body: "{}" } : answer;

/** Answers a read of the cookies with something else. */
export const withCookies =
  (cookies: unknown): Alter =>
  (answer, { url }) =>
    url.endsWith("/cookies") && answer.status === 200 ? json(200, cookies) : answer;

/** A request as the server sees it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly prefer: string;
  readonly headers: IncomingHttpHeaders;
  /** Number of the request on its connection, from 1. */
  readonly onConnection: number;
}

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
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "utf8")]),
);

/** Differences of a server from the plain one, besides its responses. */
export interface Manners {
  /** Reads a request in another way, before it is answered. */
  readonly read?: (request: ReceivedRequest) => ReceivedRequest;
  /** The pieces in which a body is written. Default: an event with its blank line. */
  readonly pieces?: (body: string) => readonly (string | Uint8Array)[];
}

/** The pieces in which a body is written by default: an event with its blank line. */
const splitEvents: NonNullable<Manners["pieces"]> = (body) => body.split(/(?<=\n\n)/);

/** Makes a function that answers requests, however they come. */
export const makeAnswers =
  (alter: Alter = (answer) => answer, { read = (asked) => asked, pieces = splitEvents }: Manners = {}) =>
  ({ method, path, query, headers, body, onConnection }: Received): Sent => {
    const url = query.size === 0 ? path : `${path}?${query.toString()}`;
    const request = read({ method, url, body, prefer: String(headers["prefer"] ?? ""), headers, onConnection });
    const answer = alter(answerTo(request), request);
    const { status, headers: fields, leaveOpen = false } = answer;
    return { status, headers: fields, pieces: pieces(answer.body), ...(leaveOpen && { afterwards: "nothing" }) };
  };

/** Starts the server; without `alter` it conforms. */
export async function startServer(alter?: Alter, manners?: Manners): Promise<TestServer> {
  const served = await serveAnswers(makeAnswers(alter, manners));
  const { url } = served;
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
  return { url, target, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

type Request = ReceivedRequest;

/** The answer of the plain server to a request. */
function answerTo(request: Request): Answer {
  const { authorization } = request.headers;
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
      return session === endedSessionId ? replay() : json(409, { detail: "not ended" });
    default:
      return json(404, { detail: "no such path" });
  }
}

function scrape(request: Request): Answer {
  const problems = bodyProblems(request);
  if (/update_metadata=(?!(true|false)(&|$))/.test(request.url)) {
    problems.push({ loc: ["query", "update_metadata"], msg: "no boolean", type: "bool_parsing", ctx: {} });
  }
  if (problems.length > 0) return json(422, { detail: problems });
  const name = preferred(request);
  return name === undefined ? answerScrape(request) : example(`scrape.200.${name}`, 200);
}

/** Returns what the options of a scrape leave of the page of the examples. */
function answerScrape({ body }: Request): Answer {
  const options = new Map<string, unknown>(Object.entries(JSON.parse(body)));
  const { markdown }: { markdown: string } = JSON.parse(example("scrape.200.markdown", 200).body);
  const { images }: { images: object[] } = JSON.parse(example("scrape.200.images", 200).body);
  const hasData = typeof options.get("response_format") === "object" && options.get("response_format") !== null;
  return json(200, {
    markdown: leaveMarkdown(markdown, options),
    ...(asksImages(options) ? { images } : {}),
    ...(hasData ? { structured: { success: true, data: { heading: "Harbour ferries" } } } : {}),
  });
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
  return listProblems(value, namedSchema("ScrapeRequest")).map((error) => {
    const path = error.instancePath.split("/").slice(1);
    const unknown: unknown = error.params["additionalProperty"];
    return problem(typeof unknown === "string" ? [...path, unknown] : path, error.message ?? "invalid");
  });
}

function automation(request: Request, authorization: string | undefined): Answer {
  if (authorization !== `Bearer ${apiKey}`) return example("automation.401.unauthorized", 401);
  try {
    const value: unknown = JSON.parse(request.body);
    if (listProblems(value, namedSchema("AutomationRequest")).length > 0)
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

/** The example of a replay, whose addresses work for another hour: the time in the example has passed. */
function replay(): Answer {
  const { body, ...answer } = example("replay.200.recorded", 200);
  const expiry = new Date(Math.ceil(Date.now() / 3_600_000 + 1) * 3_600_000).toISOString();
  return { ...answer, body: body.replace(/("expires_at": *)"[^"]*"/, `$1"${expiry}"`) };
}

/** An example of the contract as an answer. */
export function example(name: string, status: number, form: "json" | "sse" = "json"): Answer {
  const body = files.get(`${name}.${form}`);
  if (body === undefined) throw new Error(`there is no example ${name}`);
  return { status, headers: { "content-type": "application/json; charset=utf-8" }, body };
}

export function json(status: number, value: unknown): Answer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}
