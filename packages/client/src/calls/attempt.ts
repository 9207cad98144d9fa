import { parsed, textOf, unexpectedContent } from "../http/body.ts";
import { ClientError, isRecord, ownError, type ClientErrorCode, type Operation } from "../errors/client-error.ts";
import { headersOf, discardBody, connectionLost } from "../http/connection.ts";
import { timeoutError, type AttemptTime } from "./deadline.ts";
import { notify } from "../options/hooks.ts";
import type { Answer, CallContext, OperationCall } from "./operation-call.ts";
import { sendOperation } from "./operation-request.ts";

/** Progress of a call over its attempts. */
export interface Progress {
  /** Number of requests that were passed to `fetch`. */
  attempts: number;
  /** URL of the last of them, without its query. */
  url?: string;
}

/**
 * Waits if there is a delay, then builds the request, authorizes it, sends it once, and reads the response.
 *
 * @throws {ClientError} for every response but a 2xx with the expected content. Other errors come from middleware or `fetch`.
 */
export async function attempt<Data>(
  operationCall: OperationCall<Data>,
  { raw, connection, options }: CallContext,
  time: AttemptTime,
  progress: Progress,
  waitMs?: number,
): Promise<Answer<Data>> {
  const { operation } = operationCall.request;
  const {
    timeouts: { headersMs = 120_000, bodyMs = 60_000 },
    maxBodyBytes = 2 ** 26,
  } = options;
  const { signal } = time;

  /** Called by `openapi-fetch` with the request that it built, after middleware. */
  const fetch = async (request: Request): Promise<Response> => {
    time.limit(headersMs, () => timeoutError("headers", headersMs));
    await connection.authorize(request);
    const { method } = request;
    const url = String(connection.redactKeys(request.url.replace(/[?#].*/, "")));
    const notice = { operation, method, url, attempt: progress.attempts + 1 };
    notify(options, "onRequest", { ...notice });
    signal.throwIfAborted(); // it may have aborted while the key was fetched, and a custom `fetch` may ignore the signal
    progress.attempts++;
    progress.url = url;
    const sentAt = performance.now();
    const response = await connection.send(request, operation === "automation_start");
    const { ok, status } = response;
    // A lost or late body does not hide the status of the response.
    time.limit(bodyMs, () =>
      connection.redactRequestId(ok ? timeoutError("body", bodyMs, response) : statusError(response, notice)),
    );
    if (signal.aborted) discardBody(response);
    signal.throwIfAborted();
    notify(options, "onResponse", { ...notice, status, durationMs: performance.now() - sentAt });
    if (ok) return response;
    throw statusError(response, notice, parsed(await textOf(response, maxBodyBytes).catch(() => undefined)));
  };

  if (waitMs !== undefined) await time.pause(waitMs);
  const headers = headersOf(options.headers);
  if (!headers.has("accept")) headers.set("accept", operationCall.accept ?? "application/json");
  const init = { fetch, headers, signal, Request: connection.Request, parseAs: "stream" } as const;
  const { response } = await sendOperation(raw, operationCall.request, init);
  if (operationCall.accept !== undefined) return { data: operationCall.decode(response), response };

  const text = await textOf(response, maxBodyBytes, true).catch((thrown: unknown) => {
    throw ownError(thrown) ?? connectionLost(connection.redact(thrown), response);
  });
  time.limit(Infinity); // validation is limited by the whole call only
  const body = parsed(text);
  // Node.js does not report that a compressed body was truncated.
  if (body === text && response.headers.has("content-encoding") && /^\s*(?:\{|$)/.test(text)) {
    throw connectionLost(undefined, response);
  }
  const data = isRecord(body) && (await operationCall.decode(body, signal));
  if (!data) throw unexpectedContent(response, body);
  return { data, response, text };
}

/** Creates the error of a status other than 2xx. */
function statusError(
  response: Response,
  { operation, url }: { readonly operation: Operation; readonly url: string },
  body?: unknown,
): ClientError {
  const { status } = response;
  const code = codes[status] ?? (status >= 500 ? "server" : "unexpected-status");
  const advice =
    status === 404 && operation === "automation_start" ? ": automationWord sets the word in this path" : "";
  return new ClientError(code, `${url} answered with ${status}${advice}`, { response, body });
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
