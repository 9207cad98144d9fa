import type { Lease, LeaseStore } from "../storage/lease-store.ts";
import type { MonotonicClock } from "./monotonic-clock.ts";

/** Times of a lease, in milliseconds. The nodes of a cluster have the same. */
export interface LeaseTimes {
  /** How long a lease lasts from its last renewal. */
  readonly ttlMs: number;
  /** How often it is renewed. */
  readonly everyMs: number;
  /** How long after the renewal that succeeded last was sent nothing may be done any more; what is left of the lease then is time to close browsers. */
  readonly stopMs: number;
}

/** Options of a keeper. */
export interface LeaseKeeperOptions {
  /** Where leases are kept. */
  readonly leases: LeaseStore;
  /** Name of this node. No other one may have it. */
  readonly name: string;
  /** The lease that the process before this one had, which is known to be dead. It is given back. Default: none. */
  readonly before?: Lease | undefined;
  /** Data for other nodes, stored with each renewal: JSON. */
  readonly about: () => unknown;
  /** How long leases last. */
  readonly times: LeaseTimes;
  /** Measures time. */
  readonly clock: MonotonicClock;
  /** Called with each lease that is acquired: from now on the node may have sessions. */
  readonly onHeld: (lease: Lease) => void;
  /** Called when nothing may be done under a lease any more: closes everything that was opened under it. Another lease is asked for when that has settled; it may not reject. */
  readonly onLost: (lease: Lease) => Promise<void>;
  /** Called with each error of the store. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Keeps a lease for this node: renews it, says when it is lost, and takes another one then.
 *
 * The time of a lease is counted from before it was asked for, by a clock that nobody sets: this side is never later than the store, however
 * long an answer took. An answer that comes when the time is over does not bring it back.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #lease: Lease | undefined;
  /** When nothing may be done any more. */
  #stopAt = -Infinity;
  #cancelStop: () => void = () => undefined;
  #cancelWait: () => void = () => undefined;
  /** The one before, while the store has not been told that it is over. */
  #left: Lease | undefined;
  #isClosed = false;
  #losing = Promise.resolve();
  #running = Promise.resolve();

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#left = options.before;
  }

  /** The lease under which this node may have sessions; undefined while it has none, also when nobody has noticed yet. */
  get lease(): Lease | undefined {
    return this.#options.clock.now() < this.#stopAt ? this.#lease : undefined;
  }

  /** Begins. Resolves when there is a lease for the first time, or when it is closed before. */
  start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = this.#run(resolve).finally(resolve);
    return promise;
  }

  /** Gives the lease back, when there is one, and asks for none any more. Whoever calls it has closed what was done under it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelStop();
    this.#cancelWait();
    this.#left = this.#lease ?? this.#left;
    this.#lease = undefined;
    await this.#running;
    await this.#losing;
    await this.#releaseLeft();
  }

  async #run(onFirst: () => void): Promise<void> {
    const { clock, onHeld, times } = this.#options;
    while (!this.#isClosed) {
      await this.#releaseLeft();
      const askedMs = clock.now();
      const lease = await this.#acquire();
      if (this.#isClosed) {
        this.#left = lease;
        return;
      }
      if (lease) {
        this.#lease = lease;
        this.#heldSince(askedMs, lease);
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
    const { clock, times, leases, about, onFault } = this.#options;
    let askedMs = firstMs;
    while (this.#lease === lease) {
      await this.#wait(askedMs + times.everyMs);
      if (this.#lease !== lease) return;
      askedMs = clock.now();
      const isHeld = await leases.renew(lease, { ttlMs: times.ttlMs, about: about() }).catch((error: unknown) => {
        onFault(error);
        return undefined; // it may have been renewed, or not
      });
      if (this.#lease !== lease) return;
      if (isHeld === false || this.lease === undefined) return this.#lose(lease);
      if (isHeld) this.#heldSince(askedMs, lease);
    }
  }

  /** Counts its time from a moment before it was asked for. */
  #heldSince(askedMs: number, lease: Lease): void {
    const { clock, times } = this.#options;
    this.#stopAt = askedMs + times.stopMs;
    this.#cancelStop();
    this.#cancelStop = clock.after(this.#stopAt - clock.now(), () => this.#lose(lease));
  }

  #lose(lease: Lease): void {
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    this.#cancelStop();
    this.#losing = this.#options.onLost(lease).then(() => void (this.#left = lease));
    this.#cancelWait();
  }

  #acquire(): Promise<Lease | undefined> {
    const { leases, name, times, about, onFault } = this.#options;
    return leases.acquire(name, { ttlMs: times.ttlMs, about: about() }).catch((error: unknown) => {
      onFault(error);
      return undefined;
    });
  }

  /** Nobody has to wait for the end of what is closed. */
  async #releaseLeft(): Promise<void> {
    if (this.#left === undefined) return;
    try {
      await this.#options.leases.release(this.#left);
      this.#left = undefined;
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  /** Waits until a moment; not when it is closed, or loses its lease meanwhile. */
  #wait(untilMs: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(Math.max(0, untilMs - this.#options.clock.now()), resolve);
    this.#cancelWait = () => {
      cancel();
      resolve();
    };
    return promise;
  }
}
