import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream";
import type { ConnectionLimits, OnOutcome } from "./forward.ts";
import type { Route } from "./egress-policy.ts";
import { pinnedTo } from "./dns-pinning.ts";
import { chooseNetworkError, failTunnel, makeConnectTimeout } from "./network-errors.ts";
import type { UpstreamConnector } from "./upstream/upstream-connector.ts";
import { type WriteFence, withoutLease } from "./write-fence.ts";

/** Idle timeout of a half-closed connection, in milliseconds. */
const maxHalfOpenMs = 60_000;

/**
 * Tunnels for CONNECT requests: forwards bytes in both directions until both sides have ended.
 */
export class Tunnels {
  readonly #limits: ConnectionLimits;
  readonly #fence: WriteFence | undefined;
  readonly #upstream: Pick<UpstreamConnector, "connect"> | undefined;
  readonly #open = new Set<Socket>();

  /**
   * @param fence - Fences the connections to servers. Default: none.
   * @param upstream - Connects to servers through a proxy. Default: they are connected to from here.
   */
  constructor(limits: ConnectionLimits, fence?: WriteFence, upstream?: Pick<UpstreamConnector, "connect">) {
    this.#limits = limits;
    this.#fence = fence;
    this.#upstream = upstream;
  }

  /** Takes over a connection of a browser: it is closed on errors, and by {@link close}. */
  adopt(browser: Socket): void {
    browser.setTimeout(this.#limits.idleMs, () => browser.destroy());
    this.#track(browser);
  }

  /**
   * Connects an adopted connection to the first address that accepts.
   *
   * @param head - Bytes that the browser has sent after its request.
   */
  open(browser: Socket, head: Buffer, route: Route, onOutcome: OnOutcome): void {
    if (browser.destroyed) return;
    if (this.#fence?.isHeld === false) {
      onOutcome(withoutLease);
      return failTunnel(browser);
    }
    if (this.#upstream) return void this.#openThrough(this.#upstream, browser, head, route, onOutcome);
    const { addresses, authority } = route;
    const server = connect({ ...pinnedTo(addresses, authority.port), allowHalfOpen: true });
    this.#fence?.fence(server);
    this.#track(server);
    const failConnect = (error: unknown): void => {
      server.destroy();
      onOutcome(chooseNetworkError(error));
      failTunnel(browser);
    };
    const closeServer = (): void => {
      server.destroy();
    };
    const tooLate = makeConnectTimeout();
    const connecting = setTimeout(() => failConnect(tooLate), this.#limits.connectMs);
    browser.once("close", closeServer);
    server.once("close", () => clearTimeout(connecting));
    server.once("error", failConnect);
    server.once("connect", () => {
      clearTimeout(connecting);
      server.off("error", failConnect);
      browser.off("close", closeServer);
      onOutcome(undefined);
      this.#join(browser, server, head);
    });
  }

  /** Closes every connection at once. */
  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async #openThrough(
    upstream: Pick<UpstreamConnector, "connect">,
    browser: Socket,
    head: Buffer,
    route: Route,
    onOutcome: OnOutcome,
  ): Promise<void> {
    try {
      const server = await upstream.connect(route);
      this.#track(server);
      if (browser.destroyed) return void server.destroy();
      onOutcome(undefined);
      this.#join(browser, server, head);
    } catch (error) {
      onOutcome(chooseNetworkError(error));
      failTunnel(browser);
    }
  }

  #join(browser: Socket, server: Socket, head: Buffer): void {
    passOnReset(server, browser);
    passOnReset(browser, server);
    browser.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) server.write(head);
    this.#pipe(browser, server);
  }

  #pipe(browser: Socket, server: Socket): void {
    // All bytes of both directions pass the browser's socket: its idle timer covers both.
    const hasEnded = (): void => {
      browser.setTimeout(Math.min(this.#limits.idleMs, maxHalfOpenMs));
    };
    // A pipeline destroys both sockets when either fails, and none when its direction ends regularly.
    pipeline(browser, server, hasEnded);
    pipeline(server, browser, hasEnded);
  }

  #track(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#open.delete(socket));
  }
}

/** Resets one connection when the other one was: an end would be another error for the page. */
function passOnReset(from: Socket, to: Socket): void {
  from.once("error", (error) => {
    if ("code" in error && error.code === "ECONNRESET") to.resetAndDestroy();
  });
}
