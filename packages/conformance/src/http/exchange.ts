import { findWhole, type Chunk } from "./body/chunks.ts";
import { maxJsonDepth, measureNesting } from "./json.ts";
import type { Operation } from "../contract/contract.ts";
import type { RequestPlan } from "./request-plan.ts";

/**
 * End of a response body.
 *
 * - `complete`: the target ended it.
 * - `reset`: the connection broke in the middle.
 * - `still-open`: a terminal event had come, and the target did not end the stream within the time given to it.
 * - `timeout`: the suite's limit of time was reached.
 * - `too-large`: the suite's limit of size was reached.
 * - `interrupted`: the run was interrupted while it was read.
 */
export type BodyEnd = "complete" | "reset" | "still-open" | "timeout" | "too-large" | "interrupted";

/** A response as it came over the wire, without its content codings: nothing else is decoded, and no redirect is followed. */
export interface RawResponse {
  /** HTTP status. */
  readonly status: number;
  /** Names and values in the order and the case in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The chunks of the body; empty for no body. */
  readonly chunks: readonly Chunk[];
  /** End of the body. */
  readonly end: BodyEnd;
  /**
   * Reason why the chunks are not the content of the body: `unknown` for a content coding that the suite can't undo, `broken` for bytes
   * that are not in the coding that `Content-Encoding` names. Absent when they are.
   */
  readonly undecoded?: "unknown" | "broken";
}

/**
 * Expected result of a request, according to the interface.
 *
 * - `success`: the request is valid, and answered with 200.
 * - `refusal`: it is not valid, or not authorized: a success is the fault, whatever its body holds.
 * - `open`: the interface leaves it open.
 */
export type Expectation = "success" | "refusal" | "open";

/** One request with its response, or the reason why none came. Holds secrets: reports show a recorded copy of it. */
export interface Exchange {
  /** Id of the probe that made it. */
  readonly id: string;
  /** Operation that was called. */
  readonly operation: Operation;
  /** Expected result. */
  readonly expects: Expectation;
  /** URL of the request, with its query. */
  readonly url: string;
  /** Request as the probe planned it. */
  readonly plan: RequestPlan;
  /** Headers that were sent, the credentials among them. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** `kept`: sent over the connection that other requests share. Default: `own`. */
  readonly connection?: "own" | "kept";
  /** Time at which the request was sent. */
  readonly startedAt: Date;
  /** Time from sending to the end of the body, in milliseconds. */
  readonly durationMs: number;
  /** Response; absent when none came. */
  readonly response?: RawResponse;
  /** Reason why there is no response: the connection failed, no headers came in time, or the run was interrupted. */
  readonly failure?: {
    readonly code: "unreachable" | "reset" | "timeout" | "interrupted";
    readonly message: string;
  };
  /**
   * True when other exchanges of the run prove that address, key and session are valid for this operation, so that a status such as 401 or
   * 404 is the target's fault. Absent when that is not known.
   */
  readonly setupProven?: true;
}

/** Method and path of each operation. Source: interface § Endpoints. */
const endpoints: Readonly<Record<Operation, { readonly method: string; readonly path: RegExp }>> = {
  page_scrape: { method: "POST", path: /^\/sessions\/[^/]+\/page\/scrape$/ },
  session_cookies: { method: "GET", path: /^\/sessions\/[^/]+\/cookies$/ },
  session_replay: { method: "GET", path: /^\/sessions\/[^/]+\/replay$/ },
  automation_start: { method: "POST", path: /^\/api\/automation\/start$/ },
};

/**
 * Returns whether an exchange holds an answer of the operation, to which its general rules apply: media type, JSON, schema, events.
 *
 * Not: the download of a file that an answer points at; the answer to another method or at another path than that of the operation; a
 * success that should have been a refusal, for then the success itself is the fault. The stream of a run is one all the same: it may
 * be the only one that the budget of runs allows.
 *
 * Source: interface § Endpoints.
 */
export function isAnswerTo(operation: Operation, exchange: Exchange): boolean {
  if (exchange.operation !== operation) return false;
  const result = answers.get(exchange);
  if (result !== undefined) return result;
  const isOne = isAnswer(exchange);
  answers.set(exchange, isOne);
  return isOne;
}

/** Cache, since most checks need it for every exchange. */
const answers = new WeakMap<Exchange, boolean>();

