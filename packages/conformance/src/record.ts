import { bodyText, type Exchange, type RawResponse } from "./exchange.ts";
import { redactHeader, type Redact } from "./redact.ts";
import type { RecordedExchange } from "./report.ts";

/** Longest body that a report keeps, in UTF-16 units. */
const bodyLimit = 16_384;

/** The copy of an exchange that reports show: without secrets, and shortened. Source: ours. */
export function recordExchange(exchange: Exchange, redact: Redact): RecordedExchange {
  const { id, operation, plan, response } = exchange;
  const [address = ""] = exchange.url.split("?", 1);
  const headers = (pairs: readonly (readonly [string, string])[]): [string, string][] =>
    pairs.map(([name, value]) => [name, redactHeader(name, value, redact, operation)]);
  return {
    id,
    operation,
    startedAt: exchange.startedAt.toISOString(),
    durationMs: Math.round(exchange.durationMs),
    request: {
      method: plan.method,
      url: redact(address, operation) + exchange.url.slice(address.length), // the query is the suite's own, and no secret
      headers: headers(Object.entries(exchange.requestHeaders)),
      body: plan.body ?? null,
    },
    response: response ? recordResponse(response, headers(response.headers), (text) => redact(text, operation)) : null,
    failure: exchange.failure?.message ?? null,
  };
}

function recordResponse(
  response: RawResponse,
  headers: readonly (readonly [string, string])[],
  redact: (text: string) => string,
): RecordedExchange["response"] {
  const text = redact(bodyText(response));
  const bytes = response.chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  const time = (at: number): number | null => {
    const chunk = response.chunks.at(at);
    return chunk ? Math.round(chunk.atMs) : null;
  };
  return {
    status: response.status,
    headers,
    body: text.slice(0, bodyLimit),
    bodyBytes: bytes,
    truncated: text.length > bodyLimit,
    chunks: { count: response.chunks.length, firstMs: time(0), lastMs: time(-1) },
    end: response.end,
  };
}
