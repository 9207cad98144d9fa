import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { parseAuthority } from "./authority.ts";
import type { RefusalReason } from "./egress-policy.ts";

/** Errors of Chromium without a proxy for connections that the egress policy refuses. */
const refusalErrors: Readonly<Record<RefusalReason, string>> = {
  scheme: "net::ERR_DISALLOWED_URL_SCHEME",
  "odd-host": "net::ERR_NAME_NOT_RESOLVED",
  "not-global": "net::ERR_BLOCKED_BY_ADMINISTRATOR",
  denied: "net::ERR_BLOCKED_BY_ADMINISTRATOR",
  "forbidden-port": "net::ERR_BLOCKED_BY_ADMINISTRATOR",
  unresolvable: "net::ERR_NAME_NOT_RESOLVED",
  busy: "net::ERR_INSUFFICIENT_RESOURCES",
};

/** Errors of Chromium by the error code of Node.js. */
const errorsByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "net::ERR_CONNECTION_REFUSED",
  ECONNRESET: "net::ERR_CONNECTION_RESET",
  EPIPE: "net::ERR_CONNECTION_RESET",
  ECONNABORTED: "net::ERR_CONNECTION_ABORTED",
  ETIMEDOUT: "net::ERR_CONNECTION_TIMED_OUT",
  EHOSTUNREACH: "net::ERR_ADDRESS_UNREACHABLE",
  ENETUNREACH: "net::ERR_ADDRESS_UNREACHABLE",
  ENETDOWN: "net::ERR_INTERNET_DISCONNECTED",
  EADDRNOTAVAIL: "net::ERR_ADDRESS_INVALID",
  EINVAL: "net::ERR_ADDRESS_INVALID",
  EACCES: "net::ERR_NETWORK_ACCESS_DENIED",
  EPERM: "net::ERR_NETWORK_ACCESS_DENIED",
  EMFILE: "net::ERR_INSUFFICIENT_RESOURCES",
  ENFILE: "net::ERR_INSUFFICIENT_RESOURCES",
  ENOBUFS: "net::ERR_INSUFFICIENT_RESOURCES",
  PROXY_UNREACHABLE: "net::ERR_PROXY_CONNECTION_FAILED",
  PROXY_AUTH: "net::ERR_PROXY_AUTH_REQUESTED",
  PROXY_CERTIFICATE: "net::ERR_PROXY_CERTIFICATE_INVALID",
  PROXY_REFUSED: "net::ERR_TUNNEL_CONNECTION_FAILED",
  HPE_HEADER_OVERFLOW: "net::ERR_RESPONSE_HEADERS_TOO_BIG",
  HPE_UNEXPECTED_CONTENT_LENGTH: "net::ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH",
};

/** Error of Chromium for a response that the proxy refuses to forward. */
export const invalidResponse = "net::ERR_INVALID_HTTP_RESPONSE";
/** Error of Chromium for requests beyond a limit. */
export const tooManyRequests = "net::ERR_INSUFFICIENT_RESOURCES";

/** Returns the error that Chromium gives for a refusal. */
export const refusalError = (reason: RefusalReason): string => refusalErrors[reason];

/** Returns the error that Chromium gives where Node.js gave this one for a connection or a response. */
export function chooseNetworkError(error: unknown): string {
  const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
  const code = last instanceof Error && "code" in last ? String(last.code) : "";
  // Node.js gives the same code when the server ended the connection and when it reset it.
  if (last instanceof Error && last.message === "socket hang up") return "net::ERR_EMPTY_RESPONSE";
  return errorsByCode[code] ?? (code.startsWith("HPE_") ? invalidResponse : "net::ERR_CONNECTION_FAILED");
}

/** Returns the error of a connection that takes too long. */
export function makeConnectTimeout(): Error {
  return Object.assign(new Error("connecting timed out"), { code: "ETIMEDOUT" });
}

