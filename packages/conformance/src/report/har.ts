import type { RecordedExchange, Report } from "./report.ts";
import { visibleJson } from "./visible-text.ts";

type Pairs = readonly (readonly [string, string])[];

/**
 * Renders the exchanges of a report as HAR 1.2, for the network panels of browsers and for other tools.
 *
 * Beyond HAR, in fields that begin with an underscore: the id of the exchange, the operation, how the body ended, and in
 * `_chunks` when its pieces arrived, `atMs` after sending, with their length in `bytes` (the first and the last when the report holds no more).
 * Bodies are those of the report: without secrets, and shortened. Sizes that were not measured are -1, as HAR wants it.
 *
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 */
export function renderHar({ suite, exchanges }: Report): string {
  const creator = { name: suite.name, version: suite.version };
  return `${visibleJson({ log: { version: "1.2", creator, entries: exchanges.map(makeEntry) } })}\n`;
}

function makeEntry(exchange: RecordedExchange): object {
  const { id, operation, startedAt, durationMs, request, response, failure } = exchange;
  const first = response?.chunks.firstMs ?? durationMs;
  const wait = Math.min(first, durationMs);
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: makeRequest(request),
    response: makeResponse(response),
    cache: {},
    timings: { send: 0, wait, receive: durationMs - wait },
    comment: id,
    _id: id,
    _operation: operation,
    ...(failure === null ? {} : { _error: failure }),
    ...(response ? { _end: response.end, _chunks: listChunks(response.chunks) } : {}),
  };
}

function makeRequest({ method, url, headers, body }: RecordedExchange["request"]): object {
  const mimeType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const query = [...(URL.parse(url)?.searchParams ?? [])];
  return {
    method,
    url: URL.parse(url)?.href ?? `about:invalid#${encodeURIComponent(url.toWellFormed())}`,
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairs(headers),
    queryString: pairs(query),
    headersSize: -1,
    bodySize: body === null ? 0 : Buffer.byteLength(body),
    ...(body === null ? {} : { postData: { mimeType, text: body } }),
  };
}

/** Returns a response for HAR; one with the status 0 when there was none. */
function makeResponse(response: RecordedExchange["response"]): object {
  const headers = response?.headers ?? [];
  const findValue = (field: string): string => headers.find(([name]) => name.toLowerCase() === field)?.[1] ?? "";
  const size = response?.bodyBytes ?? 0;
  return {
    status: response?.status ?? 0,
    statusText: "",
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairs(headers),
    content: {
      size,
      mimeType: findValue("content-type") || "x-unknown",
      text: response?.body ?? "",
      ...(response?.truncated === true ? { comment: "Only the beginning was kept." } : {}),
    },
    redirectURL: findValue("location"),
    headersSize: -1,
    bodySize: response ? size : -1,
  };
}

function pairs(headers: Pairs): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name: name, value: value }));
}

type Chunks = NonNullable<RecordedExchange["response"]>["chunks"];

/** A chunk of a body, with the time of its arrival. */
interface Arrival {
  readonly atMs: number;
  readonly bytes?: number;
}

function listChunks(chunks: Chunks): readonly Arrival[] {
  if (chunks.arrivals) return chunks.arrivals.map(([atMs, bytes]) => ({ atMs, bytes }));
  const ends = chunks.count > 1 ? [chunks.firstMs, chunks.lastMs] : [chunks.firstMs];
  return ends.flatMap((atMs) => (atMs === null ? [] : [{ atMs }]));
}
