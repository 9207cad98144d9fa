import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { parseAuthority } from "./authority.ts";
import { type ConnectionLimits, Forwarder, type OnOutcome } from "./forward.ts";
import { HostList } from "./host-list.ts";
import { EgressPolicy, type EgressRefusal, type RefusalReason, type Decision } from "./egress-policy.ts";
import { DnsResolver, type Resolve, type ResolverLimits, systemResolve } from "./dns-resolver.ts";
import { type LocalNetwork, localNetworks, LocalAddresses } from "./local-addresses.ts";
import {
  failConnection,
  failRequest,
  failTunnel,
  NetworkErrors,
  refusalError,
  tooManyRequests,
} from "./network-errors.ts";
import { Tunnels } from "./tunnel.ts";
import { UpstreamConnector } from "./upstream/upstream-connector.ts";
import type { UpstreamProxy } from "./upstream/upstream-proxy.ts";
import { type CurrentLease, WriteFence } from "./write-fence.ts";

/** Limits of the egress proxy. */
export interface EgressProxyLimits extends ConnectionLimits, ResolverLimits {
  /** Limit of connections from browsers, and of plain requests, at a time; more are closed, or fail. */
  readonly connections: number;
}

const defaultLimits: EgressProxyLimits = {
  connections: 2048,
  connectMs: 10_000,
  idleMs: 300_000,
  lookupMs: 10_000,
  lookups: 64,
  ttlMs: 30_000,
};

/** A request that was refused. */
export interface RefusedRequest {
  /** The requested host; empty if malformed. Untrusted: set by a page. */
  readonly host: string;
  /** The port; 0 if malformed. */
  readonly port: number;
  /** Code of the reason. */
  readonly reason: RefusalReason;
}

/** Options of an {@link EgressProxy}. */
export interface EgressProxyOptions {
  /** Non-global destinations that pages may reach: entries of an {@link HostList}. */
  readonly allow: readonly string[];
  /** Destinations that pages may not reach: entries of a {@link HostList}. Goes before `allow`. Default: none. */
  readonly deny?: readonly string[];
  /**
   * Returns whether a port is blocked even if the operator allows its address. Called for non-global addresses only. Default: only the
   * proxy's own port.
   */
  readonly isForbiddenPort?: (address: string, port: number) => boolean;
  /** Resolves host names. Default: the operating system. */
  readonly resolve?: Resolve;
  /** Networks that this machine is part of. Default: those of its interfaces. */
  readonly ownNetworks?: () => readonly LocalNetwork[];
  /** Returns the lease under which connections to the outside are opened, and may be written to. Default: they always may. */
  readonly lease?: CurrentLease;
  /** Called for every refused request; pages can cause any number. */
  readonly onRefused?: (refused: RefusedRequest) => void;
  /** Defaults: 2048 connections, 10 s to connect, 300 s idle, 64 lookups of 10 s, answers cached for 30 s. */
  readonly limits?: Partial<EgressProxyLimits>;
}

/** Limit of request headers, in bytes. */
const maxRequestHeaderBytes = 256 * 1024;
/** Timeout for the headers of a request, in milliseconds. */
const headersTimeoutMs = 30_000;
/** Keep-alive timeout of browser connections, in milliseconds. */
const keepAliveTimeoutMs = 65_000;

/** Egress of one context, through its own proxy. */
export interface ProxiedEgress {
  /** URL of the proxy on loopback for that context, with a bypass list of `<-loopback>`. */
  readonly proxyServer: string;
  /** Closes it, and every connection through it. */
  close(): void;
}

/** Settings of the connections of one listener. */
interface Way {
  readonly forwarder: Forwarder;
  readonly tunnels: Tunnels;
  /** True when names are resolved by the proxy that they go through. */
  readonly isResolvedElsewhere: boolean;
}

/**
 * Forward proxy on loopback for all traffic of pages: resolves hosts, checks each address, and connects to exactly the checked address
 * (DNS pinning).
 *
 * Does not require a password: Chromium sends one for a WebSocket only after a page was challenged, and every CDP client would have to
 * handle that.
 * It would not protect anything: a process that can connect to loopback can reach everything that the proxy can.
 */
export class EgressProxy {
  readonly #server: Server;
  readonly #policy: EgressPolicy;
  readonly #way: Way;
  readonly #fence: WriteFence | undefined;
  /** Listeners of contexts with a proxy of their own. */
  readonly #proxied = new Set<ProxiedEgress>();
  /** Ports of all listeners. */
  readonly #ports = new Set<number>();
  readonly #limits: EgressProxyLimits;
  readonly #onRefused: (refused: RefusedRequest) => void;
  readonly #errors = new NetworkErrors();
  #requests = 0;
  #port = 0;

  /**
   * Starts the proxy on a free port of loopback.
   *
   * @throws {BrowserError} `usage` for a malformed entry of the allow list; the message names it.
   */
  static async start(options: EgressProxyOptions): Promise<EgressProxy> {
    const guard = new EgressProxy(options);
    await guard.#listen();
    return guard;
  }

