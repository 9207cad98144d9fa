import { header, isAnswerOf, succeeded, type Exchange, type RawResponse } from "../http/exchange.ts";
import type { Operation } from "../contract/contract.ts";
import { ofEach, type ObservedValue, type Observer } from "../checks/observer.ts";

const operations: readonly Operation[] = ["page_scrape", "session_cookies", "session_replay", "automation_start"];

const isAnswer = (exchange: Exchange): boolean => operations.some((operation) => isAnswerOf(operation, exchange));

/** Observes a header of every answer of an operation. */
function ofHeader(id: string, see: (response: RawResponse) => readonly string[]): Observer {
  return ofEach(id, (exchange) => (exchange.response && isAnswer(exchange) ? see(exchange.response) : []));
}

/** Returns the names of the headers of CORS; of the one that names an origin its value, too, where that is a star or null. */
function crossOrigin({ headers }: RawResponse): string[] {
  return headers.flatMap(([other, value]) => {
    const name = other.toLowerCase();
    if (!name.startsWith("access-control-")) return [];
    return [name === "access-control-allow-origin" && /^(\*|null)$/.test(value) ? `${name}: ${value}` : name];
  });
}

/** Returns the schemes of `WWW-Authenticate` in a refusal for want of a key. */
function challenge(response: RawResponse): string[] {
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
function atMost(bytes: number): string {
  const power = Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(bytes, 1))));
  return power < 1024 ? `${power} B` : `${power / 1024} KiB`;
}

interface Measure {
  readonly what: string;
  readonly bytes: (exchange: Exchange) => number;
}

const measureBody = ({ plan }: Exchange): number => Buffer.byteLength(plan.body ?? "");
const received = ({ response }: Exchange): number =>
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
  { what: "largest response body", bytes: (exchange) => (isAnswer(exchange) ? received(exchange) : 0) },
];

/** Finds the exchange with the largest measure of each kind. */
function largest(exchanges: readonly Exchange[]): ObservedValue[] {
  return measures.flatMap(({ what, bytes }) => {
    const candidates = exchanges.filter((exchange) => bytes(exchange) !== 0);
    const [first, ...others] = candidates;
    if (first === undefined) return [];
    const exchange = others.reduce((most, one) => (bytes(one) > bytes(most) ? one : most), first);
    return [{ exchange, value: `${what}: at most ${atMost(Math.abs(bytes(exchange)))}` }];
  });
}

/** Observers of what the interface leaves open about all answers: headers, sizes, and answers to concurrent requests. */
export const answerObservers: readonly Observer[] = [
  ofHeader("open.http.cross-origin", crossOrigin),
  ofHeader("open.http.content-coding", (response) => [header(response, "content-encoding") ?? "not compressed"]),
  ofHeader("open.auth.challenge", challenge),
  ofHeader("open.validation-error.media-type", (response) =>
    response.status === 422 ? [header(response, "content-type") ?? "without content-type"] : [],
  ),
  ofEach("open.session.simultaneous-requests", observeTogether),
  { id: "open.limits.payload-size", see: largest },
];
