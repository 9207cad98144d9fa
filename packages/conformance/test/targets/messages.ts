/** Requests and answers of the targets. */
import type { IncomingHttpHeaders } from "node:http";

/** A request as a target sees it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Below the address of the target, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Number of the request on its connection, from 1. */
  readonly onConnection: number;
  /** Requests that the target answers at this moment, with this one. */
  readonly underWay: number;
}

/** An answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as it is written piece by piece; empty for no body. */
  readonly pieces: readonly (string | Uint8Array)[];
  /** Action after the last chunk: end the body, do nothing, or reset the connection. Default: `end`. */
  readonly afterwards?: "end" | "nothing" | "reset";
  /** Milliseconds before each piece. Default: 0. */
  readonly pauseMs?: number;
  /** Milliseconds between the last piece and the end. Default: 0. */
  readonly lingerMs?: number;
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Fields = Record<string, Json>;

/** An answer in JSON. */
export function json(status: number, value: Json | undefined): Answer {
  return { status, headers: { "content-type": "application/json" }, pieces: [JSON.stringify(value)] };
}

/** An answer without a body. */
export const empty = (status: number, headers: Answer["headers"] = {}): Answer => ({ status, headers, pieces: [] });

/** An answer in words. */
export function words(status: number, text: string): Answer {
  return { status, headers: { "content-type": "text/plain" }, pieces: text === "" ? [] : [text] };
}

export const joinBody = ({ pieces }: Answer): string =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString();

export function readValue(answer: Answer): Json {
  const value: Json = JSON.parse(joinBody(answer));
  return value;
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns whether a body is JSON. */
export function isJson({ body }: Pick<ReceivedRequest, "body">): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Operation of the interface. */
export type Operation = "scrape" | "cookies" | "replay" | "automation";

/** Returns the operation of a request; undefined when its path is not one of the interface. */
export function findOperation({ method, path }: ReceivedRequest): Operation | undefined {
  if (method === "POST" && path === "/api/automation/start") return "automation";
  const [, rest = ""] = /^\/sessions\/[^/]+\/(.*)$/.exec(path) ?? [];
  if (method === "POST") return rest === "page/scrape" ? "scrape" : undefined;
  return method === "GET" && (rest === "cookies" || rest === "replay") ? rest : undefined;
}

export const findSession = ({ path }: ReceivedRequest): string => decodeURIComponent(path.split("/")[2] ?? "");

/** What an exchange is about: an operation, and the reason for the response of a correct service. */
export type Subject =
  | "scrape"
  | "scrape-invalid"
  | "scrape-stranger"
  | "cookies"
  | "cookies-stranger"
  | "replay"
  | "replay-stranger"
  | "run"
  | "run-stranger"
  | "run-refused";

const subjects: Readonly<Record<Operation, Readonly<Record<number, Subject>>>> = {
  scrape: { 200: "scrape", 422: "scrape-invalid", 403: "scrape-stranger" },
  cookies: { 200: "cookies", 403: "cookies-stranger" },
  replay: { 200: "replay", 403: "replay-stranger" },
  automation: { 200: "run", 401: "run-stranger", 400: "run-refused" },
};

/** Returns the subject of a request and its correct response; undefined when no requirement is about it. */
export function findSubject({ status }: Answer, request: ReceivedRequest): Subject | undefined {
  const operation = findOperation(request);
  return operation && subjects[operation][status];
}

/** Bodies that were read before: many faults look at the same one. */
const read = new Map<string, ReadonlyMap<string, Json>>();

/** The members of a JSON body, when it is an object. */
export function listMembers({ body }: ReceivedRequest): ReadonlyMap<string, Json> {
  const known = read.get(body);
  if (known) return known;
  const members = readMembers(body);
  if (body.length < 4_096) read.set(body, members);
  return members;
}

function readMembers(body: string): ReadonlyMap<string, Json> {
  try {
    const value: unknown = JSON.parse(body);
    return new Map(isObject(value) ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}
