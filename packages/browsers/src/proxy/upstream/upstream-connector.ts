import { once } from "node:events";
import { request } from "node:http";
import { connect, isIP, isIPv6, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { SocksClient } from "socks";
import pTimeout from "p-timeout";
import { BrowserError, type BrowserErrorCode } from "../../browser-error.ts";
import { pinnedTo } from "../dns-pinning.ts";
import type { EgressPolicy, Route } from "../egress-policy.ts";
import type { WriteFence } from "../write-fence.ts";
import { SessionProxyError } from "./upstream-error.ts";
import type { UpstreamProxy } from "./upstream-proxy.ts";
import { makeConnectTimeout } from "../network-errors.ts";

/** Most addresses of a host that are tried. */
const maxAttempts = 3;

/** Parts of a connector. */
export interface UpstreamConnectorParts {
  /** The proxy. */
  readonly proxy: UpstreamProxy;
  /** Checks the address of the proxy itself. */
  readonly policy: EgressPolicy;
  /** Fences the connections. Default: none. */
  readonly fence?: WriteFence | undefined;
  /** Longest time for a connection, in milliseconds. */
  readonly connectMs: number;
}

/**
 * Connects to hosts through a proxy. The proxy receives addresses that were checked here, and names only where it resolves them. The
 * address of the proxy is checked, too, and pinned.
 */
export class UpstreamConnector {
  readonly #parts: UpstreamConnectorParts;

  constructor(parts: UpstreamConnectorParts) {
    this.#parts = parts;
  }

  /** True when the proxy resolves the names of hosts. */
  get resolvesNames(): boolean {
    return this.#parts.proxy.resolvesNames;
  }

  /**
   * Connects to the proxy, and closes that connection.
   *
   * @throws {BrowserError} `address-refused` when pages may not reach the proxy's address; `page-failed` when the proxy can't be reached.
   */
  async check(): Promise<void> {
    const { policy, proxy } = this.#parts;
    const route = await policy.checkHost(proxy.authority, undefined);
    if (!route.allowed) {
      const code =
        route.reason === "busy" ? "busy" : route.reason === "unresolvable" ? "page-failed" : "address-refused";
      throw makeProxyError(code, route.message);
    }
    try {
      (await this.#connectToProxy()).destroy();
    } catch (error) {
      const why = error instanceof SessionProxyError ? error.message : "it can't be reached";
      throw makeProxyError("page-failed", why);
    }
  }

  /**
   * Connects to a host through the proxy.
   *
   * @throws {SessionProxyError} When that fails at the proxy; an error with a code of Node.js for what the proxy tells of the host.
   */
  async connect({ addresses, authority }: Route): Promise<Socket> {
    const hosts = this.resolvesNames && authority.address === undefined ? [authority.host] : addresses;
    let last: unknown;
    for (const host of hosts.slice(0, maxAttempts)) {
      try {
        return await this.#attempt(host, authority.port);
      } catch (error) {
        last = error;
        // Another address of the host changes nothing of these.
        if (error instanceof SessionProxyError && error.code !== "PROXY_REFUSED") break;
      }
    }
    throw last ?? new SessionProxyError("PROXY_REFUSED", "the host has no address");
  }

  async #attempt(host: string, port: number): Promise<Socket> {
    const { connectMs, proxy } = this.#parts;
    const toProxy = await this.#connectToProxy();
    const connectRequest =
      proxy.protocol === "socks5" ? this.#askSocks(toProxy, host, port) : this.#askHttp(toProxy, host, port);
    try {
      return await pTimeout(connectRequest, { milliseconds: connectMs, fallback: throwTimeout });
    } catch (error) {
      toProxy.destroy();
      throw error;
    }
  }

  async #connectToProxy(): Promise<Socket> {
    const { policy, proxy, fence, connectMs } = this.#parts;
    const route = await policy.checkHost(proxy.authority, undefined);
    if (!route.allowed) throw new SessionProxyError("PROXY_UNREACHABLE", "its address is not allowed, or has changed");
    const socket = connect({ ...pinnedTo(route.addresses, route.authority.port), allowHalfOpen: true });
    socket.on("error", () => undefined); // whoever waits for it hears of it
    fence?.fence(socket);
    const signal = AbortSignal.timeout(connectMs);
    try {
      await once(socket, "connect", { signal });
    } catch (error) {
      socket.destroy();
      const code = error instanceof Error && "code" in error ? String(error.code) : "no answer";
      const why = signal.aborted ? `no connection within ${connectMs / 1_000} s` : code;
      throw new SessionProxyError("PROXY_UNREACHABLE", `it can't be reached (${why})`);
    }
    if (proxy.protocol !== "https") return socket;
    const secured = connectTls({ socket, ...(isIP(proxy.host) ? { host: proxy.host } : { servername: proxy.host }) });
    secured.on("error", () => undefined);
    try {
      await once(secured, "secureConnect", { signal: AbortSignal.timeout(connectMs) });
      return secured;
    } catch (error) {
      secured.destroy();
      socket.destroy();
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code))
        throw new SessionProxyError("PROXY_CERTIFICATE", `its certificate is not valid here (${code})`);
      throw new SessionProxyError("PROXY_UNREACHABLE", "it does not speak TLS");
    }
  }

  /** Asks an HTTP proxy for a tunnel (RFC 9110, 9.3.6). */
  #askHttp(toProxy: Socket, host: string, port: number): Promise<Socket> {
    const { credentials } = this.#parts.proxy;
    const path = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    const basic = credentials && Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64");
    const headers = { host: path, ...(basic === undefined ? {} : { "proxy-authorization": `Basic ${basic}` }) };
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const connectRequest = request({
      method: "CONNECT",
      path,
      headers,
      setHost: false,
      createConnection: () => toProxy,
    });
    connectRequest.once("connect", ({ statusCode = 0 }, _socket, head) => {
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) toProxy.unshift(head);
        return resolve(toProxy);
      }
      if (statusCode === 407) return reject(refusedCredentials());
      reject(new SessionProxyError("PROXY_REFUSED", `it refuses the connection (HTTP ${statusCode})`));
    });
    connectRequest.once("error", () =>
      reject(new SessionProxyError("PROXY_REFUSED", "it broke the connection off, or is no HTTP proxy")),
    );
    connectRequest.end();
    return promise;
  }

  /** Asks a SOCKS5 proxy for a connection (RFC 1928, RFC 1929). */
  async #askSocks(toProxy: Socket, host: string, port: number): Promise<Socket> {
    const { connectMs, proxy } = this.#parts;
    const { credentials } = proxy;
    try {
      const { socket } = await SocksClient.createConnection({
        proxy: {
          host: proxy.host,
          port: 1,
          type: 5,
          ...(credentials && { userId: credentials.username, password: credentials.password }),
        },
        command: "connect",
        destination: { host, port },
        existing_socket: toProxy,
        timeout: connectMs,
      });
      return socket;
    } catch (error) {
      throw socksError(error);
    }
  }
}

