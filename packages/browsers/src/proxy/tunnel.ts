import { connect, type Socket } from "node:net";
import { pipeline } from "node:stream";
import type { ConnectionLimits } from "./forward.ts";
import type { Route } from "./judge.ts";
import { failureOf, pinnedTo } from "./pinned-connection.ts";
import { asBytes, unreachablePage } from "./refusal-page.ts";

/** Longest that one direction stays open without a byte once the other has ended, in milliseconds. */
const longestHalfOpenMs = 60_000;

/**
 * The connections of CONNECT: bytes both ways until both sides have ended.
 */
export class Tunnels {
  readonly #limits: ConnectionLimits;
  readonly #open = new Set<Socket>();

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Takes over a connection of a browser: from now on its errors end it, and {@link close} does. */
  adopt(browser: Socket): void {
    browser.setTimeout(this.#limits.idleMs, () => browser.destroy());
    this.#keep(browser);
  }

  /**
   * Joins an adopted connection with one to the first of the addresses that answers.
   *
   * @param head - What the browser has sent after its request.
   */
  open(browser: Socket, head: Buffer, { addresses, authority }: Route): void {
    if (browser.destroyed) return;
    const server = connect({ ...pinnedTo(addresses, authority.port), allowHalfOpen: true });
    this.#keep(server);
    const giveUp = (error: unknown): void => {
      server.destroy();
      browser.end(asBytes(unreachablePage(failureOf(error))), () => browser.destroy());
    };
    const leave = (): void => {
      server.destroy();
    };
    const tooLate = Object.assign(new Error("Connecting timed out."), { code: "ETIMEDOUT" });
    const connecting = setTimeout(() => giveUp(tooLate), this.#limits.connectMs);
    browser.once("close", leave);
    server.once("close", () => clearTimeout(connecting));
    server.once("error", giveUp);
    server.once("connect", () => {
      clearTimeout(connecting);
      server.off("error", giveUp);
      browser.off("close", leave);
      browser.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) server.write(head);
      this.#join(browser, server);
    });
  }

  /** Ends every connection at once. */
  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #join(browser: Socket, server: Socket): void {
    // Every byte, in either direction, passes the browser's socket: its timer alone tells whether anything moves.
    const hasEnded = (): void => {
      browser.setTimeout(Math.min(this.#limits.idleMs, longestHalfOpenMs));
    };
    // Each pipeline destroys both sockets when either breaks off, and neither when one direction ends well.
    pipeline(browser, server, hasEnded);
    pipeline(server, browser, hasEnded);
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#open.delete(socket));
  }
}
