import {
  bodyJson,
  header,
  isAnswerTo,
  mediaType,
  type Exchange,
  succeeded,
  type RawResponse,
} from "../http/exchange.ts";
import { isObject } from "../http/json.ts";
import { nameType } from "./json-fields.ts";
import type { Operation } from "../contract/contract.ts";
import { observeEach, observeProbes, type Observer, type ObservedValue } from "../checks/observer.ts";

const sessionOperations: readonly Operation[] = ["page_scrape", "session_cookies", "session_replay"];
const operations: readonly Operation[] = [...sessionOperations, "automation_start"];

/** Statuses that the interface shows, by operation. Source: interface § Endpoints, § Errors. */
const shownStatuses: Readonly<Record<Operation, readonly number[]>> = {
  page_scrape: [200, 422],
  session_cookies: [200, 422],
  session_replay: [200],
  automation_start: [200, 400, 401, 502],
};

function isAnswer(exchange: Exchange): boolean {
  return operations.some((operation) => isAnswerTo(operation, exchange));
}

/** Observes every response of an operation of the interface. */
function observeAnswers(
  id: string,
  see: (response: NonNullable<Exchange["response"]>, exchange: Exchange) => readonly string[],
): Observer {
  return observeEach(id, (exchange) =>
    exchange.response && isAnswer(exchange) ? see(exchange.response, exchange) : [],
  );
}

/** Returns status and media type, such as `404 application/json`. */
export function describeStatus({ response }: Exchange): string[] {
  return response ? [`${response.status} ${header(response, "content-type") ?? "without content-type"}`] : [];
}

/** Returns status, media type and, where the body is a JSON object, the names of its fields. */
export function describeFields(exchange: Exchange): string[] {
  const { response } = exchange;
  if (!response) return [];
  const body = bodyJson(response);
  const fields = "value" in body ? formatFields(body.value) : "no JSON";
  return describeStatus(exchange).map((text) => `${text}, ${fields}`);
}

function formatFields(value: unknown): string {
  return isObject(value)
    ? `fields: ${Object.keys(value).sort().join(", ") || "none"}`
    : `JSON of type ${nameType(value)}`;
}

function describeContentType({ response }: Exchange): string[] {
  return response ? [header(response, "content-type") ?? "none"] : [];
}

const words = ["scrape", "cookies", "replay"];
const listIds = (name: string): string[] => words.map((word) => `${word}/${name}`);

/** Returns a status that is not shown for its operation, with the media type of its body. */
function describeNotShown(among: readonly Operation[]): (exchange: Exchange) => readonly string[] {
  return (exchange) => {
    const { operation, response } = exchange;
    if (!response || !among.includes(operation) || shownStatuses[operation].includes(response.status)) return [];
    return [`${operation}: ${response.status} ${mediaType(response) || "without content-type"}`];
  };
}

const cachingHeaders = ["cache-control", "etag", "age"];
const deprecationHeaders = ["deprecation", "sunset"];

/** Describes caching headers; only by name where the value differs from response to response. */
function describeCaching(response: NonNullable<Exchange["response"]>): string[] {
  return cachingHeaders.flatMap((name) => {
    const value = header(response, name);
    if (value === undefined) return [];
    return [name === "cache-control" ? `${name}: ${value}` : name];
  });
}

function describeRateLimit(response: NonNullable<Exchange["response"]>): string[] {
  const names = response.headers.map(([name]) => name.toLowerCase());
  const limits = names.filter((name) => /ratelimit|rate-limit/.test(name) || name === "retry-after");
  return [...(response.status === 429 ? ["429"] : []), ...limits];
}

/** Observers of what the interface leaves open about HTTP itself: statuses, media types, headers. */
export const httpObservers: readonly Observer[] = [
  observeProbes("open.session.status-when-unknown", listIds("unknown-session"), describeStatus),
  observeProbes("open.session.status-without-credentials", listIds("without-key"), describeStatus),
  observeProbes("open.session.status-with-invalid-credentials", listIds("with-wrong-key"), describeStatus),
  observeProbes("open.http.session-content-type", ["cookies/read", "replay/read"], describeContentType),
  observeAnswers("open.http.charset", (_, exchange) => describeContentType(exchange)),
  observeAnswers("open.http.redirects", ({ status }) => (status >= 300 && status < 400 ? [String(status)] : [])),
  observeAnswers("open.http.caching", describeCaching),
  observeAnswers("open.limits.rate-limits", describeRateLimit),
  observeAnswers("open.version.deprecation", (response) =>
    deprecationHeaders.filter((name) => header(response, name) !== undefined),
  ),
  observeAnswers("open.session.other-errors", (_, exchange) => describeNotShown(sessionOperations)(exchange)),
  observeAnswers("open.automation.other-errors", (_, exchange) => describeNotShown(["automation_start"])(exchange)),
  observeEach("open.automation.error-bodies", (exchange) =>
    isAnswerTo("automation_start", exchange) && [400, 401, 502].includes(exchange.response?.status ?? 0)
      ? describeFields(exchange)
      : [],
  ),
  observeEach("open.session.id-form", describeSessionId),
];

