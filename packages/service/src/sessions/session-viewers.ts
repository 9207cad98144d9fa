import { ServiceError } from "../service-error.ts";
import type { EndReason } from "../storage/session-store.ts";

/** Most viewers of one session at a time. */
const viewerLimit = 16;

/** Who sees a session, and may act in it. */
export class SessionViewers {
  readonly #onUse: () => void;
  #count = 0;
  /** Live sockets, each with whether it may act. */
  readonly #sockets = new Map<(reason: EndReason) => void, boolean>();

  /** @param onUse - Called when somebody begins to see the session. */
  constructor(onUse: () => void) {
    this.#onUse = onUse;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** True while one of them may act on the pages. */
  get mayAct(): boolean {
    return [...this.#sockets.values()].includes(true);
  }

  /**
   * Adds a viewer. Returns a function to call when it has left.
   *
   * @throws {ServiceError} `busy` when there are 16.
   */
  add(): () => void {
    if (this.#count >= viewerLimit) {
      throw new ServiceError(
        "busy",
        `viewer limit (${viewerLimit}) of the session reached; close another viewer of it`,
      );
    }
    this.#count += 1;
    this.#onUse();
    let isWatching = true;
    return () => {
      if (isWatching) this.#count -= 1;
      isWatching = false;
    };
  }

  /**
   * Adds a viewer with a live socket. Returns a function to call when it is closed.
   *
   * @param disconnect - Called when the session ends, with the reason.
   * @throws {ServiceError} `busy` when there are 16 viewers.
   */
  addSocket(mayAct: boolean, disconnect: (reason: EndReason) => void): () => void {
    const leave = this.add();
    this.#sockets.set(disconnect, mayAct);
    return () => {
      leave();
      this.#sockets.delete(disconnect);
    };
  }

  /** Disconnects all live sockets. */
  disconnect(reason: EndReason): void {
    for (const disconnect of this.#sockets.keys()) disconnect(reason);
  }
}
