/** New pages that a client prepares before they load: they wait for the debugger, as in a browser of its own. */
export class HeldPages {
  readonly #held = new Map<string, PromiseWithResolvers<void>>();

  /** Holds a page until it is released. */
  hold(targetId: string): void {
    if (!this.#held.has(targetId)) this.#held.set(targetId, Promise.withResolvers<void>());
  }

  /** Resolves when a page is released; undefined for one that is not held. */
  whenReleased(targetId: string): Promise<void> | undefined {
    return this.#held.get(targetId)?.promise;
  }

  /** Releases a page: its client continues it, or has detached from it. */
  release(targetId: string): void {
    this.#held.get(targetId)?.resolve();
    this.#held.delete(targetId);
  }

  /** Releases all pages after the client has disconnected. */
  releaseAll(): void {
    for (const targetId of this.#held.keys()) this.release(targetId);
  }
}
