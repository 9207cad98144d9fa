import type { operations } from "@cloud-browser/spec/control-types";
import { call, clientPromise } from "../calls/call.ts";
import { checkCallValues, createCallContexts } from "../calls/call-contexts.ts";
import type { ClientPromise } from "../calls/client-promise.ts";
import type { CallContext, ControlRequest } from "../calls/operation-call.ts";
import type { AttemptInit } from "../calls/operation-request.ts";
import { ClientError, ownError, guardArguments } from "../errors/client-error.ts";
import { unexpectedContent } from "../errors/response-error.ts";
import { readBodyText } from "../http/body.ts";
import {
  discardBody,
  requestContent,
  type Connection,
  type RawClient,
  type RequestContent,
} from "../http/connection.ts";
import { isTransient } from "../options/retry-policy.ts";
import type { CloudBrowserOptions } from "../options/settings.ts";
import { checkIdentifiers } from "./identifiers.ts";
import { withReason } from "./control-refusal.ts";
import type { AnswerOf, ControlApi, ControlOptions } from "./control-types.ts";

/** Name of a method of the control client, for errors and hooks. */
export type ControlMethod = ControlRequest["operation"];

/** A call of the control interface. */
export interface ControlCall {
  /** The method that is called. */
  readonly method: ControlMethod;
  /** Sends the operation with its parameters. */
  readonly send: (api: ControlApi, init: ControlInit) => Promise<{ readonly response: Response }>;
  /** Identifiers and names in its path, by the names that the caller knows. Default: none. */
  readonly ids?: Readonly<Record<string, unknown>>;
  /** Body, sent as JSON. Default: none. */
  readonly body?: object | undefined;
  /** Body, sent as it is, as `application/octet-stream`. Default: none. */
  readonly bytes?: Blob | Uint8Array<ArrayBuffer> | undefined;
  /** Headers of the operation. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True when it may be sent again after a transient error: it only reads, or is idempotent. */
  readonly isRepeatable: boolean;
  /** Options of the caller. */
  readonly options: ControlOptions;
}

/** Settings of an attempt, which the operation is called with. */
export type ControlInit = AttemptInit & { readonly [requestContent]: RequestContent };

/** Makes calls of the control interface. */
export interface ControlCalls {
  /** The client that reads streams of runs. */
  readonly raw: RawClient;
  /** The connection of the client. */
  readonly connection: Connection;
  /** Makes a call that is answered with a JSON object. */
  readonly json: <Id extends keyof operations>(one: ControlCall) => ClientPromise<AnswerOf<Id>>;
  /** Makes a call that is answered with text of a media type. */
  readonly text: (one: ControlCall, type: string) => ClientPromise<string>;
  /** Makes a call whose answer is the response itself, with its body unread. */
  readonly response: (one: ControlCall) => ClientPromise<Response>;
  /** Makes a call that is answered without a body. */
  readonly nothing: (one: ControlCall) => ClientPromise<void>;
}

/**
 * Creates what makes calls of the control interface. Sends nothing.
 *
 * @throws {ClientError} `misuse` when an option is missing or invalid.
 */
