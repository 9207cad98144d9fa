import pLimit from "p-limit";
import pTimeout from "p-timeout";

/** Longest time that one session holds the queue, in milliseconds: a page that hangs delays the others by no more than this. */
const maxSlotMs = 250;

/** Queue in which the sessions of a machine sample their pages one after the other, in the order of their requests. */
export class CaptureQueue {
  readonly #limit = pLimit(1);

  /** Resolves when it is the caller's turn, with a function that lets the next one in; after 250 ms the next one comes anyway. */
  async acquire(): Promise<() => void> {
    const slot = Promise.withResolvers<() => void>();
    const released = Promise.withResolvers<void>();
    void this.#limit(() => {
      slot.resolve(released.resolve);
      return pTimeout(released.promise, { milliseconds: maxSlotMs, message: false });
    });
    return slot.promise;
  }
}

/** The slot of one session in the queue, or none. */
export class CaptureSlot {
  readonly #queue: CaptureQueue;
  #release: (() => void) | undefined;

  constructor(queue: CaptureQueue) {
    this.#queue = queue;
  }

  /** Waits for a slot; resolves with false when the signal aborts before. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    const slot = this.#queue.acquire();
    this.#release = await pTimeout(slot, { milliseconds: Infinity, signal }).catch(() => undefined);
    if (!this.#release) void slot.then((release) => release());
    return this.#release !== undefined;
  }

  /** Frees the slot of this session, if it has one, for the next session. */
  release(): void {
    this.#release?.();
  }
}
