import pTimeout from "p-timeout";
import type { Logger } from "pino";
import type { Sessions } from "./sessions/sessions.ts";

/** State of a service that accepts no new sessions: `draining` while open ones continue, `stopping` once they are being ended. */
export type ServiceState = "running" | "draining" | "stopping";

/** Options of a shutdown. */
export interface ShutdownOptions {
  /** The sessions, which continue while the service drains. */
  readonly sessions: Pick<Sessions, "count" | "drain">;
  /** Requests that are being answered, some by other nodes; they also continue. */
  readonly requests: { readonly idle: () => Promise<void> };
  /** Ends answers that have no end by themselves. Called when the last session has ended, or the service stops. */
  readonly endStreams: () => void;
  /** Maximum duration of draining, in milliseconds; 0 for none. */
  readonly drainMs: number;
  /** Logs when draining begins. */
  readonly log: Logger;
}

/** The end of a service: it drains, then it stops. */
export class Shutdown {
  readonly #options: ShutdownOptions;
  #state: ServiceState = "running";
  #closing: Promise<void> | undefined;

  constructor(options: ShutdownOptions) {
    this.#options = options;
  }

  /** Current state. */
  get state(): ServiceState {
    return this.#state;
  }

  /**
   * Accepts no new sessions from now on; stops when the last session has ended and no request is being answered, or at the time limit. A second call waits for the same end.
   *
   * @param stop - Ends everything.
   */
  close(stop: () => Promise<void>): Promise<void> {
    return (this.#closing ??= this.#close(stop));
  }

  async #close(stop: () => Promise<void>): Promise<void> {
    const { sessions, requests, endStreams, drainMs, log } = this.#options;
    const empty = sessions.drain().then(() => {
      endStreams();
      return requests.idle();
    });
    if (drainMs > 0) {
      this.#state = "draining";
      log.info(
        { sessions: sessions.count, seconds: drainMs / 1_000 },
        "draining: open sessions continue, no new ones are accepted",
      );
      await pTimeout(empty, { milliseconds: drainMs, fallback: () => undefined });
    }
    this.#state = "stopping";
    endStreams();
    await stop();
  }
}