  private constructor(options: EgressProxyOptions) {
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#onRefused = options.onRefused ?? ((): void => {});
    this.#policy = new EgressPolicy(
      { allow: new HostList(options.allow), deny: new HostList(options.deny ?? []) },
      new DnsResolver(options.resolve ?? systemResolve, this.#limits),
      new LocalAddresses(options.ownNetworks ?? localNetworks),
      (address, port) => this.#ports.has(port) || (options.isForbiddenPort?.(address, port) ?? false),
    );
    this.#fence = options.lease && new WriteFence(options.lease, () => this.#closeConnections());
    this.#way = {
      forwarder: new Forwarder(this.#limits, this.#fence),
      tunnels: new Tunnels(this.#limits, this.#fence),
      isResolvedElsewhere: false,
    };
    this.#server = this.#createServer(this.#way);
  }

  /** URL of the proxy, for `--proxy-server` with `--proxy-bypass-list=<-loopback>`. */
  get proxyServer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Checks the URL of a page: http, https and `about:blank` only. Resolves its host, unless the proxy of its context does. */
  async checkPage(url: URL, isResolvedElsewhere = false): Promise<Decision> {
    return this.#policy.checkPage(url, isResolvedElsewhere);
  }

  /**
   * Opens the egress of a context through its own proxy.
   *
   * @throws {BrowserError} `address-refused` when pages may not reach the address of that proxy; `page-failed` when it can't be reached.
   */
  async openProxied(proxy: UpstreamProxy): Promise<ProxiedEgress> {
    const { connectMs } = this.#limits;
    const upstream = new UpstreamConnector({ proxy, policy: this.#policy, fence: this.#fence, connectMs });
    await upstream.check();
    const tunnels = new Tunnels(this.#limits, this.#fence, upstream);
    const forwarder = new Forwarder(this.#limits, this.#fence, upstream);
    const server = this.#createServer({ forwarder, tunnels, isResolvedElsewhere: proxy.resolvesNames });
    const port = await listen(server);
    this.#ports.add(port);
    const egress: ProxiedEgress = {
      proxyServer: `http://127.0.0.1:${port}`,
      close: () => {
        this.#ports.delete(port);
        this.#proxied.delete(egress);
        server.close();
        server.closeAllConnections();
        tunnels.close();
      },
    };
    this.#proxied.add(egress);
    return egress;
  }

  /** Returns what Chromium reports of a failed request, with the error that it gives without a proxy. */
  renameError(url: string, reported: string): string {
    return this.#errors.rename(url, reported);
  }

  /** Closes the proxy and every connection through it. Can be called again. */
  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    this.#closeConnections();
    await closed.promise;
  }

  #closeConnections(): void {
    this.#server.closeAllConnections();
    this.#way.tunnels.close();
    this.#way.forwarder.close();
    for (const egress of this.#proxied) egress.close();
  }

  async #listen(): Promise<void> {
    this.#port = await listen(this.#server);
    this.#ports.add(this.#port);
  }

  #createServer(way: Way): Server {
    const server = createServer({
      maxHeaderSize: maxRequestHeaderBytes,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      requestTimeout: 0,
      noDelay: true,
      requireHostHeader: false,
    });
    server.maxConnections = this.#limits.connections;
    // Longer than the idle timeout of servers, so that a request gets a response.
    server.timeout = 2 * this.#limits.idleMs;
    // An error ends its connection only.
    server.on("request", (request, answer) => {
      this.#forward(way, request, answer).catch(() => answer.destroy());
    });
    server.on("connect", (request, socket, head) => {
      this.#tunnel(way, request, socket, head).catch(() => socket.destroy());
    });
    server.on("clientError", (_error, socket) => failConnection(socket));
    return server;
  }

  async #forward(way: Way, request: IncomingMessage, answer: ServerResponse): Promise<void> {
    request.on("error", () => {});
    answer.on("error", () => {});
    const [, written, rest = ""] = /^http:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? "") ?? [];
    if (written === undefined) return failRequest(answer);
    const onOutcome: OnOutcome = (error) => this.#errors.add(written, 80, error);
    if (this.#requests >= this.#limits.connections) {
      onOutcome(tooManyRequests);
      return failRequest(answer);
    }
    this.#requests += 1;
    answer.once("close", () => (this.#requests -= 1));
    const route = await this.#policy.checkHost(written, 80, way.isResolvedElsewhere);
    if (!route.allowed) {
      this.#reportRefused(written, 80, route);
      return failRequest(answer);
    }
    if (answer.destroyed || request.socket.destroyed) return;
    const path = rest.startsWith("/") ? rest : `/${rest}`;
    way.forwarder.forward(request, answer, { ...route, path }, onOutcome);
  }

  async #tunnel(way: Way, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (!(socket instanceof Socket)) return void socket.destroy();
    way.tunnels.adopt(socket);
    const written = request.url ?? "";
    const route = await this.#policy.checkHost(written, undefined, way.isResolvedElsewhere);
    if (route.allowed) return way.tunnels.open(socket, head, route, (error) => this.#errors.add(written, 443, error));
    this.#reportRefused(written, 443, route);
    failTunnel(socket);
  }

  #reportRefused(written: string, defaultPort: number, { reason }: EgressRefusal): void {
    const { host, port } = parseAuthority(written, defaultPort) ?? { host: "", port: 0 };
    this.#errors.add(written, defaultPort, refusalError(reason));
    this.#onRefused({ host, port, reason });
  }
}

/** Listens on a free port of loopback; returns the port. */
async function listen(server: Server): Promise<number> {
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  server.off("error", listening.reject);
  // A connection that the system does not give ends nothing: the page may try again.
  server.on("error", () => undefined);
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
