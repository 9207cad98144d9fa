/**
 * A small server that conforms to the interface, on real sockets, and can be made to break one sentence of it.
 *
 * It answers from the contract's examples and honours `Prefer: example=NAME` and `Prefer: code=NNN`, so that every answer
 * that the contract shows can be seen.
 */
import type { IncomingHttpHeaders } from "node:http";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../src/target/target.ts";
import { asksImages, leaveMarkdown } from "./targets/markdown-left.ts";
import {
  findSubject,
  isJson,
  isObject,
  joinBody,
  type Answer as Sent,
  type Json,
  type ReceivedRequest as Received,
  type Subject,
} from "./targets/messages.ts";
import { serveAnswers } from "./targets/serve.ts";
import { answerRequest, correctService, type Service } from "./targets/service.ts";

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
  (alter: Alter = (answer) => answer, { read = (request) => request, pieces = splitEvents }: Manners = {}) =>
  ({ method, path, query, headers, body, onConnection }: Received): Sent => {
    const url = query.size === 0 ? path : `${path}?${query.toString()}`;
    const request = read({ method, url, body, prefer: String(headers["prefer"] ?? ""), headers, onConnection });
    const answer = alter(answerTo(request), request);
    const { status, headers: fields, leaveOpen = false } = answer;
    return { status, headers: fields, pieces: pieces(answer.body), ...(leaveOpen && { afterwards: "nothing" }) };
  };

/** Makes the target of the server at an address: one that can show everything. */
export const makeTarget = (url: string): Target => ({
  name: url,
  kind: "live",
  baseUrl: url,
  automationUrl: url,
  apiKey,
  sessionId,
  endedSessionId,
  query: "Open about:blank and finish.",
  lacks: new Map(),
});

/** Starts the server; without `alter` it conforms. */
export async function startServer(alter?: Alter, manners?: Manners): Promise<TestServer> {
  const served = await serveAnswers(makeAnswers(alter, manners));
  const { url } = served;
  return { url, target: makeTarget(url), [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() };
}

/** The page of the examples, and its images. */
const { markdown }: { markdown: string } = JSON.parse(example("scrape.200.markdown", 200).body);
const { images }: { images: Json } = JSON.parse(example("scrape.200.images", 200).body);

/** The correct service, with the page of the examples. */
const service: Service = {
  ...correctService,
  sessions: { open: sessionId, ended: endedSessionId },
  admits: ({ headers }) => headers.authorization === `Bearer ${apiKey}`,
  scrapes: (options) => ({
    markdown: leaveMarkdown(markdown, options),
    ...(asksImages(options) ? { images } : {}),
    ...(isObject(options.get("response_format"))
      ? { structured: { success: true, data: { heading: "Harbour ferries" } } }
      : {}),
  }),
};

/** The examples that requests are answered with, by their subjects and the example that is preferred; the service makes the others. */
const examples: Readonly<
  Partial<Record<Subject, (preferred: string | undefined, body: string) => Answer | undefined>>
> = {
  scrape: (preferred) => (preferred === undefined ? undefined : example(`scrape.200.${preferred}`, 200)),
  cookies: (preferred = "typical") => example(`cookies.200.${preferred}`, 200),
  replay: () => replay(),
  run: (preferred = "done") => ({
    ...example(`automation.200.${preferred}`, 200, "sse"),
    headers: { "content-type": "text/event-stream; charset=utf-8" },
  }),
  "run-stranger": () => example("automation.401.unauthorized", 401),
  "run-refused": (_, body) => example(`automation.400.${isJson({ body }) ? "query-missing" : "invalid-json"}`, 400),
};

/** The answer of the plain server to a request. */
function answerTo({ url, prefer, ...request }: ReceivedRequest): Answer {
  const [path = "", query = ""] = url.split("?", 2);
  const received = { ...request, path, query: new URLSearchParams(query), underWay: 1 };
  const answer = answerRequest(service, received);
  if (answer.status === 422 && path.endsWith("/cookies")) return example("validation.422.two-problems", 422);
  const subject = findSubject(answer, received);
  const found = subject && examples[subject]?.(/example=([\w-]+)/.exec(prefer)?.[1], request.body);
  return found ?? { status: answer.status, headers: { ...answer.headers }, body: joinBody(answer) };
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
