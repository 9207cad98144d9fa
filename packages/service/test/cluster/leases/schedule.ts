interface Event {
  readonly at: number;
  readonly order: number;
  readonly call: () => void;
}

/** The time of a world, in its seconds: events come one after another, and nothing takes time but what waits for one. */
export class Schedule {
  now = 0;
  readonly #delays: readonly number[];
  #events: Event[] = [];
  #orders = 0;
  #delayed = 0;

  /** @param delays - How long each message takes, in turn. */
  constructor(delays: readonly number[]) {
    this.#delays = delays;
  }

  /** Calls a function at a time; returns one that cancels that. */
  at(when: number, call: () => void): () => void {
    const event = { at: when, order: (this.#orders += 1), call };
    this.#events.push(event);
    return () => void (this.#events = this.#events.filter((one) => one !== event));
  }

  /** Returns how long the next message takes. */
  takeDelay(): number {
    this.#delayed += 1;
    return this.#delays[this.#delayed % this.#delays.length] ?? 0;
  }

  /** Runs the event that is next, and what waits for it; returns false when there is none before the end. */
  async runNext(end: number): Promise<boolean> {
    let first: Event | undefined;
    for (const event of this.#events) {
      if (!first || event.at < first.at || (event.at === first.at && event.order < first.order)) first = event;
    }
    if (!first || first.at >= end) return false;
    this.#events = this.#events.filter((event) => event !== first);
    this.now = first.at;
    first.call();
    await settlePromises();
    return true;
  }
}

/** Lets go on what waits for promises, and no longer. */
async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}
