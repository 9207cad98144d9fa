/** One slot of a semaphore. */
export interface Permit {
  /** Releases the slot. Can be called again. */
  release(): void;
}

/**
 * Limits how many slots are taken at a time. It alone counts them, so that none is counted twice or not at all. A slot is taken before the
 * first wait of what needs it, and given back once that is over, however it ends.
 */
export class Semaphore {
  /** How many slots there are. */
  readonly limit: number;
  #inUse = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** How many slots are taken. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Takes a slot; undefined when all are taken. Does not wait. */
  tryAcquire(): Permit | undefined {
    if (this.#inUse >= this.limit) return undefined;
    this.#inUse += 1;
    let isHeld = true;
    return {
      release: () => {
        if (isHeld) this.#inUse -= 1;
        isHeld = false;
      },
    };
  }
}

/** A slot that is released only after `handOver`: until then its holder may have to begin again. */
export class KeptSlot implements Permit {
  readonly #permit: Permit;
  #isReleased = false;
  #isHandedOver = false;

  /** @param permit - The slot. */
  constructor(permit: Permit) {
    this.#permit = permit;
  }

  /** Releases the slot, as soon as it was handed over. */
  release(): void {
    this.#isReleased = true;
    if (this.#isHandedOver) this.#permit.release();
  }

  /** Lets `release` release it from now on; at once when that was asked for before. */
  handOver(): void {
    this.#isHandedOver = true;
    if (this.#isReleased) this.#permit.release();
  }
}
