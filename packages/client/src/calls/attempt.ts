import { parseBody, readBodyText } from "../http/body.ts";
import { isRecord, ownError, type ClientError } from "../errors/client-error.ts";
import { connectionError } from "../errors/connection-error.ts";
import { describeBody, statusError, unexpectedContent } from "../errors/response-error.ts";
import { discardBody } from "../http/connection.ts";
import { defaultTimeouts, timeoutError, type AttemptTime } from "./deadline.ts";
import { hasListener, notify } from "../options/hooks.ts";
import type { Answer, CallContext, OperationCall } from "./operation-call.ts";
import { sendOperation } from "./operation-request.ts";

/** Progress of a call over its attempts. */
export interface AttemptProgress {
  /** Number of requests that were passed to `fetch`. */
  attempts: number;
  /** The last of them. */
  request?: Request;
}

/**
 * Waits if there is a delay, then builds the request, authorizes it, sends it once, and reads the response.
 *
 * @throws {ClientError} for every response but a 2xx with the expected content. Other errors come from middleware or `fetch`.
 */
export async function attempt<Data>(
  operationCall: OperationCall<Data>,
  { builder, connection, options, headers }: CallContext,
  time: AttemptTime,
  progress: AttemptProgress,
  waitMs?: number,
): Promise<Answer<Data>> {
  const { request: sent } = operationCall;
  const { operation } = sent;
  const {
    timeouts: { headersMs = defaultTimeouts.headersMs, bodyMs = defaultTimeouts.bodyMs },
    maxBodyBytes = 2 ** 26,
  } = options;
  const { signal } = time;
  const { redact, locate } = connection;

  /** Called by `openapi-fetch` with the request that it built, after middleware. */
  const fetch = async (request: Request): Promise<Response> => {
    time.limit(headersMs, () => timeoutError("headers", headersMs));
    await connection.authorize(request);
    // Few listen: for the others no notice is made.
    const listener = hasListener(options) && {
      operation,
      method: request.method,
      url: locate(request),
      attempt: progress.attempts + 1,
    };
    if (listener) notify(options, "onRequest", { ...listener });
    signal.throwIfAborted(); // it may have aborted while the key was fetched, and a custom `fetch` may ignore the signal
    progress.attempts++;
    progress.request = request;
    const sentAt = performance.now();
    const response = await connection.send(request, operation === "automation_start");
    const { ok, status } = response;
    const refusal = (body?: unknown): ClientError =>
      statusError(response, { operation, url: locate(request) }, redact, body);
    // A lost or late body does not hide the status of the response.
    time.limit(bodyMs, () => connection.redactRequestId(ok ? timeoutError("body", bodyMs, response) : refusal()));
    if (signal.aborted) discardBody(response);
    signal.throwIfAborted();
    if (listener) notify(options, "onResponse", { ...listener, status, durationMs: performance.now() - sentAt });
    if (ok) return response;
    throw refusal(parseBody(await readBodyText(() => locate(request), response, maxBodyBytes).catch(() => undefined)));
  };

  if (waitMs !== undefined) await time.pause(waitMs);
  const all = { accept: operationCall.accept ?? "application/json", own: headers };
  const init = { fetch, signal, Request: connection.Request, parseAs: "stream" } as const;
  const { response } = await (sent.send ? sent.send(builder, all, init) : sendOperation(builder, sent, all, init));
  if (operationCall.accept !== undefined) return { data: await operationCall.decode(response), response };

  const where = (): string => (progress.request ? locate(progress.request) : "the service");
  const text = await readBodyText(where, response, maxBodyBytes, true).catch((thrown: unknown) => {
    throw ownError(thrown) ?? connectionError(where(), redact(thrown), response);
  });
  time.limit(Infinity); // validation is limited by the whole call only
  const body = parseBody(text);
  // Node.js does not report that a compressed body was truncated.
  if (body === text && response.headers.has("content-encoding") && /^\s*(?:\{|$)/.test(text)) {
    throw connectionError(where(), undefined, response);
  }
  if (options.validate && isRecord(body) && operation !== "automation_start") {
    const { mismatchIn } = await import("../extraction/response-contract.ts");
    const wrong = await mismatchIn(operation, body);
    if (wrong !== undefined) throw unexpectedContent(where(), response, `JSON in which ${wrong}`, body);
  }
  const data = isRecord(body) && (await operationCall.decode(body, signal));
  if (!data) throw unexpectedContent(where(), response, describeBody(body, operationCall.wrong), body);
  return { data, response, text };
}
