import pLimit from "p-limit";
import pTimeout from "p-timeout";

/** Longest time that one session holds the queue, in milliseconds: a page that hangs delays the others by no more than this. */
const maxSlotMs = 250;

/** Lets the sessions of a machine sample their pages one after the other, in the order in which they asked. */
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
