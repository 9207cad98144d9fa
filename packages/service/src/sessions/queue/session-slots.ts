import { Semaphore, type Permit } from "../../semaphore.ts";
import { ServiceError } from "../../service-error.ts";
import { makeSessionQuotaError } from "../../session-refusals.ts";

/** The slots of sessions, of which each key may have a number. */
export class SessionSlots {
  readonly #slots: Semaphore;
  /** Number of slots that each key has. */
  readonly #heldBy = new Map<string | null, number>();
  readonly #onRelease: () => void;

  /** @param onRelease - Called when a slot is released. */
  constructor(limit: number, onRelease: () => void = () => undefined) {
    this.#slots = new Semaphore(limit);
    this.#onRelease = onRelease;
  }

  /** Number of slots that are taken. */
  get inUse(): number {
    return this.#slots.inUse;
  }

  /**
   * Throws when a key has as many slots as it may have.
   *
   * @throws {ServiceError} `busy`.
   */
  requireQuota(key: string | null, keyLimit: number): void {
    if ((this.#heldBy.get(key) ?? 0) < keyLimit) return;
    throw makeSessionQuotaError();
  }

  /**
   * Takes a slot, until it is released.
   *
   * @param key - Name of the key that it is for.
   * @param keyLimit - Most slots of that key.
   * @throws {ServiceError} `busy` when the limit of the key, or that of the service, is reached.
   */
  take(key: string | null, keyLimit: number): Permit {
    this.requireQuota(key, keyLimit);
    const permit = this.#slots.tryAcquire();
    if (permit) return this.#count(key, permit);
    throw new ServiceError(
      "busy",
      `session limit (${this.#slots.limit}) reached; end a session, wait, or let the operator of the service raise it`,
    );
  }

  /** A permit that counts as one of a key until it is released. */
  #count(key: string | null, permit: Permit): Permit {
    const add = (change: number): void => {
      const count = (this.#heldBy.get(key) ?? 0) + change;
      if (count === 0) this.#heldBy.delete(key);
      else this.#heldBy.set(key, count);
    };
    add(1);
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        add(-1);
        permit.release();
        this.#onRelease();
      },
    };
  }
}
