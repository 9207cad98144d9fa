import { parsed, textOf } from "./body.ts";
import { ClientError, isRecord, keep, ownError, type ClientErrorCode, type Operation } from "./client-error.ts";
import { headersOf, letGo, lost, type Connection, type RawClient } from "./connection.ts";
import { tell } from "./notices.ts";
import { mayPass, retryDelay } from "./retries.ts";
import type { CloudBrowserOptions } from "./settings.ts";
import { createWatch, tooLong, type Watched } from "./watch.ts";

/** Options of one call; those that are given replace those of the client. */
export interface CallOptions extends CloudBrowserOptions {
  /** Ends the call when it aborts, also while the body is read and between attempts. Default: never. */
  readonly signal?: AbortSignal | undefined;
}

/** The part of an attempt that `openapi-fetch` is given. */
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
  /** Media types that it asks for. Default: JSON. */
  readonly accept?: string;
  /** Options that must be positive numbers, beside those of every call. Default: none. */
  readonly limits?: readonly (number | undefined)[];
  /** Tells whether a failure may pass, and nothing speaks against sending the same again. Default: as for what is safe to repeat. */
  readonly isRetryable?: (error: ClientError) => boolean;
  /** Retries, instead of those of the options. Default: those. */
  readonly retries?: CloudBrowserOptions["retries"];
  /** Sends one attempt through `openapi-fetch`. */
  readonly act: (init: AttemptInit) => Promise<{ readonly response: Response }>;
  /** Makes the result of a 2xx answer. */
  readonly read: (response: Response, tools: ReadingTools) => Data | Promise<Data>;
}

/** Parts of the client that reading an answer may need. */
export interface ReadingTools {
  /** Reads a body to its end; rejects unless it is a JSON object of the right kind. */
  readonly objectOf: <Body>(
    fits: (body: Readonly<Record<string, unknown>>) => body is Body & Readonly<Record<string, unknown>>,
  ) => Promise<Body>;
  /** Makes safe to log what was thrown. */
  readonly connection: Connection;
}

/** The result of a call, and its answer. */
export interface Answer<Data> {
  /** Result of `read` for the answer. */
  readonly data: Data;
  /** The answer; its body is read, or in use. */
  readonly response: Response;
  /** The body that was read; absent when it is in use. */
  readonly text?: string | undefined;
}

/** Makes the call of one operation with the options of the client and those of the call. */
export type Send = <Data>(
  exchangeOf: (raw: RawClient, options: CallOptions) => Exchange<Data>,
  own: CallOptions,
) => Promise<Answer<Data>>;

/**
 * Makes one call, in as many attempts as it takes. Everything but a 2xx answer with the wanted content becomes a
 * `ClientError`, which knows the operation, the attempts and the time that it took.
 */
export async function call<Data>(
  exchange: Exchange<Data>,
  options: CallOptions,
  connection: Connection,
): Promise<Answer<Data>> {
  const { operation, accept = "application/json", limits = [], isRetryable = mayPass, act, read } = exchange;
  const { timeouts = {}, maxBodyBytes = 2 ** 26 } = options;
  const { headersMs = 120_000, bodyMs = 60_000, totalMs = Infinity } = timeouts;
  if (![maxBodyBytes, ...limits, ...Object.values(timeouts)].every((limit) => limit === undefined || limit > 0)) {
    throw new ClientError("misuse", "timeouts and bounds must be positive numbers", { operation });
  }
  const startedAt = performance.now();
  const watch = createWatch(options.signal, totalMs);
  let attempts = 0;
  let key = "";

  /** Only an answer that is 2xx comes back. */
  const sendOnce = async (request: Request, { signal, after, fail }: Watched): Promise<Response> => {
    after(headersMs, () => fail(tooLong("headers", headersMs)));
    const { method, url } = request;
    const notice = { operation, method, url: url.replace(/[?#].*/, ""), attempt: attempts + 1 };
    let sentAt = 0;
    const response = await connection.send(request, (secret) => {
      key = secret;
      tell(options, "onRequest", { ...notice });
      signal.throwIfAborted(); // while the key was fetched: a `fetch` that does not heed its signal would send
      attempts++;
      sentAt = performance.now();
    });
    const { ok, status } = response;
    const refusal = (body?: unknown): ClientError => {
      const code = codes[status] ?? (status >= 500 ? "server" : "unexpected-status");
      return new ClientError(code, `the service answered with ${status}`, { response, body });
    };
    // What of its body is lost or late does not make a status uncertain.
    after(bodyMs, () => fail(ok ? tooLong("body", bodyMs, response) : refusal()));
    if (signal.aborted) letGo(response);
    signal.throwIfAborted();
    tell(options, "onResponse", { ...notice, status, durationMs: performance.now() - sentAt });
    if (ok) return response;
    throw refusal(parsed(await textOf(response, maxBodyBytes).catch(() => undefined)));
  };
  const attempt = async (watched: Watched): Promise<Answer<Data>> => {
    const headers = headersOf(options.headers);
    if (!headers.has("accept")) headers.set("accept", accept);
    const fetch = (request: Request): Promise<Response> => sendOnce(request, watched);
    const { signal } = watched;
    const { response } = await act({ fetch, headers, signal, Request: connection.Request, parseAs: "stream" });
    keep(key, response); // middleware may have made it anew
    let text: string | undefined;
    const data = await read(response, {
      connection,
      async objectOf(fits) {
        const unexpected = (body?: unknown): never => {
          throw new ClientError(
            "unexpected-content",
            "unexpected response body: not UTF-8 JSON of the expected shape",
            {
              response,
              body,
            },
          );
        };
        text = await textOf(response, maxBodyBytes, unexpected).catch((thrown: unknown) => {
          throw ownError(thrown) ?? lost(connection.safe(thrown), response);
        });
        watched.after(Infinity, () => undefined); // checking it takes what it takes
        if (text === undefined) throw new ClientError("too-large", "the body exceeds maxBodyBytes", { response });
        const body = parsed(text);
        // Node.js gives as much of a compressed body as came, and does not say that it was cut.
        if (body === text && response.headers.has("content-encoding") && /^\s*(?:\{|$)/.test(text)) {
          throw lost(undefined, response);
        }
        return isRecord(body) && fits(body) ? body : unexpected(body);
      },
    });
    return { data, response, text };
  };

  try {
    for (let nth = 1, waitMs = 0; ; nth++) {
      try {
        if (waitMs) await watch.run(({ after }) => new Promise<void>((resolve) => after(waitMs, resolve)));
        return await watch.run(attempt);
      } catch (thrown) {
        const error = ownError(thrown) ?? unsendable(connection.safe(thrown));
        const retryable = isRetryable(error);
        Object.assign(error, { operation, attempts, durationMs: performance.now() - startedAt, retryable });
        const delayMs = retryable ? retryDelay(error, nth, exchange.retries ?? options.retries) : undefined;
        if (delayMs === undefined) throw error;
        waitMs = delayMs;
        tell(options, "onRetry", { operation, attempt: attempts, delayMs, error });
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

/** The runtime's own errors are dropped: those of headers quote them. */
function unsendable(safe: unknown): ClientError {
  const cause = isRecord(safe) && safe["name"] === "TypeError" ? undefined : safe;
  return new ClientError("misuse", "a value can't be serialized, or fetch or middleware threw", { cause });
}
