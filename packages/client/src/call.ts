import { parsed, textOf } from "./body.ts";
import { ClientError, isRecord, type ClientErrorCode, type Operation } from "./client-error.ts";
import { letGo, lost, type Connection, type RawClient } from "./connection.ts";
import { notify } from "./notices.ts";
import { isRetryable, retryDelay } from "./retries.ts";
import type { CloudBrowserOptions } from "./settings.ts";
import { createWatch, type Watch } from "./watch.ts";

/** Options of one call; those that are given replace those of the client. Source: ours. */
export interface CallOptions extends CloudBrowserOptions {
  /** Ends the call when it aborts, also while the body is read and between attempts. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

/** What an attempt passes on to `openapi-fetch`. */
export interface AttemptInit extends Pick<Connection, "Request"> {
  /** Sends the request, and gives back only a 2xx answer. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Headers of the call. */
  readonly headers: Headers;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** The body is read here, within its limits. */
  readonly parseAs: "stream";
}

/** One operation: what it sends, and what it takes for an answer. */
export interface Exchange<Data> {
  /** Its identifier in the contract. */
  readonly operation: Operation;
  /** Media types that it asks for. */
  readonly accept: string;
  /** Sends one attempt through `openapi-fetch`. */
  readonly act: (init: AttemptInit) => Promise<{ readonly response: Response }>;
  /** Makes the result of a 2xx answer. */
  readonly read: (response: Response, objectOf: ObjectReader) => Data | Promise<Data>;
}

/** Reads a body to its end; rejects unless it is a JSON object of the right kind. */
export type ObjectReader = <Body>(
  fits: (body: Readonly<Record<string, unknown>>) => body is Body & Readonly<Record<string, unknown>>,
) => Promise<Body>;

/** The result of a call, and its answer, whose body can be read again unless it is a stream. */
export interface Answer<Data> {
  /** What `read` made of the answer. */
  readonly data: Data;
  /** The answer. */
  readonly response: Response;
}

/** Makes the call of one operation with the options of the client and those of the call. */
export type Send = <Data>(
  exchangeOf: (raw: RawClient, options: CallOptions) => Exchange<Data>,
  own: CallOptions,
) => Promise<Answer<Data>>;

/** Media type of all bodies but that of a stream. */
export const json = "application/json";

const defaultMaxBodyBytes = 64 * 1024 * 1024;

/**
 * Makes one call, in as many attempts as it takes. Everything but a 2xx answer with the wanted content becomes a
 * `ClientError`, which knows the operation, the attempts and the time that it took.
 */
export async function call<Data>(
  { operation, accept, act, read }: Exchange<Data>,
  options: CallOptions,
  connection: Connection,
): Promise<Answer<Data>> {
  const { timeouts = {}, maxBodyBytes = defaultMaxBodyBytes, hooks, logger } = options;
  const { headersMs = 120_000, bodyMs = 60_000, totalMs = Infinity } = timeouts;
  if (![maxBodyBytes, ...Object.values(timeouts)].every((limit) => limit === undefined || limit > 0)) {
    throw new ClientError("misuse", "timeouts and maxBodyBytes must be positive numbers", { operation });
  }
  const startedAt = performance.now();
  const watch = createWatch(options.signal, totalMs);
  let attempts = 0;

  /** Only an answer that is 2xx comes back. */
  const exchange = async (request: Request, signal: AbortSignal): Promise<Response> => {
    const { method, url } = request;
    const notice = { operation, method, url: url.replace(/\?.*/, ""), attempt: ++attempts };
    const sentAt = performance.now();
    notify(notice, hooks?.onRequest, (told) => logger?.debug("request", told));
    watch.enter("headers", headersMs);
    const response = await connection.send(request);
    if (signal.aborted) letGo(response); // a `fetch` that does not heed its signal came back when nobody waits
    const { ok, status } = response;
    const answer = { ...notice, status, durationMs: performance.now() - sentAt };
    notify(answer, hooks?.onResponse, (told) => logger?.debug("response", told));
    watch.enter("body", bodyMs);
    if (ok) return response;
    // What of its body is lost does not make the status uncertain.
    const body = parsed(await textOf(response, maxBodyBytes).catch(() => undefined));
    const code = codes[status] ?? (status >= 500 ? "server" : "unexpected-status");
    throw new ClientError(code, `the service answered with the status ${status}`, { response, body });
  };
  const attempt = async (signal: AbortSignal): Promise<Answer<Data>> => {
    const headers = new Headers(options.headers);
    if (!headers.has("accept")) headers.set("accept", accept);
    const fetch = (request: Request): Promise<Response> => exchange(request, signal);
    let { response } = await act({ fetch, headers, signal, Request: connection.Request, parseAs: "stream" });
    const data = await read(response, async (fits) => {
      const text = await textOf(response, maxBodyBytes).catch((thrown: unknown) => {
        throw lost(thrown, "");
      });
      if (text === undefined) throw new ClientError("too-large", "the body exceeds maxBodyBytes", { response });
      const body = parsed(text);
      if (!isRecord(body) || !fits(body)) {
        throw new ClientError("unexpected-content", "the answer holds other content than it should", {
          response,
          body,
        });
      }
      const { status, statusText } = response;
      response = new Response(text, { status, statusText, headers: response.headers });
      return body;
    });
    return { data, response };
  };

  try {
    for (;;) {
      try {
        return await watch.run(attempt);
      } catch (thrown) {
        // What is dropped here may quote a header.
        const error =
          thrown instanceof ClientError ? thrown : new ClientError("misuse", "headers or values can't be sent");
        const retryable = isRetryable(error, operation);
        Object.assign(error, { operation, attempts, durationMs: performance.now() - startedAt, retryable });
        const delayMs = retryDelay(error, attempts, options.retries);
        if (delayMs === undefined) throw error;
        notify({ operation, attempt: attempts, delayMs, error }, hooks?.onRetry, (told) => logger?.warn("retry", told));
        await watch.run((signal) => pause(delayMs, signal));
      }
    }
  } finally {
    watch.stop();
  }
}

const codes: Readonly<Record<number, ClientErrorCode>> = {
  400: "bad-request",
  401: "authentication",
  403: "authentication",
  404: "not-found",
  422: "validation",
  429: "rate-limited",
  502: "upstream",
};

/** Waits; lets go of the timer when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}