/** Error codes of Node.js for the messages of the library about a host that a SOCKS5 proxy can't reach. */
const hostErrors: readonly (readonly [RegExp, string])[] = [
  [/ConnectionRefused/, "ECONNREFUSED"],
  [/HostUnreachable|NetworkUnreachable/, "EHOSTUNREACH"],
  [/TTLExpired/, "ETIMEDOUT"],
];

/** Returns the error of a SOCKS5 proxy. That of the library has the credentials, and is not passed on. */
function socksError(error: unknown): Error {
  const text = error instanceof Error ? error.message : "";
  if (/auth/i.test(text)) return refusedCredentials();
  const code = hostErrors.find(([pattern]) => pattern.test(text))?.[1];
  if (code !== undefined) return Object.assign(new Error("the proxy could not connect to the host"), { code });
  return new SessionProxyError("PROXY_REFUSED", "it refuses the connection, or is no SOCKS5 proxy");
}

function makeProxyError(code: BrowserErrorCode, why: string): BrowserError {
  return new BrowserError(code, `the proxy of the session can't be used: ${why}`);
}

function throwTimeout(): never {
  throw makeConnectTimeout();
}

function refusedCredentials(): SessionProxyError {
  return new SessionProxyError("PROXY_AUTH", "it refuses the credentials, or needs some");
}