export function createControlCalls(defaults: CloudBrowserOptions): ControlCalls {
  const [raw, connection, contextOf] = guardArguments(() => createCallContexts(defaults));
  /** True once the service is known to have a control interface: it is checked once, and only when an operation was not found. */
  let isKnown = false;

  const listTerms = (one: ControlCall, accept: string) => ({
    request: { operation: one.method, send: createSend(one, accept, connection) },
    isRetryable: (error: ClientError) => one.isRepeatable && isTransient(error),
  });
  const startCall = (one: ControlCall): CallContext => {
    checkCallValues({ options: one.options, ...("body" in one && { request: one.body }) });
    checkIdentifiers(one.ids ?? {});
    return contextOf(one.options);
  };
  /** Waits for an answer; an error that a server without `/control` gives says so. */
  const explainMissing = async <Result>(
    one: ControlCall,
    work: (context: CallContext) => Promise<Result>,
  ): Promise<Result> => {
    const context = startCall(one);
    try {
      return await work(context);
    } catch (thrown) {
      const error = ownError(thrown);
      if (!error || isKnown || !mayBeForeign(error) || (await hasControl(context))) throw thrown;
      throw noControl(error, connection);
    }
  };
  /** Returns whether the service has the document of the control interface; true when that can't be known. */
  const hasControl = async (context: CallContext): Promise<boolean> => {
    const one: ControlCall = {
      method: "control.readDocument",
      send: (api, init) => api.GET("/control/openapi.json", { ...init }),
      isRepeatable: false,
      options: {},
    };
    try {
      const { data } = await call(
        {
          ...listTerms(one, "application/json"),
          wrong: "paths is missing",
          decode: (body) => ("paths" in body ? body : undefined),
        },
        context,
      );
      isKnown = "paths" in data;
      return isKnown;
    } catch (thrown) {
      const error = ownError(thrown);
      return !error || !mayBeForeign(error);
    }
  };
  return {
    raw,
    connection,
    json: <Id extends keyof operations>(one: ControlCall) =>
      clientPromise(
        explainMissing(one, (context) =>
          call(
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the document of the control interface says
            { ...listTerms(one, "application/json"), wrong: "", decode: (body) => body as AnswerOf<Id> },
            context,
          ),
        ),
      ),
    text: (one, type) =>
      clientPromise(
        explainMissing(one, (context) =>
          call(
            {
              ...listTerms(one, type),
              accept: type,
              decode: (response) => {
                const sent = response.headers.get("content-type") ?? type;
                if (sent.startsWith("text/html")) throw unexpectedContent(one.method, response, "a page");
                return readBodyText(() => one.method, response, context.options.maxBodyBytes ?? 2 ** 26, true);
              },
            },
            context,
          ),
        ),
      ),
    response: (one) =>
      clientPromise(
        explainMissing(one, (context) =>
          call({ ...listTerms(one, "*/*"), accept: "*/*", decode: (response) => response }, context),
        ),
      ),
    nothing: (one) =>
      clientPromise(
        explainMissing(one, (context) =>
          call({ ...listTerms(one, "application/json"), accept: "application/json", decode: discardBody }, context),
        ),
      ),
  };
}

/** Returns what sends a call: its operation, with headers and body. */
function createSend(
  { send, body, bytes, headers }: ControlCall,
  accept: string,
  { redact }: Connection,
): ControlRequest["send"] {
  return (builder, { own }, init) => {
    const type = bytes ? "application/octet-stream" : "application/json";
    const all = { accept, ...((body ?? bytes) && { "content-type": type }), ...own, ...headers };
    const text = bytes ?? (body && JSON.stringify(body));
    const fetch: AttemptInit["fetch"] = (request) =>
      init.fetch(request).catch((thrown: unknown) => {
        throw withReason(thrown, redact);
      });
    // The same client, with the paths of the control interface.
    return send(builder, { ...init, fetch, [requestContent]: { headers: all, text } });
  };
}

/** Returns whether an error may be that of a server that has no such path: a status for it, or a page of a site. */
function mayBeForeign({ code, status }: ClientError): boolean {
  return status === 404 || status === 405 || status === 501 || code === "unexpected-content";
}

function noControl(cause: ClientError, { redact }: Connection): ClientError {
  const { operation, url, status, attempts, durationMs, requestId } = cause;
  const where = url?.replace(/\/(?:control\/.*|health|metrics)$/, "") ?? "the base URL";
  return new ClientError(
    "no-control",
    `${where} has no /control: it speaks the interface only; sessions, runs, functions, profiles, files and keys are managed by @cloud-browser/service, and another service has an API of its own for them`,
    {
      cause: redact(cause),
      ...(operation && { operation }),
      ...(url !== undefined && { url }),
      ...(status !== undefined && { status }),
      ...(attempts !== undefined && { attempts }),
      ...(durationMs !== undefined && { durationMs }),
      ...(requestId !== undefined && { requestId }),
    },
  );
}
