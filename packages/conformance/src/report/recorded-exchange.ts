import { isCookiesRefusal, removeCookieValues } from "../redaction/cookie-values.ts";
import { splitCredentials, type Credentials } from "../http/credentials.ts";
import type { Chunk } from "../http/body/chunks.ts";
import type { Exchange, RawResponse } from "../http/exchange.ts";
import { redactHeader, redactStart, type Redact } from "../redaction/redact.ts";
import { isSecretHeader } from "../redaction/secret-headers.ts";
import type { RecordedExchange } from "./report.ts";
import type { Operation } from "../contract/contract.ts";

/** Maximum length of a body in a report, in UTF-16 units. */
const bodyLimit = 16_384;

/** Maximum number of response headers in a report, and maximum length of a value in UTF-16 units. */
const headerLimit = 100;
const headerLength = 4_096;

/** Maximum number of chunks whose arrival a report has. */
const arrivalLimit = 1_000;

/**
 * Returns the copy of an exchange that reports show: without secrets, and shortened.
 *
 * @param own - Redacts the secrets of the setup in the request. It does not know what the target sent, so that no target can make a request
 *   look like another one. Default: `redact`.
 */
export function recordExchange(exchange: Exchange, redact: Redact, own: Redact = redact): RecordedExchange {
  const { id, operation, plan, response } = exchange;
  if (plan.url !== undefined) return recordDownload(exchange, redact);
  const [address = ""] = exchange.url.split("?", 1);
  const recordHeader = (name: string, value: string): string => {
    // What a probe adds is the suite's own: it is redacted by its value, so that whoever sends the request again knows the rest.
    if (plan.headers?.[name] === value) return own(value, operation);
    return isSecretHeader(name) && name !== "authorization" ? "[redacted]" : redactHeader(name, value, own, operation);
  };
  const fields = Object.entries(exchange.requestHeaders).map(([name, value]): [string, string] => [
    name,
    recordHeader(name, value),
  ]);
  return {
    id,
    operation,
    startedAt: exchange.startedAt.toISOString(),
    durationMs: Math.round(exchange.durationMs),
    request: {
      method: plan.method,
      url: own(address, operation) + recordQuery(exchange.url.slice(address.length), plan.credentials),
      headers: fields,
      body: plan.body ?? null,
      credentials: plan.credentials,
      connection: exchange.connection ?? "own",
    },
    response: response ? recordResponse(response, operation, redact) : null,
    failure: exchange.failure ? redact(exchange.failure.message, operation) : null,
  };
}

/** Records a query. It is the suite's own, so only credentials in it are redacted. */
function recordQuery(query: string, credentials: Credentials): string {
  const form = splitCredentials(credentials)?.form;
  const isOpen = form === "empty" || form === "wrong" || form === "wrong-long";
  return isOpen ? query : query.replace(/([?&]api_key=)[^&]*/, "$1[redacted]");
}

/** Headers of a download that are recorded; others may repeat the query of the request. */
const downloadHeaders: ReadonlySet<string> = new Set(["content-type", "content-length", "date", "accept-ranges"]);

/** Records a download without its query, which is its credential, and without its body, which may repeat the query. */
function recordDownload(exchange: Exchange, redact: Redact): RecordedExchange {
  const {
    plan: { url: _, ...plan },
    response,
    ...rest
  } = exchange;
  const headers = response?.headers.filter(([name]) => downloadHeaders.has(name.toLowerCase())) ?? [];
  const record = recordExchange(
    {
      ...rest,
      plan,
      url: redact(exchange.url, exchange.operation),
      ...(response && { response: { ...response, headers, chunks: [] } }),
    },
    redact,
  );
  if (!record.response || !response) return record;
  const { chunks } = response;
  const bodyBytes = countBytes(chunks);
  const body = { bodyBytes, truncated: bodyBytes > 0, chunks: countTimes(chunks) };
  return { ...record, response: { ...record.response, ...body } };
}

function recordResponse(response: RawResponse, operation: Operation, redact: Redact): RecordedExchange["response"] {
  const { status, chunks, end } = response;
  const headers = response.headers.slice(0, headerLimit).map(([name, value]): [string, string] => {
    const clean = (text: string): string => redactHeader(name, text, redact, operation);
    return [
      redactStart(name, headerLength, (text) => redact(text, operation)),
      redactStart(value, headerLength, clean),
    ];
  });
  const headersLeftOut = response.headers.length - headers.length;
  const start = bodyStart(response, bodyLimit * 2);
  const text = operation === "session_cookies" && !isCookiesRefusal(response) ? removeCookieValues(start) : start;
  const broken = end === "complete" ? "" : "…"; // where it broke off may be in the middle of a secret
  const body = redactStart(text + broken, bodyLimit, (part) => redact(part, operation));
  return {
    status,
    headers,
    ...(headersLeftOut > 0 ? { headersLeftOut } : {}),
    body: detach(broken !== "" && body.endsWith(broken) ? body.slice(0, -1) : body),
    bodyBytes: countBytes(chunks),
    truncated: start.length > bodyLimit || body.length >= bodyLimit,
    chunks: countTimes(chunks),
    end,
  };
}

/** Returns the beginning of a body: the part that a report keeps, and enough after it to find secrets at its end. */
function bodyStart({ chunks }: RawResponse, length: number): string {
  const decoder = new TextDecoder();
  let text = "";
  for (const { bytes } of chunks) {
    text += decoder.decode(bytes.subarray(0, length * 4), { stream: true });
    if (text.length > length) return text.slice(0, length);
  }
  return text + decoder.decode();
}

/** Copies a text: a part of a longer one keeps the whole of that in memory. */
function detach(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

function countBytes(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
}

function countTimes(chunks: readonly Chunk[]): NonNullable<RecordedExchange["response"]>["chunks"] {
  const arrivals = chunks
    .slice(0, arrivalLimit)
    .map(({ atMs, bytes }): [number, number] => [Math.round(atMs), bytes.length]);
  const [firstMs = null, lastMs = null] = [chunks.at(0), chunks.at(-1)].map((chunk) => chunk && Math.round(chunk.atMs));
  return { count: chunks.length, firstMs, lastMs, ...(chunks.length > 1 ? { arrivals } : {}) };
}
