import type { Lease, LeaseStore, LeaseTerms } from "../storage/lease-store.ts";
import type { MonotonicClock } from "../monotonic-clock.ts";

/** Times of a lease, in milliseconds. The nodes of a cluster have the same. */
export interface LeaseTimes {
  /** How long a lease lasts from its last renewal. */
  readonly ttlMs: number;
  /** How often it is renewed. */
  readonly everyMs: number;
  /** How long after sending the last successful renewal the node may act under its lease; the rest of the lease is time to close browsers. */
  readonly stopMs: number;
}

/** Options of a keeper. */
export interface LeaseKeeperOptions {
  /** The store of the leases. */
  readonly leases: LeaseStore;
  /** Name of this node. No other one may have it. */
  readonly name: string;
  /** The lease of the previous process, which is known to be dead; it is released. Default: none. */
  readonly before?: Lease | undefined;
  /** Data for other nodes, stored with each renewal: JSON. */
  readonly about: () => unknown;
  /** How long leases last. */
  readonly times: LeaseTimes;
  /** Monotonic clock. */
  readonly clock: MonotonicClock;
  /** Called with each lease that is acquired: from now on the node may have sessions. Must not throw. */
  readonly onHeld: (lease: Lease) => void;
  /** Called when a lease is lost: closes everything that was opened under it. Must not reject. The next lease is requested after it has settled. */
  readonly onLost: (lease: Lease) => Promise<void>;
  /** Called with each error of the store. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Keeps a lease for this node: renews it, reports when it is lost, and acquires another one then.
 *
 * The time of a lease is counted from before the request was sent, by a monotonic clock: so it ends here no later than in the store, however
 * long the answer took. An answer that comes after that does not revive it.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #lease: Lease | undefined;
  /** Time at which the lease ends here. */
  #stopAt = -Infinity;
  #cancelStop: () => void = () => undefined;
  #cancelWait: () => void = () => undefined;
  /** The previous lease, until the store knows that it is released. */
  #previous: Lease | undefined;
  #isClosed = false;
  /** A request to store what this node has to tell, until that is sent. */
  #publication: PromiseWithResolvers<void> | undefined;
  #losing = Promise.resolve();
  #running = Promise.resolve();

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#previous = options.before;
  }

  /** The lease under which this node may have sessions; undefined from the moment when it has ended, even before the keeper has reacted to that. */
  get lease(): Lease | undefined {
    return this.#options.clock.now() < this.#stopAt ? this.#lease : undefined;
  }

  /** How long ago the request of the last renewal that succeeded was sent, in milliseconds; undefined without a lease. */
  get renewedAgoMs(): number | undefined {
    const { clock, times } = this.#options;
    return this.lease && clock.now() - (this.#stopAt - times.stopMs);
  }

  /** Starts. Resolves when the first lease is acquired, or the keeper is closed. */
  start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = this.#run(resolve).finally(resolve);
    return promise;
  }

  /** Renews the lease at once, so that other nodes learn what is to be told now. Resolves when that was stored, or could not be. */
  publish(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#publication ??= Promise.withResolvers();
    this.#cancelWait();
    return this.#publication.promise;
  }

  /** Releases the lease, if there is one, and requests no other. The caller has closed everything that was opened under it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#publication?.resolve();
    this.#cancelStop();
    this.#cancelWait();
    this.#previous = this.#lease ?? this.#previous;
    this.#lease = undefined;
    await this.#running;
    await this.#losing;
    await this.#releasePrevious();
  }

  async #run(onFirst: () => void): Promise<void> {
    const { clock, onHeld, times } = this.#options;
    while (!this.#isClosed) {
      await this.#releasePrevious();
      const askedMs = clock.now();
      const lease = await this.#acquire();
      if (this.#isClosed) {
        this.#previous = lease;
        return;
      }
      if (lease) {
        this.#lease = lease;
        this.#startTerm(askedMs, lease);
        if (this.lease) {
          onHeld(lease);
          onFirst();
        }
        await this.#renewUntilLost(lease, askedMs);
        await this.#losing;
      }
      await this.#wait(askedMs + times.everyMs);
    }
  }

  async #renewUntilLost(lease: Lease, firstMs: number): Promise<void> {
    const { clock, times, leases } = this.#options;
    let askedMs = firstMs;
    while (this.#lease === lease) {
      if (!this.#publication) await this.#wait(askedMs + times.everyMs);
      if (this.#lease !== lease) return;
      askedMs = clock.now();
      const isHeld = await this.#store((terms) => leases.renew(lease, terms)); // undefined: it may have been renewed, or not
      if (this.#lease !== lease) return;
      if (isHeld === false || this.lease === undefined) return this.#lose(lease);
      if (isHeld) this.#startTerm(askedMs, lease);
    }
  }

  /** Counts the time of a lease from before it was requested. */
  #startTerm(askedMs: number, lease: Lease): void {
    const { clock, times } = this.#options;
    this.#stopAt = askedMs + times.stopMs;
    this.#cancelStop();
    this.#cancelStop = clock.callAfter(this.#stopAt - clock.now(), () => this.#lose(lease));
  }

  #lose(lease: Lease): void {
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    this.#cancelStop();
    this.#losing = this.#options.onLost(lease).then(() => void (this.#previous = lease));
    this.#cancelWait();
  }

  #acquire(): Promise<Lease | undefined> {
    const { leases, name } = this.#options;
    return this.#store((terms) => leases.acquire(name, terms));
  }

  /** Sends the terms of the lease to the store, with what is to be told now. Undefined when the store fails. */
  async #store<Result>(send: (terms: LeaseTerms) => Promise<Result>): Promise<Result | undefined> {
    const { times, about, onFault } = this.#options;
    const publication = this.#publication;
    this.#publication = undefined;
    try {
      return await send({ ttlMs: times.ttlMs, about: about() });
    } catch (error) {
      onFault(error);
      return undefined;
    } finally {
      publication?.resolve();
    }
  }

  /** Releases the previous lease, so that nobody has to wait for its expiry. */
  async #releasePrevious(): Promise<void> {
    if (this.#previous === undefined) return;
    try {
      await this.#options.leases.release(this.#previous);
      this.#previous = undefined;
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  /** Waits until a time, or until the keeper is closed or loses its lease. */
  #wait(untilMs: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.callAfter(Math.max(0, untilMs - this.#options.clock.now()), resolve);
    this.#cancelWait = () => {
      cancel();
      resolve();
    };
    return promise;
  }
}