/** Describes the form of the session ids of a run, without the ids themselves. */
function describeSessionId(exchange: Exchange): string[] {
  if (exchange.expects !== "success") return [];
  const [, id] = /^\/sessions\/([^/]+)\//.exec(exchange.plan.path) ?? [];
  if (id === undefined || !sessionOperations.some((operation) => isAnswerTo(operation, exchange))) return [];
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return ["a UUID"];
  const alphabet = /^\d+$/.test(id) ? ", all digits" : /^[0-9a-f]+$/i.test(id) ? ", all hexadecimal digits" : "";
  return [`${id.length} characters${alphabet}`];
}

/** Returns the names of the headers of CORS; of the one that names an origin its value, too, where that is a star or null. */
function listCorsHeaders({ headers }: RawResponse): string[] {
  return headers.flatMap(([other, value]) => {
    const name = other.toLowerCase();
    if (!name.startsWith("access-control-")) return [];
    return [name === "access-control-allow-origin" && /^(\*|null)$/.test(value) ? `${name}: ${value}` : name];
  });
}

/** Returns the schemes of `WWW-Authenticate` in a refusal for want of a key. */
function describeChallenge(response: RawResponse): string[] {
  if (response.status !== 401 && response.status !== 403) return [];
  const challenges = header(response, "www-authenticate");
  return [
    `${response.status}, ${challenges === undefined ? "without a challenge" : `scheme ${challenges.split(/[\s,]/, 1)[0]}`}`,
  ];
}

/** Returns the status of each request that was sent together with others. */
function observeTogether(exchange: Exchange): string[] {
  const { id, operation, response, failure, expects } = exchange;
  if (expects !== "success" || !/-in-burst(-\d+)?$/.test(id)) return [];
  return [`${operation}: ${response?.status ?? `no answer (${failure?.code ?? "unknown"})`}`];
}

/** Rounds a size in bytes up to a power of two. */
function roundUp(bytes: number): string {
  const power = Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(bytes, 1))));
  return power < 1024 ? `${power} B` : `${power / 1024} KiB`;
}

interface Measure {
  readonly what: string;
  readonly bytes: (exchange: Exchange) => number;
}

const measureBody = ({ plan }: Exchange): number => Buffer.byteLength(plan.body ?? "");
const measureReceived = ({ response }: Exchange): number =>
  response?.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;

const measures: readonly Measure[] = [
  {
    what: "largest request body that was taken",
    bytes: (exchange) => (succeeded(exchange) ? measureBody(exchange) : 0),
  },
  {
    what: "smallest request body that was answered with 413",
    bytes: (exchange) => (exchange.response?.status === 413 ? -measureBody(exchange) : 0),
  },
  { what: "largest response body", bytes: (exchange) => (isAnswer(exchange) ? measureReceived(exchange) : 0) },
];

/** Finds the exchange with the largest measure of each kind. */
function findLargest(exchanges: readonly Exchange[]): ObservedValue[] {
  return measures.flatMap(({ what, bytes }) => {
    const candidates = exchanges.filter((exchange) => bytes(exchange) !== 0);
    const [first, ...others] = candidates;
    if (first === undefined) return [];
    const exchange = others.reduce((most, one) => (bytes(one) > bytes(most) ? one : most), first);
    return [{ exchange, value: `${what}: at most ${roundUp(Math.abs(bytes(exchange)))}` }];
  });
}

/** Observers of what the interface leaves open about all answers: headers, sizes, and answers to concurrent requests. */
export const answerObservers: readonly Observer[] = [
  observeAnswers("open.http.cross-origin", listCorsHeaders),
  observeAnswers("open.http.content-coding", (response) => [header(response, "content-encoding") ?? "not compressed"]),
  observeAnswers("open.auth.challenge", describeChallenge),
  observeAnswers("open.validation-error.media-type", (response) =>
    response.status === 422 ? [header(response, "content-type") ?? "without content-type"] : [],
  ),
  observeEach("open.session.simultaneous-requests", observeTogether),
  { id: "open.limits.payload-size", see: findLargest },
];