function isAnswer(exchange: Exchange): boolean {
  const { operation, plan, response, expects } = exchange;
  const [path = ""] = plan.path.split("?", 1);
  const { method, path: pattern } = endpoints[operation];
  const here = plan.url === undefined && plan.method === method && pattern.test(path);
  if (!here || response === undefined) return false;
  return expects !== "refusal" || !succeeded(exchange) || (operation === "automation_start" && isEventStream(response));
}

/** Cache, since many checks need it for the same response. */
const eventStreams = new WeakMap<RawResponse, boolean>();

/** Returns whether a body is an event stream: by its media type, or by a line of it. */
export function isEventStream(response: RawResponse): boolean {
  const result = eventStreams.get(response);
  if (result !== undefined) return result;
  const isOne = mediaType(response) === "text/event-stream" || /^data:/m.test(bodyText(response));
  eventStreams.set(response, isOne);
  return isOne;
}

/** Returns whether the status is any 2xx. */
export function succeeded({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Returns the `Location` of a redirect; undefined for other responses. Source: RFC 9110, section 15.4. */
export function findRedirect({ response }: Exchange): string | undefined {
  return response && [301, 302, 303, 307, 308].includes(response.status) ? header(response, "location") : undefined;
}

/** Returns the value of the first header of that name, whatever its case. */
export function header(response: RawResponse, name: string): string | undefined {
  return response.headers.find(([other]) => other.toLowerCase() === name)?.[1];
}

/** Returns the media type in lower case, without parameters; an empty string when there is none. */
export function mediaType(response: RawResponse): string {
  return (header(response, "content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Descriptions, in findings, of a body whose content can't be read. */
export const codedBody = {
  unknown: "a body in a content coding that the suite does not know",
  broken: "a body that is not in the content coding that its header names",
} as const;

/** Returns all bytes of the body. */
export function bodyBytes(response: RawResponse): Uint8Array {
  const whole = findWhole(response.chunks);
  return whole ? new Uint8Array(whole) : Buffer.concat(response.chunks.map((chunk) => chunk.bytes));
}

/** Returns the first bytes of the body, as many as there are up to a length. */
export function firstBytes({ chunks }: RawResponse, length: number): Uint8Array {
  const first: Uint8Array[] = [];
  let remaining = length;
  for (const { bytes } of chunks) {
    if (remaining <= 0) break;
    first.push(bytes.subarray(0, remaining));
    remaining -= bytes.length;
  }
  return Buffer.concat(first);
}

/** Returns the body as text; bytes that are not UTF-8 become U+FFFD. */
export function bodyText(response: RawResponse): string {
  return new TextDecoder().decode(bodyBytes(response));
}

/** A parsed JSON body, or the reason why it can't be parsed. */
export type JsonBody =
  | { readonly value: unknown }
  | {
      /** Reason why there is no value. */
      readonly problem: string;
      /** True when a limit of the suite is the reason, so that the target may be right. */
      readonly unread: boolean;
    };

/** Cache of parsed bodies, since many checks judge the same one: by the response, or by the memory that alike ones share. */
const jsonBodies = new WeakMap<object, JsonBody>();

/** Parses the body as JSON, or returns the reason why it can't be parsed. */
export function bodyJson(response: RawResponse): JsonBody {
  const { undecoded } = response;
  if (undecoded !== undefined) return { problem: codedBody[undecoded], unread: undecoded === "unknown" };
  const key = findWhole(response.chunks) ?? response;
  const body = jsonBodies.get(key) ?? readJson(bodyBytes(response));
  jsonBodies.set(key, body);
  return body;
}

function readJson(bytes: Uint8Array): JsonBody {
  if (bytes.length === 0) return { problem: "an empty body", unread: false };
  const { deepest, depth, quoted } = measureNesting(bytes);
  if (deepest > maxJsonDepth) {
    return depth === 0 && !quoted
      ? { problem: `a body that is nested more than ${maxJsonDepth} levels deep`, unread: true }
      : { problem: "a body that is not JSON", unread: false };
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return { value };
  } catch (error) {
    const problem = error instanceof SyntaxError ? "a body that is not JSON" : "a body that is not UTF-8";
    return { problem, unread: false };
  }
}

/** Returns the JSON body of a response with that status, or the reason why there is none to judge. */
export function jsonAnswer(
  exchange: Exchange,
  status: number,
): { readonly value: unknown } | { readonly reason: string } {
  const { response } = exchange;
  if (response?.status !== status) return { reason: `No response had the status ${status}.` };
  const body = bodyJson(response);
  return "problem" in body ? { reason: `The response has ${body.problem}.` } : body;
}
