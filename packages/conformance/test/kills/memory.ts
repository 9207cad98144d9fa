/** Takes requests to a service without a socket. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Exchange, RawResponse } from "../../src/http/exchange.ts";
import type { Outgoing, Transmit } from "../../src/http/transport.ts";
import { joinBody, type Answer, type ReceivedRequest } from "../targets/messages.ts";
import { answerRequest, type Service } from "../targets/service.ts";

/** Answers that were given before: what is read of one is read once, in however many runs it occurs. */
const cache = new Map<string, RawResponse>();

/** Thrown for an answer that nothing but a socket can show: one that stops, breaks off or takes its time. */
export class NeedsSocket extends Error {}

/** Returns whether a response consists only of bytes, without pauses, resets and content codings. */
const isPlain = ({ afterwards = "end", pauseMs, lingerMs, headers }: Answer): boolean =>
  afterwards === "end" && pauseMs === undefined && lingerMs === undefined && headers["content-encoding"] === undefined;

function responseTo(method: string, answer: Answer): RawResponse {
  const { status, headers, pieces } = answer;
  if (!isPlain(answer)) throw new NeedsSocket("this answer needs a socket");
  const isBare = method === "HEAD" || status === 204 || status === 304;
  const chunks = isBare ? [] : pieces.map((piece) => Buffer.from(piece)).filter(({ length }) => length > 0);
  const length = isBare ? "" : String(Buffer.byteLength(joinBody(answer)));
  const key = JSON.stringify([status, headers, chunks.map((bytes) => bytes.toString("latin1"))]);
  const cached = cache.get(key);
  if (cached) return cached;
  const entries: [string, string][] = Object.entries(headers);
  const response: RawResponse = {
    status,
    headers: [...entries, ["Date", "Fri, 20 Nov 2026 09:30:00 GMT"], ["Content-Length", length]],
    chunks: chunks.map((bytes, at) => ({ atMs: at + 1, bytes })),
    end: "complete",
  };
  if (cache.size < 5_000) cache.set(key, response);
  return response;
}

/** A request as the service sees it. */
function readAsked(
  { url, plan: { method, body = "" }, headers }: Outgoing,
  address: string,
): Omit<ReceivedRequest, "onConnection" | "underWay"> {
  const [path = "", query = ""] = url.slice(address.length).split("?", 2);
  return { method, path, query: new URLSearchParams(query), headers, body };
}

/**
 * The way to a service at an address that nobody else has.
 *
 * @param readRequest - Changes a request before the service gets it. Default: not at all.
 */
export function wireTo(
  service: Service,
  address: string,
  readRequest = (request: ReceivedRequest): ReceivedRequest => request,
): Transmit {
  return wire(address, (request) => answerRequest(service, readRequest(request)));
}

/** The way to whatever answers at an address that nobody else has: what stands elsewhere can't be reached. */
export function wire(address: string, answerTo: (request: ReceivedRequest) => Answer): Transmit {
  let count = 0;
  let underWay = 0;
  return async (outgoing) => {
    const { id, operation, expects, plan, url, headers, connection = "own" } = outgoing;
    const startedAt = new Date();
    const base = { id, operation, expects, url, plan, requestHeaders: headers, connection, startedAt, durationMs: 1 };
    if (!url.startsWith(`${address}/`)) {
      const failure = { code: "unreachable", message: "there is nothing at that address" } as const;
      return { exchange: { ...base, failure }, answered: false };
    }
    underWay += 1;
    const onConnection = connection === "kept" ? (count += 1) : 1;
    const answer = answerTo({ ...readAsked(outgoing, address), onConnection, underWay });
    await nextTurn();
    underWay -= 1;
    const exchange: Exchange = { ...base, response: responseTo(plan.method, answer) };
    return { exchange, answered: true };
  };
}
