/** Servers that are no more than sockets, and the sender of a run towards them. */
import { createServer, type Socket } from "node:net";
import { defaultLimits } from "../../src/http/limits.ts";
import { Sender, type SenderOptions } from "../../src/http/sender.ts";
import type { Target } from "../../src/target/target.ts";
import { listen } from "../listen.ts";
import { apiKey, endedSessionId, sessionId } from "../server.ts";

/** Answers on a socket, once it has asked for something: others may be of whoever had this port before. */
export type Serve = (socket: Socket, attempt: number) => void;

/** A server whose answers are what it writes to its sockets. */
export class BareServer implements AsyncDisposable {
  /** Time of each request, on the clock of `performance`. */
  readonly starts: number[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server;

  private constructor(serve: Serve) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => this.#sockets.delete(socket));
      socket.once("data", () => serve(socket, this.starts.push(performance.now()) - 1));
    });
  }

  /** Starts it, and describes it as a target. */
  static async start(serve: Serve, scheme = "http:"): Promise<{ server: BareServer; target: Target }> {
    const server = new BareServer(serve);
    const url = (await listen(server.#server)).replace("http:", scheme);
    const addresses = { name: url, baseUrl: url, automationUrl: url };
    const rest = {
      kind: "live",
      apiKey,
      sessionId,
      endedSessionId,
      query: "Open about:blank.",
      lacks: new Map(),
    } as const;
    return { server, target: { ...addresses, ...rest } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Makes the sender of a run that may start ten runs, with one request at a time. */
export function makeSender(target: Target, options: Partial<SenderOptions> = {}): Sender {
  return new Sender(target, {
    profile: "full",
    budget: { maxRuns: 10, maxUnintendedRuns: 1, maxCostUsd: undefined },
    limits: defaultLimits,
    concurrency: 1,
    rate: undefined,
    signal: undefined,
    ...options,
  });
}
