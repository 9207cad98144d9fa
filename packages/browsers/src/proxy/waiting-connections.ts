import { Agent } from "node:http";
import type { Socket } from "node:net";

/** How long a connection waits for a further request, in milliseconds. */
const waitingMs = 15_000;

/** Keeps one connection to a server for further requests: the one that was used last. */
class OneWaiting extends Agent {
  constructor() {
    super({ keepAlive: true });
  }

  override keepSocketAlive(socket: Socket): boolean {
    // Declared to return nothing, it returns whether the server lets the connection wait long enough.
    const isWorthIt: unknown = super.keepSocketAlive(socket);
    if (isWorthIt === false) return false;
    for (const waiting of Object.values(this.freeSockets).flat()) waiting?.destroy();
    socket.setTimeout(Math.min(socket.timeout || waitingMs, waitingMs));
    return true;
  }
}

/**
 * The connections to servers that wait for further requests, each for the one connection of a browser that it was made for.
 * Nobody else ever gets it: with NTLM and Negotiate a server takes whoever uses a connection for the one who logged in on it.
 */
export class WaitingConnections {
  readonly #agents = new Map<Socket, Agent>();

  /** Returns the agent that belongs to a connection of the browser; both end together. */
  of(browser: Socket): Agent {
    const known = this.#agents.get(browser);
    if (known !== undefined) return known;
    const agent = new OneWaiting();
    this.#agents.set(browser, agent);
    browser.once("close", () => {
      this.#agents.delete(browser);
      agent.destroy();
    });
    return agent;
  }

  /** Ends all of them. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}
