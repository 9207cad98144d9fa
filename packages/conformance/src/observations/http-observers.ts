import { bodyJson, header, isAnswerOf, mediaType, type Exchange } from "../http/exchange.ts";
import { isObject } from "../http/json.ts";
import { typeName } from "./json-fields.ts";
import type { Operation } from "../contract/contract.ts";
import { ofEach, ofProbes, type Observer } from "../checks/observer.ts";

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
  return operations.some((operation) => isAnswerOf(operation, exchange));
}

/** Observes every response of an operation of the interface. */
function ofAnswers(
  id: string,
  see: (response: NonNullable<Exchange["response"]>, exchange: Exchange) => readonly string[],
): Observer {
  return ofEach(id, (exchange) => (exchange.response && isAnswer(exchange) ? see(exchange.response, exchange) : []));
}

/** Returns status and media type, such as `404 application/json`. */
export function statusAndType({ response }: Exchange): string[] {
  return response ? [`${response.status} ${header(response, "content-type") ?? "without content-type"}`] : [];
}

/** Returns status, media type and, where the body is a JSON object, the names of its fields. */
export function statusAndFields(exchange: Exchange): string[] {
  const { response } = exchange;
  if (!response) return [];
  const body = bodyJson(response);
  const fields = "value" in body ? formatFields(body.value) : "no JSON";
  return statusAndType(exchange).map((text) => `${text}, ${fields}`);
}

function formatFields(value: unknown): string {
  return isObject(value)
    ? `fields: ${Object.keys(value).sort().join(", ") || "none"}`
    : `JSON of type ${typeName(value)}`;
}

function contentType({ response }: Exchange): string[] {
  return response ? [header(response, "content-type") ?? "none"] : [];
}

const words = ["scrape", "cookies", "replay"];
const each = (name: string): string[] => words.map((word) => `${word}/${name}`);

/** Returns a status that is not shown for its operation, with the media type of its body. */
function notShown(among: readonly Operation[]): (exchange: Exchange) => readonly string[] {
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
  ofProbes("open.session.status-when-unknown", each("unknown-session"), statusAndType),
  ofProbes("open.session.status-without-credentials", each("without-key"), statusAndType),
  ofProbes("open.session.status-with-invalid-credentials", each("with-wrong-key"), statusAndType),
  ofProbes("open.http.session-content-type", ["cookies/read", "replay/read"], contentType),
  ofAnswers("open.http.charset", (_, exchange) => contentType(exchange)),
  ofAnswers("open.http.redirects", ({ status }) => (status >= 300 && status < 400 ? [String(status)] : [])),
  ofAnswers("open.http.caching", describeCaching),
  ofAnswers("open.limits.rate-limits", describeRateLimit),
  ofAnswers("open.version.deprecation", (response) =>
    deprecationHeaders.filter((name) => header(response, name) !== undefined),
  ),
  ofAnswers("open.session.other-errors", (_, exchange) => notShown(sessionOperations)(exchange)),
  ofAnswers("open.automation.other-errors", (_, exchange) => notShown(["automation_start"])(exchange)),
  ofEach("open.automation.error-bodies", (exchange) =>
    isAnswerOf("automation_start", exchange) && [400, 401, 502].includes(exchange.response?.status ?? 0)
      ? statusAndFields(exchange)
      : [],
  ),
  ofEach("open.session.id-form", sessionIdForm),
];

/** Describes the form of the session ids of a run, without the ids themselves. */
function sessionIdForm(exchange: Exchange): string[] {
  if (exchange.expects !== "success") return [];
  const [, id] = /^\/sessions\/([^/]+)\//.exec(exchange.plan.path) ?? [];
  if (id === undefined || !sessionOperations.some((operation) => isAnswerOf(operation, exchange))) return [];
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return ["a UUID"];
  const alphabet = /^\d+$/.test(id) ? ", all digits" : /^[0-9a-f]+$/i.test(id) ? ", all hexadecimal digits" : "";
  return [`${id.length} characters${alphabet}`];
}
