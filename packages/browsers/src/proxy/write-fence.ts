// oxlint-disable no-underscore-dangle -- what Node.js calls for each write of a stream has these names
import type { Socket } from "node:net";

/** Returns the lease under which this process may act, by a number that is never given again; undefined while it has none. */
export type CurrentLease = () => number | undefined;

/** Error of Chromium for a request that is not sent as the lease is lost. */
export const withoutLease = "net::ERR_INTERNET_DISCONNECTED";

/** Error of a write that is no longer allowed. */
const leaseLost = (): Error =>
  Object.assign(new Error("this process has lost its lease: nothing more is sent"), { code: "ENETDOWN" });

/**
 * Fences outgoing connections: each writes only while the process holds the lease under which it was opened, which is checked before each
 * write. A process that was stopped, or whose machine was suspended, may continue at any point.
 *
 * Does not recall what was given to the operating system before.
 */
export class WriteFence {
  readonly #lease: CurrentLease;
  readonly #onLost: () => void;
  readonly #fenced = new WeakSet<Socket>();

  /** @param onLost - Called when a write was not allowed: it is time to close all connections. */
  constructor(lease: CurrentLease, onLost: () => void) {
    this.#lease = lease;
    this.#onLost = onLost;
  }

  /** False while the process has no lease: nothing may be opened. */
  get isHeld(): boolean {
    return this.#lease() !== undefined;
  }

  /** Fences a connection, from before its first write on. */
  fence(server: Socket): void {
    if (this.#fenced.has(server)) return;
    this.#fenced.add(server);
    const opened = this.#lease();
    const isHeld = (): boolean => opened !== undefined && this.#lease() === opened;
    const write = server._write.bind(server);
    const writev = server._writev?.bind(server);
    const refuse = (done: (error: Error) => void): void => {
      done(leaseLost());
      this.#onLost();
    };
    server._write = (chunk, encoding, done) => (isHeld() ? write(chunk, encoding, done) : refuse(done));
    if (writev) server._writev = (chunks, done) => (isHeld() ? writev(chunks, done) : refuse(done));
    // What is written before there is a connection waits for it without being asked again.
    if (server.connecting)
      server.prependOnceListener("connect", () => {
        if (isHeld()) return;
        server.destroy(leaseLost());
        this.#onLost();
      });
  }
}
