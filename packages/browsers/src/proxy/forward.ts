import { type Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import type { Authority } from "./authority.ts";
import type { Route } from "./judge.ts";
import { endToEndHeaders } from "./message-headers.ts";
import { failureOf, pinnedTo } from "./pinned-connection.ts";
import { type OwnAnswer, unreachablePage } from "./refusal-page.ts";
import { WaitingConnections } from "./waiting-connections.ts";

/** Bounds of one connection to a server. */
export interface ConnectionLimits {
  /** How long connecting may take, in milliseconds. */
  readonly connectMs: number;
  /** How long nothing may move in either direction, in milliseconds. */
  readonly idleMs: number;
}

/** Chromium takes no larger ones either, in bytes. */
const largestResponseHeaders = 256 * 1024;
/** Schemes of `Authorization` whose messages have to come over one connection. */
const boundToConnection = /^\s*(?:NTLM|Negotiate)\b/i;

/**
 * Passes plain HTTP requests on to servers, and their answers back.
 */
export class Forwarder {
  readonly #waiting = new WaitingConnections();
  readonly #limits: ConnectionLimits;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /**
   * Sends a request on, and answers it with what comes back.
   *
   * @param path - Path and query, beginning with `/`.
   */
  forward(asked: IncomingMessage, answer: ServerResponse, route: Route, path: string): void {
    // What must not be sent twice gets a connection of its own: a waiting one may just have been closed by the server.
    // The messages of a login that is bound to a connection have no choice: they go over the same one.
    const isKept = isRepeatable(asked) || boundToConnection.test(asked.headers.authorization ?? "");
    this.#send(asked, answer, { ...route, path }, isKept ? this.#waiting.of(asked.socket) : false);
  }

  /** Closes the connections that wait for further requests. */
  close(): void {
    this.#waiting.close();
  }

  #send(
    asked: IncomingMessage,
    answer: ServerResponse,
    to: Route & { readonly path: string },
    agent: Agent | false,
  ): void {
    const sent = request({
      ...pinnedTo(to.addresses, to.authority.port),
      agent,
      method: asked.method ?? "GET",
      path: to.path,
      headers: requestHeaders(asked, to.authority, agent === false ? "close" : "keep-alive"),
      setDefaultHeaders: false,
      maxHeaderSize: largestResponseHeaders,
    });
    this.#watch(sent);
    let isAnswered = false;
    const fail = (error: unknown): void => {
      isAnswered = true;
      sent.destroy();
      answerOwn(answer, unreachablePage(failureOf(error)));
    };
    sent.on("error", (error) => {
      // From its answer on, the answer's own stream tells how it ends.
      if (isAnswered || answer.destroyed || asked.socket.destroyed) return;
      // The server closed the waiting connection before it saw this request.
      const isUnseen = sent.reusedSocket && failureOf(error) === "refused";
      if (isUnseen && isRepeatable(asked)) this.#send(asked, answer, to, false);
      else fail(error);
    });
    sent.on("upgrade", (_response, socket) => {
      socket.destroy();
      fail(undefined);
    });
    sent.on("response", (response) => {
      isAnswered = true;
      passOn(response, answer, fail);
    });
    answer.on("close", () => {
      if (!answer.writableFinished) sent.destroy();
    });
    if (hasBody(asked)) asked.pipe(sent);
    else sent.end();
  }

  #watch(sent: ClientRequest): void {
    const { connectMs, idleMs } = this.#limits;
    const connecting = setTimeout(() => sent.destroy(timeUp()), connectMs);
    sent.on("close", () => clearTimeout(connecting));
    sent.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    sent.setTimeout(idleMs, () => sent.destroy(timeUp()));
  }
}

/** Answers with a page of the proxy's own; cuts the connection when another answer has begun. */
export function answerOwn(answer: ServerResponse, { status, headers, body }: OwnAnswer): void {
  if (answer.headersSent || answer.destroyed) {
    answer.destroy();
    return;
  }
  // What is left of the request's body is not read: the connection ends with the answer.
  const isRead = answer.req.complete;
  answer.writeHead(status, isRead ? [...headers] : [...headers, "Connection", "close"]);
  answer.end(body);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function isRepeatable(asked: IncomingMessage): boolean {
  return (asked.method === "GET" || asked.method === "HEAD") && !hasBody(asked);
}

function requestHeaders(asked: IncomingMessage, { host, port }: Authority, connection: string): string[] {
  const framing = asked.headers["transfer-encoding"] === undefined ? [] : ["Transfer-Encoding", "chunked"];
  return [
    "Host",
    port === 80 ? host : `${host}:${port}`,
    ...endToEndHeaders(asked.rawHeaders, ["host", "expect"]),
    ...framing,
    "Connection",
    connection,
  ];
}

function passOn(response: IncomingMessage, answer: ServerResponse, fail: (error: unknown) => void): void {
  try {
    answer.sendDate = false;
    answer.writeHead(response.statusCode ?? 502, response.statusMessage, endToEndHeaders(response.rawHeaders));
    // The headers go out now, as the bytes that they came as; flushHeaders() makes UTF-8 of them. Where no body may follow, they go out with the end.
    answer.write("", "latin1");
  } catch (error) {
    fail(error);
    return;
  }
  pipeline(response, answer, () => {});
}

function timeUp(): Error {
  return Object.assign(new Error("Timed out."), { code: "ETIMEDOUT" });
}
