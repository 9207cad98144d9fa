import { Agent } from "node:http";
import type { Socket } from "node:net";

/** Idle timeout of a kept connection, in milliseconds. */
const maxIdleMs = 15_000;

/** An HTTP agent that keeps only the last used connection alive. */
class SingleConnectionAgent extends Agent {
  constructor() {
    super({ keepAlive: true });
  }

  override keepSocketAlive(socket: Socket): boolean {
    // Declared as void, it returns whether the server keeps the connection open long enough.
    const isKeptAlive: unknown = super.keepSocketAlive(socket);
    if (isKeptAlive === false) return false;
    for (const waiting of Object.values(this.freeSockets).flat()) waiting?.destroy();
    socket.setTimeout(Math.min(socket.timeout || maxIdleMs, maxIdleMs));
    return true;
  }
}

/**
 * Kept-alive connections to servers, each used for one connection of a browser only:
 * with NTLM and Negotiate, a server authenticates the connection.
 */
export class KeepAliveConnections {
  readonly #agents = new Map<Socket, Agent>();

  /** Returns the agent of a browser connection; it is destroyed with the connection. */
  agentFor(browser: Socket): Agent {
    const known = this.#agents.get(browser);
    if (known !== undefined) return known;
    const agent = new SingleConnectionAgent();
    this.#agents.set(browser, agent);
    browser.once("close", () => {
      this.#agents.delete(browser);
      agent.destroy();
    });
    return agent;
  }

  /** Closes all of them. */
  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}