/** Two lengths: no client takes it for an answer, and Chromium does not send the request again, as it does when a connection is closed. */
const failedHeaders = ["Content-Length", "0", "Content-Length", "1", "Connection", "close"];
/** The error that Chromium makes of {@link failedHeaders}. A site without TLS can't cause it: its response is refused here. */
const failedRequest = "net::ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH";
/** The errors that Chromium makes of a tunnel that is not opened, and the words for a WebSocket. */
const failedTunnel = "net::ERR_TUNNEL_CONNECTION_FAILED";
const failedSocket = "Establishing a tunnel via proxy server failed.";

/** Fails a plain request: an error of the network for the page, never a page that the proxy wrote. */
export function failRequest(answer: ServerResponse): void {
  const { req: request } = answer;
  if (answer.headersSent || answer.destroyed) return void answer.destroy();
  const respond = (): void => {
    if (answer.destroyed) return;
    answer.sendDate = false;
    answer.writeHead(502, failedHeaders);
    answer.end();
  };
  if (request.complete) return respond();
  // Chromium reads no response while it sends, and sends again when the connection breaks under that.
  request.once("end", respond);
  request.resume();
}

/** Fails a request that could not be parsed. */
export function failConnection(socket: Duplex): void {
  const lines = failedHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
  if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${lines}\r\n`, () => socket.destroy());
  else socket.destroy();
}

/** Fails a CONNECT request. */
export function failTunnel(browser: Socket): void {
  browser.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", () => browser.destroy());
}

/** Reasons that the domain Fetch has for errors; it calls all others `Failed`. */
const fetchReasons: Readonly<Record<string, string>> = {
  "net::ERR_NAME_NOT_RESOLVED": "NameNotResolved",
  "net::ERR_CONNECTION_REFUSED": "ConnectionRefused",
  "net::ERR_CONNECTION_RESET": "ConnectionReset",
  "net::ERR_CONNECTION_ABORTED": "ConnectionAborted",
  "net::ERR_CONNECTION_FAILED": "ConnectionFailed",
  "net::ERR_ADDRESS_UNREACHABLE": "AddressUnreachable",
  "net::ERR_INTERNET_DISCONNECTED": "InternetDisconnected",
};

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "ws:": 80, "https:": 443, "wss:": 443 };
/** Most hosts whose last error is kept. */
const maxHosts = 4_000;

/**
 * The last error of each host: a proxy can't tell Chromium what happened, so its own error for a failed proxy request is replaced
 * by this one wherever it reports that.
 */
export class NetworkErrors {
  readonly #errors = new Map<string, string>();
  /** Those of these hosts that have answered since. */
  readonly #answered = new Set<string>();

  /** Keeps the error of a request, before it fails; undefined: its host has answered. */
  add(written: string, defaultPort: number, error: string | undefined): void {
    if (error === undefined && this.#errors.size === 0) return;
    const key = buildKey(written, defaultPort);
    if (error === undefined) {
      if (this.#errors.has(key)) this.#answered.add(key);
      return;
    }
    this.#answered.delete(key);
    this.#errors.delete(key);
    const [oldest] = this.#errors.size >= maxHosts ? this.#errors.keys() : [];
    if (oldest !== undefined) {
      this.#errors.delete(oldest);
      this.#answered.delete(oldest);
    }
    this.#errors.set(key, error);
  }

  /** Returns what Chromium reports of a failed request, with the error that it gives without a proxy. */
  rename(url: string, reported: string): string {
    const { protocol = "", host = "" } = URL.parse(url) ?? {};
    const key = buildKey(host, defaultPorts[protocol]);
    const error = this.#errors.get(key) ?? "net::ERR_EMPTY_RESPONSE";
    // The domain Fetch has this word for other errors, too.
    if (reported === "Failed") return this.#answered.has(key) ? reported : (fetchReasons[error] ?? reported);
    if (protocol === "http:") return reported.replace(failedRequest, error);
    return reported.replace(failedTunnel, error).replace(failedSocket, `Error in connection establishment: ${error}`);
  }
}

function buildKey(written: string, defaultPort: number | undefined): string {
  const authority = parseAuthority(written, defaultPort);
  return authority === undefined ? written.toLowerCase() : `${authority.host}:${authority.port}`;
}
