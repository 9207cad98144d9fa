import { parsed, textOf } from "../http/body.ts";
import { isRecord, ownError } from "../errors/client-error.ts";
import { connectionError } from "../errors/connection-error.ts";
import { contentOf, statusError, unexpectedContent } from "../errors/response-error.ts";
import { headersOf, discardBody } from "../http/connection.ts";
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
  const { redact } = connection;

  /** Called by `openapi-fetch` with the request that it built, after middleware. */
  const fetch = async (request: Request): Promise<Response> => {
    time.limit(headersMs, () => timeoutError("headers", headersMs));
    await connection.authorize(request);
    const { method } = request;
    const url = connection.locate(request);
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
      connection.redactRequestId(ok ? timeoutError("body", bodyMs, response) : statusError(response, notice, redact)),
    );
    if (signal.aborted) discardBody(response);
    signal.throwIfAborted();
    notify(options, "onResponse", { ...notice, status, durationMs: performance.now() - sentAt });
    if (ok) return response;
    const body = parsed(await textOf(url, response, maxBodyBytes).catch(() => undefined));
    throw statusError(response, notice, redact, body);
  };

  if (waitMs !== undefined) await time.pause(waitMs);
  const headers = headersOf(options.headers);
  if (!headers.has("accept")) headers.set("accept", operationCall.accept ?? "application/json");
  const init = { fetch, headers, signal, Request: connection.Request, parseAs: "stream" } as const;
  const { response } = await sendOperation(raw, operationCall.request, init);
  if (operationCall.accept !== undefined) return { data: operationCall.decode(response), response };

  const { url = "the service" } = progress;
  const text = await textOf(url, response, maxBodyBytes, true).catch((thrown: unknown) => {
    throw ownError(thrown) ?? connectionError(url, redact(thrown), response);
  });
  time.limit(Infinity); // validation is limited by the whole call only
  const body = parsed(text);
  // Node.js does not report that a compressed body was truncated.
  if (body === text && response.headers.has("content-encoding") && /^\s*(?:\{|$)/.test(text)) {
    throw connectionError(url, undefined, response);
  }
  const data = isRecord(body) && (await operationCall.decode(body, signal));
  if (!data) throw unexpectedContent(url, response, contentOf(body, operationCall.wrong), body);
  return { data, response, text };
}
