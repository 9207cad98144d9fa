import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AllowList } from "./allow-list.ts";
import { parseAuthority } from "./authority.ts";
import { answerOwn, type ConnectionLimits, Forwarder } from "./forward.ts";
import { Judge, type Refusal, type RefusalReason, type Verdict } from "./judge.ts";
import { NameResolver, type Resolve, type ResolverLimits, systemResolve } from "./name-resolver.ts";
import { asBytes, busyPage, malformedPage, refusalPage } from "./refusal-page.ts";
import { type OwnNetwork, ownNetworks, ThisMachine } from "./this-machine.ts";
import { Tunnels } from "./tunnel.ts";

/** Bounds of the guard. */
export interface GuardLimits extends ConnectionLimits, ResolverLimits {
  /** Most connections of browsers, and most plain requests, at a time; more are closed or answered with 503. */
  readonly connections: number;
}

const defaultLimits: GuardLimits = {
  connections: 2048,
  connectMs: 10_000,
  idleMs: 300_000,
  lookupMs: 10_000,
  lookups: 64,
  believedMs: 30_000,
};

/** A request that was refused. */
export interface RefusedRequest {
  /** The host as it was asked for; empty when it can't be read. Written by a page: never trust it. */
  readonly host: string;
  /** The port; 0 when it can't be read. */
  readonly port: number;
  /** Code of the reason. */
  readonly reason: RefusalReason;
}

/** Options of a network guard. */
export interface NetworkGuardOptions {
  /** Non-global destinations that pages may reach: entries of an {@link AllowList}. */
  readonly allow: readonly string[];
  /** Tells whether a port stays closed to pages even if the operator allows its address. Asked for addresses that are not global only. Default: none does, but the guard's own. */
  readonly isForbiddenPort?: (address: string, port: number) => boolean;
  /** Finds the addresses of names. Default: the operating system. */
  readonly resolve?: Resolve;
  /** Networks that this machine is part of. Default: those of its interfaces. */
  readonly ownNetworks?: () => readonly OwnNetwork[];
  /** Told of every request that is refused; pages can cause any number. */
  readonly onRefused?: (refused: RefusedRequest) => void;
  /** Defaults: 2048 connections, 10 s to connect, 300 s idle, 64 lookups of 10 s, answers believed for 30 s. */
  readonly limits?: Partial<GuardLimits>;
}

/** Largest headers of a request, in bytes. */
const largestRequestHeaders = 64 * 1024;
/** How long the headers of a request may take, in milliseconds. */
const headersMs = 30_000;
/** How long a browser's connection may wait for its next request, in milliseconds. */
const nextRequestMs = 65_000;

/**
 * The way of every page's bytes: a proxy on loopback that resolves hosts, judges each address and connects to the very address that it judged.
 *
 * It asks for no password: Chromium gives one to a web socket only once a page was asked for it, and every client of a page would have to answer for it.
 * Nobody gains by that, as whoever can connect to loopback can reach everything that the proxy does.
 */
export class NetworkGuard {
  readonly #server: Server;
  readonly #judge: Judge;
  readonly #forwarder: Forwarder;
  readonly #tunnels: Tunnels;
  readonly #limits: GuardLimits;
  readonly #onRefused: (refused: RefusedRequest) => void;
  #requests = 0;
  #port = 0;

  /**
   * Starts the proxy on a free port of loopback.
   *
   * @throws {BrowserError} `usage` for an entry of the list that can't be read; the message names it.
   */
  static async start(options: NetworkGuardOptions): Promise<NetworkGuard> {
    const guard = new NetworkGuard(options);
    await guard.#listen();
    return guard;
  }

  private constructor(options: NetworkGuardOptions) {
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#onRefused = options.onRefused ?? ((): void => {});
    this.#judge = new Judge(
      new AllowList(options.allow),
      new NameResolver(options.resolve ?? systemResolve, this.#limits),
      new ThisMachine(options.ownNetworks ?? ownNetworks),
      (address, port) => port === this.#port || (options.isForbiddenPort?.(address, port) ?? false),
    );
    this.#forwarder = new Forwarder(this.#limits);
    this.#tunnels = new Tunnels(this.#limits);
    this.#server = this.#serve();
  }

  /** Address of the proxy, for `--proxy-server` with `--proxy-bypass-list=<-loopback>`. */
  get proxyServer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Judges the address that a session's page is to be opened on: http, https and `about:blank` only. Resolves its host. */
  async judge(url: URL): Promise<Verdict> {
    return this.#judge.judgePage(url);
  }

  /** Ends the proxy and every connection through it. A second call changes nothing. */
  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    this.#server.closeAllConnections();
    this.#tunnels.close();
    this.#forwarder.close();
    await closed.promise;
  }

  async #listen(): Promise<void> {
    const listening = Promise.withResolvers<void>();
    this.#server.once("error", listening.reject);
    this.#server.listen(0, "127.0.0.1", listening.resolve);
    await listening.promise;
    this.#server.off("error", listening.reject);
    const address = this.#server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
  }

  #serve(): Server {
    const server = createServer({
      maxHeaderSize: largestRequestHeaders,
      headersTimeout: headersMs,
      keepAliveTimeout: nextRequestMs,
      requestTimeout: 0,
      noDelay: true,
      requireHostHeader: false,
    });
    server.maxConnections = this.#limits.connections;
    // Later than a server's time is up, so that a request gets its answer.
    server.timeout = 2 * this.#limits.idleMs;
    // Whatever goes wrong ends that one connection, and nothing else.
    server.on("request", (asked, answer) => {
      this.#forward(asked, answer).catch(() => answer.destroy());
    });
    server.on("connect", (asked, socket, head) => {
      this.#tunnel(asked, socket, head).catch(() => socket.destroy());
    });
    server.on("clientError", (_error, socket) => {
      if (socket.writable) socket.end(asBytes(malformedPage()), () => socket.destroy());
      else socket.destroy();
    });
    return server;
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    asked.on("error", () => {});
    answer.on("error", () => {});
    const [, written, rest = ""] = /^http:\/\/([^/?#]*)(.*)$/i.exec(asked.url ?? "") ?? [];
    if (written === undefined) return answerOwn(answer, malformedPage());
    if (this.#requests >= this.#limits.connections) return answerOwn(answer, busyPage());
    this.#requests += 1;
    answer.once("close", () => (this.#requests -= 1));
    const route = await this.#judge.judge(written, 80);
    if (!route.allowed) {
      this.#tell(written, route);
      return answerOwn(answer, refusalPage(route));
    }
    if (answer.destroyed || asked.socket.destroyed) return;
    this.#forwarder.forward(asked, answer, route, rest.startsWith("/") ? rest : `/${rest}`);
  }

  async #tunnel(asked: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (!(socket instanceof Socket)) return void socket.destroy();
    this.#tunnels.adopt(socket);
    const written = asked.url ?? "";
    const route = await this.#judge.judge(written, undefined);
    if (route.allowed) return this.#tunnels.open(socket, head, route);
    this.#tell(written, route);
    socket.end(asBytes(refusalPage(route)), () => socket.destroy());
  }

  #tell(written: string, { reason }: Refusal): void {
    const { host, port } = parseAuthority(written, 80) ?? { host: "", port: 0 };
    this.#onRefused({ host, port, reason });
  }
}
