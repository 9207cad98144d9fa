import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";
import { callbackify } from "node:util";
import type { Authority } from "./authority.ts";
import type { Route } from "./egress-policy.ts";
import { endToEndHeaders } from "./end-to-end-headers.ts";
import { pinnedTo } from "./dns-pinning.ts";
import { chooseNetworkError, failRequest, invalidResponse } from "./network-errors.ts";
import { KeepAliveConnections } from "./keep-alive-connections.ts";
import type { UpstreamConnector } from "./upstream/upstream-connector.ts";
import { type WriteFence, withoutLease } from "./write-fence.ts";

/** Timeouts of one connection to a server. */
export interface ConnectionLimits {
  /** Connect timeout, in milliseconds. */
  readonly connectMs: number;
  /** Idle timeout for both directions, in milliseconds. */
  readonly idleMs: number;
}

/** Called with Chromium's name of the error when a server can't be reached or gives no response, with undefined when it does. */
export type OnOutcome = (error: string | undefined) => void;

/** Destination of a request. */
interface Target extends Route {
  /** Path and query, beginning with `/`. */
  readonly path: string;
}

/** Limit of response headers, in bytes; that of Chromium. */
const maxResponseHeaderBytes = 256 * 1024;
/** Schemes of `Authorization` that authenticate a connection. */
const boundToConnection = /^\s*(?:NTLM|Negotiate)\b/i;

/**
 * Forwards plain HTTP requests to servers, and their responses back. A server that can't be reached, or whose response is malformed, is an
 * error of the network for the page, as without a proxy.
 */
export class Forwarder {
  readonly #keepAlive = new KeepAliveConnections();
  readonly #limits: ConnectionLimits;
  readonly #fence: WriteFence | undefined;
  readonly #upstream: Pick<UpstreamConnector, "connect"> | undefined;

  /**
   * @param fence - Fences the connections to servers. Default: none.
   * @param upstream - Connects to servers through a proxy, for each request anew. Default: they are connected to from here.
   */
  constructor(limits: ConnectionLimits, fence?: WriteFence, upstream?: Pick<UpstreamConnector, "connect">) {
    this.#limits = limits;
    this.#fence = fence;
    this.#upstream = upstream;
  }

  /**
   * Forwards a request, and its response.
   *
   * @param to - Where to, with path and query, beginning with `/`.
   */
  forward(incoming: IncomingMessage, answer: ServerResponse, to: Target, onOutcome: OnOutcome): void {
    if (this.#fence?.isHeld === false) {
      onOutcome(withoutLease);
      return failRequest(answer);
    }
    // A request that must not be repeated gets a new connection: the server may just have closed an idle one.
    // Connection-based authentication has to use the same connection.
    if (this.#upstream) return this.#send(incoming, answer, to, false, onOutcome);
    const usesKeepAlive = isRepeatable(incoming) || boundToConnection.test(incoming.headers.authorization ?? "");
    this.#send(incoming, answer, to, usesKeepAlive ? this.#keepAlive.agentFor(incoming.socket) : false, onOutcome);
  }

  /** Closes idle connections. */
  close(): void {
    this.#keepAlive.close();
  }

  #send(
    incoming: IncomingMessage,
    answer: ServerResponse,
    to: Target,
    agent: Agent | false,
    onOutcome: OnOutcome,
  ): void {
    const sent = request({
      ...(this.#upstream ? through(this.#upstream, to) : { ...pinnedTo(to.addresses, to.authority.port), agent }),
      method: incoming.method ?? "GET",
      path: to.path,
      headers: requestHeaders(incoming, to.authority, agent === false ? "close" : "keep-alive"),
      setDefaultHeaders: false,
      maxHeaderSize: maxResponseHeaderBytes,
    });
    this.#watch(sent);
    let isAnswered = false;
    const fail = (error: string): void => {
      isAnswered = true;
      sent.destroy();
      onOutcome(error);
      failRequest(answer);
    };
    sent.on("error", (error) => {
      // Once a response has begun, its own stream reports errors.
      if (isAnswered || answer.destroyed || incoming.socket.destroyed) return;
      // The server closed the idle connection before it received this request.
      const isUnprocessed = sent.reusedSocket && !isTimeout(error);
      if (isUnprocessed && isRepeatable(incoming) && this.#fence?.isHeld !== false)
        this.#send(incoming, answer, to, false, onOutcome);
      else fail(chooseNetworkError(error));
    });
    sent.on("upgrade", (_response, socket) => {
      socket.destroy();
      fail(invalidResponse);
    });
    sent.on("response", (response) => {
      isAnswered = true;
      onOutcome(undefined);
      forwardResponse(response, answer, () => fail(invalidResponse));
    });
    answer.on("close", () => {
      if (!answer.writableFinished) sent.destroy();
    });
    if (hasBody(incoming)) incoming.pipe(sent);
    else sent.end();
  }

  #watch(sent: ClientRequest): void {
    const { connectMs, idleMs } = this.#limits;
    const connecting = setTimeout(() => sent.destroy(timeoutError()), connectMs);
    sent.on("close", () => clearTimeout(connecting));
    sent.on("socket", (socket) => {
      this.#fence?.fence(socket);
      if (socket.connecting) socket.once("connect", () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    sent.setTimeout(idleMs, () => sent.destroy(timeoutError()));
  }
}

/** Options of a request whose connection goes through a proxy. */
function through(upstream: Pick<UpstreamConnector, "connect">, to: Route): Pick<RequestOptions, "createConnection"> {
  return {
    createConnection: (_options, done) => {
      const pass = callbackify(() => upstream.connect(to));
      pass((error, socket) => done(error, socket));
      return undefined;
    },
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function isRepeatable(incoming: IncomingMessage): boolean {
  return (incoming.method === "GET" || incoming.method === "HEAD") && !hasBody(incoming);
}

function requestHeaders(incoming: IncomingMessage, { host, port }: Authority, connection: string): string[] {
  const framing = incoming.headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"];
  return [
    "Host",
    port === 80 ? host : `${host}:${port}`,
    ...endToEndHeaders(incoming.rawHeaders, ["host", "expect"]),
    ...framing,
    "Connection",
    connection,
  ];
}

function forwardResponse(response: IncomingMessage, answer: ServerResponse, fail: () => void): void {
  try {
    answer.sendDate = false;
    answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEndHeaders(response.rawHeaders));
    // Sends the headers now, with their bytes unchanged; flushHeaders() would encode them as UTF-8.
    answer.write("", "latin1");
  } catch {
    fail();
    return;
  }
  pipeline(response, answer, () => {});
}

function timeoutError(): Error {
  return Object.assign(new Error("timed out"), { code: "ETIMEDOUT" });
}

function isTimeout(error: Error): boolean {
  return "code" in error && error.code === "ETIMEDOUT";
}
